// All options of `plainformer train`, with their defaults and their help, and the options of every command
// that computes.
#pragma once

#include <optional>
#include <string>

#include "data/parallel_corpus.h"
#include "data/words.h"
#include "ops/ways.h"
#include "report/command_line.h"
#include "training/presets.h"

namespace plainformer {

// How a command computes.
struct ComputeSettings {
  Index threads = 0;  // 0: the default
  std::string plain;  // names of groups of operations; empty: what PLAINFORMER_PLAIN names
  Precision precision = Precision::kFloat;

  // Sets them for the whole program. std::runtime_error if one is out of range or unknown, or if the plain
  // way, which computes in float, would ignore bf16.
  void use() const;
};

// Adds --threads and --plain, for commands that compute in float; or --precision, too.
void add_float_options(CommandLine& line, ComputeSettings* settings);
void add_compute_options(CommandLine& line, ComputeSettings* settings);

// The recipe, and what concerns one run of it.
struct Settings : Recipe {
  // Decides which of two validations is better: the one with the lower loss; or the one with the higher BLEU,
  // and of two equal ones the one with the lower perplexity.
  enum class BestBy { kLoss, kBleu };
  // Cuts text into words at blanks, or so that marks are words too. kAuto means marks for a text of one's
  // own, and spaces for the built-in grammar and for trees, which are tokenized.
  enum class Words { kAuto, kSpaces, kMarks };

  std::string preset = "tiny";

  // The text; without any, sentences of the built-in grammar.
  CorpusFiles text, valid_text;          // for training; for validation, or none
  std::string treebank, valid_treebank;  // files of trees instead
  std::optional<Index> hold_out;  // pairs for validation where valid_text is empty; nullopt: the usual number
  Words words = Words::kAuto;

  std::string out;   // the model folder
  std::string from;  // the folder of a trained model to start with; empty: fresh weights
  bool resume = false, overwrite = false;

  BestBy best_by = BestBy::kLoss;
  Index patience = 0;  // training ends after this many validations that are not the best so far; 0: never
  double r_drop = 0;   // the weight alpha of R-Drop (training/r_drop.h)
  bool fresh_copies = false;  // numbers, codes and addresses change in each epoch (with_fresh_copies)
  bool recompute = false;     // less memory, more time, the same bits (training/recomputing.h)

  Index frames = 0;  // steps between two kept frames (train/attention_frames.h); 0: none
  std::string frame_source, frame_target;  // their sentence and its translation; empty: one of the text
  Index samples = 3;                       // validation sentences whose translation each validation prints
  double minutes = 0;                      // stop after this time; 0: never
  Index seed = 1;                          // the seed of all that is random
  ComputeSettings compute;

  std::vector<std::string> input_files() const;  // text and trees; "-" is standard input
  bool reads_standard_input() const;
  bool uses_toy_grammar() const { return text.empty() && treebank.empty(); }
  // How the text becomes words: `words`, with a choice where it says kAuto.
  WordRule word_rule() const;
  void set_word_rule(const WordRule& rule);
  // The pairs to hold out of a training text with this number of pairs; 0 if it has validation text.
  Index pairs_to_hold_out(Index pairs) const;

  // Throws std::runtime_error, which names the option and its range, or UsageError if options do not fit
  // together.
  void check() const;
};

// The preset's sizes and recipe. UsageError for an unknown name.
Settings preset_settings(const std::string& name);

// The preset that the arguments name, or the default one.
Settings preset_settings(const Arguments& arguments);

// The value of an option among the arguments: of "--steps 7" or "--steps=7"; nullopt if it is not given.
std::optional<std::string> given_value(const Arguments& arguments, const std::string& option);

// Reads the arguments over `defaults`, or over the preset that they name.
Settings parse_settings(const Arguments& arguments, Settings defaults);
Settings parse_settings(const Arguments& arguments);

// The arguments from which parse_settings makes the same settings, even if the presets change or the program
// runs in another folder: all options, with absolute paths of what is read, but without --resume and
// --overwrite, which concern an earlier run.
Arguments to_arguments(Settings settings);

// The answer to --help, with the defaults of the preset that the arguments name.
std::string train_help(const Arguments& arguments);

// Adds --source, --target, --pairs and --columns.
void add_pair_options(CommandLine& line, CorpusFiles& files);
// Adds --pairs and --columns.    pairs: what the files are for, "both in one file"
void add_pair_file_options(CommandLine& line, CorpusFiles& files, const std::string& pairs);
// Throws UsageError unless each source has a target. The names are those of the options.
void check_sides(const CorpusFiles& text, const std::string& source, const std::string& target);

// Adds the options of add_pair_options, and those of validation text.
void add_text_options(CommandLine& line, Settings& settings);
// Throws UsageError if the files of the text do not belong together, or if there are none.
void check_text(const Settings& settings);

// Adds --preset and the model's sizes.
void add_model_options(CommandLine& line, Settings& settings);

}  // namespace plainformer
