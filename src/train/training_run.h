// Paper: 5 Training
//
// A training run from its settings to its model folder: train_model() checks, reads the text and makes the
// model; TrainingRun is the loop of training/training_loop.h, with hooks for the log, the progress bar,
// validation, checkpoints and signals.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include "data/toy/toy_grammar.h"
#include "report/progress_bar.h"
#include "train/attention_frames.h"
#include "train/checkpoints.h"
#include "train/corpora.h"
#include "train/training_log.h"
#include "training/training_loop.h"

namespace plainformer {

struct FinishedRun {
  int signal = 0;   // that stopped the training; 0 if it came to its end
  Index steps = 0;  // made so far, in this run and in those that it resumed
  bool out_of_patience = false;
  std::vector<ToyPair> test = {};  // held-out pairs of the built-in grammar; empty for other text
};

// Checks the settings, reads the text, and trains into the folder settings.out, or goes on with the run
// there. Reports on stderr.
FinishedRun train_model(const Settings& settings);

class TrainingRun {
 public:
  // Opens the log and the frames. Keeps references to all but the folder.
  TrainingRun(const Settings& settings, const ModelFolder& folder, const Corpora& text,
              const EncodedCorpora& corpora, State& state);

  // Trains until the steps, the minutes or the patience are used up, or a signal comes. At the end
  // model.safetensors holds the weights of the best validation (settings.best_by), or the average of the last
  // checkpoints if that is better still. std::runtime_error if ten steps in a row are not finite, or a file
  // cannot be written.
  FinishedRun run();

 private:
  void begin();
  void make_steps();  // the loop, on the model that the settings ask for
  int finish();       // returns the signal, or 0
  TrainingHooks hooks();

  Index steps() const { return state_.adam.steps(); }
  bool has_made_all_steps() const { return steps() >= settings_.training.steps; }
  bool should_stop() const;         // the minutes or the patience are used up, or a signal came
  bool is_out_of_patience() const;  // settings.patience validations in a row have not been the best
  void report_step(const StepReport& report);
  void show_sentence();  // what the model makes of the first held-out sentence
  void validate();       // and keep the weights if they are the best so far
  void save_checkpoint();
  void average_checkpoints();
  void print_totals() const;

  double deciding_loss(const Validation& now) const;
  bool is_best(const Validation& now) const;  // or the first
  Validation measure() const { return measure_validation(state_.model, corpora_, settings_); }
  // Runs `files`, which writes files. If that fails, training continues and the earlier files stay. After the
  // last step, the remaining files are still written, and then the run fails.
  void write(const std::function<void()>& files);
  double seconds() const { return steady_seconds() - start_; }  // since the run began

  const Settings& settings_;
  const ModelFolder folder_;
  const EncodedCorpora& corpora_;
  State& state_;
  Checkpoints files_;
  TrainingLog log_;
  AttentionFrames frames_;
  std::optional<ProgressBar> bar_;  // from run() on
  const double start_ = steady_seconds();
  double mean_loss_ = 0, mean_tokens_per_second_ = 0;  // running averages, for the progress bar
  Index steps_made_ = 0, tokens_read_ = 0;             // by run(); source and target tokens
  Index last_validation_ = -1, last_checkpoint_ = -1;  // the steps of the latest ones
  double last_sentence_ = 0;                           // seconds() when a translation was last shown
  std::exception_ptr write_error_;  // from a file that could not be written after the last step
};

}  // namespace plainformer
