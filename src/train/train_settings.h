// All options of `plainformer train`.
#pragma once

#include <string>

#include "command_line/command_line.h"
#include "data/pair_file.h"
#include "data/words.h"
#include "training/presets.h"

namespace plainformer {

// The recipe, and what concerns one run of it.
struct TrainSettings : Recipe {
  std::string preset = "tiny";
  CorpusFiles text, valid_text;   // for training; for validation, or none
  std::string columns = "1,2";    // of both: the text of their columns, which copy_shared_values sets
  std::string hold_out = "auto";  // pairs for validation where valid_text is empty: a number, or a usual one
  std::string treebank, valid_treebank;  // files of trees, in place of the text files
  // How text is cut into words: "spaces", "marks" or "auto"; how capitals are written: "as-is" or "marks"; and what becomes
  // of pieces that the vocabulary lacks: "cut", "unk" or "auto". copy_shared_values sets the rule that they name.
  std::string words = "auto", letter_case = "as-is", unknown_pieces = "auto";
  WordRule word_rule;
  std::string out;   // the model folder
  std::string from;  // the folder of a trained model to start with; empty: fresh weights
  bool resume = false, overwrite = false;

  // Which of two validations is better: "loss", the one with the lower loss; or "bleu", the one with the higher BLEU,
  // and of two equal ones the one with the lower loss.
  std::string best_by = "loss";
  Index patience = 0;  // training ends after this many validations that are not the best so far; 0: never

  std::string positions =
      "sinusoidal";  // or "learned": the name of model.positions, which copy_shared_values sets

  double r_drop = 0;       // the weight alpha of R-Drop, beyond the paper
  bool recompute = false;  // less memory, more time, the same bits (training/recomputing.h)

  Index frames = 0;  // steps between two kept frames (train/attention_frames.h); 0: none
  std::string frame_source, frame_target;  // their sentence and its translation; empty: one of the text
  Index samples = 3;                       // validation sentences whose translation each validation prints
  double minutes = 0;                      // stop after this time; 0: never
  Index seed = 1;                          // of weights, data order and dropout
  Index threads = 0;                       // 0: as many as the process may use
  std::string precision = "float";         // of matrix products: float or bf16
  std::string plain;  // operations that take the plain way; empty: those of PLAINFORMER_PLAIN

  bool reads_standard_input() const;
  bool compares_bleu() const { return best_by == "bleu"; }
  bool uses_toy_grammar() const { return text.empty() && treebank.empty(); }
  // The pairs to hold out of a training text with this number of pairs; 0 if it has validation text. Call it after
  // check().
  Index pairs_to_hold_out(Index pairs) const;
  bool may_have_validation_text() const;  // a text of very few pairs leaves none for it

  // Throws std::runtime_error, which names the option and its range, or UsageError if a required option is
  // missing.
  void check() const;
};

// The preset's sizes and recipe. UsageError for an unknown name.
TrainSettings preset_settings(const std::string& name);

// The preset that the arguments name, or another. Where they ask for help, an unknown name counts as none.
TrainSettings preset_settings(const Arguments& arguments, const std::string& otherwise);

// Call it after parsing. Copies d_model and seed into settings.training, positions into settings.model, columns into both
// texts, and words, letter_case and unknown_pieces into word_rule. For words, "auto" means marks for files of pairs, and
// spaces for the built-in grammar and for trees, which are tokenized. For unknown_pieces it means cut with marks, and unk
// with spaces. std::runtime_error for unknown names, UsageError for columns that are no two numbers.
void copy_shared_values(TrainSettings& settings);

// Reads the arguments on top of the preset that they name. Those of `later` replace the ones with the same name.
TrainSettings parse_train_settings(const Arguments& arguments, const Arguments& later = {});

// The arguments from which parse_train_settings makes the same settings, even if the presets change or the
// program runs in another folder: all options, with absolute paths of all text files, but without --resume
// and --overwrite, which concern an earlier run.
Arguments to_arguments(TrainSettings settings);

// The options, with the defaults of the preset that the arguments name.
std::string train_help(const Arguments& arguments);

}  // namespace plainformer
