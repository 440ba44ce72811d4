// All options of `plainformer train`, and the presets.
#pragma once

#include <string>

#include "command_line/command_line.h"
#include "training/training_options.h"
#include "transformer/config.h"

namespace plainformer {

struct TrainSettings {
  std::string preset = "tiny";
  std::string source, target;              // text files
  std::string valid_source, valid_target;  // held-out text files, or none
  std::string treebank, valid_treebank;    // files of trees, in place of the text files
  std::string out;                         // the model folder
  bool resume = false, overwrite = false;

  Index merges = 8000;  // of byte pair encoding, joint for both languages
  ModelConfig model;    // vocab follows from the data
  TrainingOptions training;

  Index batch_tokens = 4096;  // source tokens, and as many target tokens, in a batch
  Index max_tokens = 256;     // training leaves out longer sentences
  // Beyond the paper: the probabilities of leaving out a merge (data/byte_pair_encoding.h), and of hiding a token
  // (training/word_dropout.h).
  double bpe_dropout = 0, word_dropout = 0;
  double minutes = 0;               // stop after this time; 0: never
  Index valid_bleu = 0;             // at most this many validation pairs are translated at each validation
  Index keep = 5;                   // checkpoints kept, and averaged at the end
  Index seed = 1;                   // of weights, data order and dropout
  Index threads = 0;                // 0: as many as the process may use
  std::string precision = "float";  // of matrix products: float or bf16
  std::string plain;                // operations that take the plain way; empty: those of PLAINFORMER_PLAIN

  // The built-in grammar.
  Index toy_pairs = 0;       // for training
  Index toy_held_out = 500;  // for validation, and as many again for the test

  bool uses_toy_grammar() const { return source.empty() && target.empty() && treebank.empty(); }

  // Throws std::runtime_error, which names the option and its range, or UsageError if a required option is
  // missing.
  void check() const;
};

// The preset's sizes and recipe. UsageError for an unknown name.
TrainSettings preset_settings(const std::string& name);

// The preset that --preset names; `otherwise` if none is named, or with --help.
TrainSettings preset_settings(const Arguments& arguments, const std::string& otherwise);

// --preset and the model's sizes.
void add_model_options(CommandLine& line, TrainSettings& settings);

// Adds the options of data, model, training and checkpoints, all but the folder's and the run's.
void add_recipe_options(CommandLine& line, TrainSettings& settings);

// Call it after parsing: copies d_model and seed into settings.training.
void copy_shared_values(TrainSettings& settings);

// Reads the arguments on top of the preset that they name.
TrainSettings parse_train_settings(const Arguments& arguments);

// The arguments from which parse_train_settings makes the same settings, even if the presets change or the
// program runs in another folder: all options, with absolute paths of the text files, but without --resume
// and --overwrite, which concern an earlier run.
Arguments to_arguments(TrainSettings settings);

std::string train_help();

}  // namespace plainformer
