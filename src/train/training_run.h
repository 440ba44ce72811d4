// Paper: 5 Training
//
// A training run: the loop of training/training_loop.h, with hooks for the log, the progress bar, validation,
// checkpoints and signals.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/progress_bar.h"
#include "train/attention_frames.h"
#include "train/checkpoints.h"
#include "train/corpora.h"
#include "train/training_log.h"
#include "training/training_loop.h"

namespace plainformer {

class TrainingRun {
 public:
  // Opens the log and the frames. Keeps references to all but the folder.
  TrainingRun(const Settings& settings, const ModelFolder& folder, const Corpora& text,
              const EncodedCorpora& corpora, State& state);

  // Prints model, data and machine to stderr, and a description of the memory that the run needs.
  void print_summary(const std::string& memory);

  // Measures and prints what a model to go on from is worth on the validation text, before the first step.
  void measure_starting_model();

  // Trains until the steps, the minutes or the patience are used up, or a signal comes. At the end
  // model.safetensors holds the weights of the best validation (settings.best_by), or the average of the last
  // checkpoints if that is better still. The first checkpoint removes the old model that the run replaces;
  // the one after a signal does not. Returns the signal, or 0. std::runtime_error if ten steps in a row are
  // not finite, or a file cannot be written.
  int run();

  // "1500 steps in 1:03, 48.2k tokens/s, peak memory 213 MB": the totals of run(), with its validations and
  // files, to stderr. Prints nothing if it made no step.
  void print_totals() const;

  // How run() ended.
  bool has_made_all_steps() const;
  bool is_out_of_patience() const;  // settings.patience validations in a row have not been the best

 private:
  void begin();
  void train_model();  // the loop, on the model that the settings ask for
  int finish();
  TrainingHooks hooks();

  bool should_stop() const;  // the minutes or the patience are used up, or a signal came
  void report_step(const StepReport& report);
  void report_estimate();  // of the time: as soon as there are steps enough to judge, and if it proves wrong
  void validate();         // and keep the weights if they are the best so far
  void save_checkpoint();
  void average_checkpoints();

  Index steps() const { return state_.adam.steps(); }
  bool is_best(const Validation& now) const;  // or the first
  Validation measure() const { return measure_validation(state_.model, corpora_, settings_); }
  // Runs `files`, which writes files. If that fails, training continues and the earlier files stay. After the
  // last step, the remaining files are still written, and then the run fails.
  void write(const std::function<void()>& files);
  double seconds() const;  // since run() began

  const Settings& settings_;
  const ModelFolder folder_;
  const EncodedCorpora& corpora_;
  State& state_;
  Checkpoints files_;
  TrainingLog log_;
  AttentionFrames frames_;
  ProgressBar bar_;
  std::chrono::steady_clock::time_point start_;
  double mean_loss_ = 0, mean_tokens_per_second_ = 0;  // running averages, for the progress bar
  Index steps_made_ = 0, tokens_read_ = 0;             // by run(); source and target tokens
  Index last_validation_ = -1, last_checkpoint_ = -1;  // the steps of the latest ones
  Index validations_ = 0;                              // in the loop of run()
  double validating_ = 0;                              // seconds of these
  std::vector<std::string> watched_translations_;      // at the latest validation
  double estimated_seconds_ = 0;                       // that the run will take, as last told; 0: not yet
  std::optional<Validation> before_first_step_;        // of the model that the run goes on from
  std::exception_ptr write_error_;  // from a file that could not be written after the last step
};

}  // namespace plainformer
