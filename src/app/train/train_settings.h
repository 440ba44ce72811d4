// Everything that `plainformer train` can be told, and the presets.
#pragma once

#include <string>

#include "app/command_line.h"
#include "transformer/config.h"
#include "training/trainer.h"

namespace plainformer {

inline constexpr Index kToyHeldOut = 500;

struct TrainSettings {
  std::string preset = "tiny";
  std::string source, target;              // text files; both empty: the built-in grammar
  std::string valid_source, valid_target;  // held-out text files, or none
  std::string out;                         // the model folder
  bool resume = false, overwrite = false;

  Index merges = 8000;  // of byte pair encoding, joint for both languages
  ModelConfig model;    // vocab follows from the data
  TrainingOptions training;

  Index batch_tokens = 4096;  // source tokens, and as many target tokens, in a batch
  Index accumulate = 1;       // batches in one step
  Index max_tokens = 256;     // longer sentences (in tokens) are left out of training
  Index steps = 100000;
  double minutes = 0;             // stop after this time; 0: never
  Index validate_every = 1000;    // steps; 0: only at the end
  Index valid_bleu = 0;           // validation pairs translated at each validation, at most
  Index checkpoint_every = 1000;  // steps
  Index keep = 5;                 // checkpoints kept, and averaged at the end
  Index seed = 1;
  Index threads = 0;  // 0: as many as the process may use

  // The built-in grammar.
  Index toy_pairs = 0;  // for training; besides, kToyHeldOut for validation and as many to test

  bool uses_toy_grammar() const { return source.empty() && target.empty(); }

  // input_error that names the option and what would fit; UsageError if something required is missing.
  void validate() const;
};

// The preset's sizes and recipe. UsageError for an unknown name.
TrainSettings preset_settings(const std::string& name);

// Reads the arguments on top of the preset that they name.
TrainSettings parse_train_settings(const Arguments& arguments);

// What parse_train_settings needs to come to the same settings, whatever becomes of the presets and wherever
// the program is called: all options, texts by their absolute paths. Without --resume and --overwrite, which
// say what becomes of an earlier run.
Arguments to_arguments(TrainSettings settings);

std::string train_help();

}  // namespace plainformer
