// Paper: 5 Training
//
// A training run: the loop of training/training_loop.h, with hooks for the log, the progress bar, validation,
// checkpoints and signals.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

#include "data/epoch_batches.h"
#include "report/progress_bar.h"
#include "train/attention_frames.h"
#include "train/corpora.h"
#include "train/replacement.h"
#include "train/training_files.h"
#include "train/training_log.h"
#include "training/training_loop.h"

namespace plainformer {

class TrainingRun {
 public:
  // Builds the model, or restores it if the settings say so. Keeps references to all but the folder.
  TrainingRun(const TrainSettings& settings, const ModelFolder& folder, const Corpora& text,
              const EncodedCorpora& corpora);

  // Replaces the weights of a new run by those of another model with the same configuration, and measures and prints
  // what they are worth on the validation text before the first step.
  void start_with(std::unique_ptr<Transformer> trained);

  // Makes room for the run's files after its first checkpoint, which lies beside the model that the run replaces. Keeps a
  // reference.
  void replace_with_first_checkpoint(const Replacement& replacement) { replacement_ = &replacement; }

  // Prints model, data and machine to stderr, and a description of the memory that the run needs.
  void print_summary(const std::string& memory);

  // Trains until the steps, the minutes or the patience are used up, or a signal comes. At the end
  // model.safetensors holds the weights of the best validation (settings.best_by), or the average of the last
  // checkpoints if that is better still. A signal before the first checkpoint of a run that replaces a model leaves the
  // model in its place, and what the run has learned beside it. Returns the signal, or 0. std::runtime_error if ten steps in a row are not finite, or a file
  // cannot be written.
  int run();

  // "1500 steps in 1:03, 48.2k tokens/s, peak memory 213 MB": the totals of run(), with its validations and
  // files, to stderr. Prints nothing if it made no step.
  void print_totals();

  Transformer& model() { return model_; }

  // How run() ended.
  bool has_made_all_steps() const;
  bool is_out_of_patience() const;  // settings.patience validations in a row have not been the best
  bool has_made_a_step() const { return adam_.steps() > 0; }
  const ModelFolder& folder() const { return files_.folder(); }  // where its files are

 private:
  TrainingHooks hooks();

  bool should_stop() const;  // the minutes or the patience are used up, or a signal came
  bool is_out_of_time() const;
  void report_step(const StepReport& report);
  void report_estimate();  // of the time: as soon as there are steps enough to judge, and if it proves wrong
  void report_skipped_step(const StepReport& report);
  void validate();    // and keep the weights if they are the best so far
  void take_place();  // of the old model, if there is one
  void stop_beside();
  void save_checkpoint();
  void average_checkpoints();

  bool is_best(const Validation& now) const;  // or the first
  Validation measure() const { return measure_validation(model_, corpora_, settings_); }
  // Runs `files`, which writes files. If that fails, training continues and the earlier files stay. After the
  // last step, the remaining files are still written, and then the run fails.
  void write(const std::function<void()>& files);
  double seconds() const;  // since run() began

  const TrainSettings& settings_;
  const EncodedCorpora& corpora_;
  TrainingFiles files_;
  Transformer model_;
  Adam adam_;
  BegunEpoch begun_;  // with another --batch-tokens; restore() sets it
  TrainingProgress progress_;
  TrainingLog log_;
  AttentionFrames frames_;
  ProgressBar bar_;
  BatchSource batches_;
  std::chrono::steady_clock::time_point start_;
  double mean_loss_ = 0, mean_tokens_per_second_ = 0;  // running averages, for the progress bar
  Index steps_made_ = 0, tokens_read_ = 0;             // by run(); source and target tokens
  Index last_validation_ = -1, last_checkpoint_ = -1;  // the steps of the latest ones
  int skipped_in_a_row_ = 0;
  double validating_ = 0, last_validation_seconds_ = 0;  // in the validations of run(), and in the latest one
  Index validations_ = 0;                                // of run()
  std::vector<std::string> watched_translations_;        // at the latest validation
  double estimated_seconds_ = 0;                         // that the run will take, as last told; 0: not yet
  std::optional<Validation> before_first_step_;          // of the model that the run goes on from
  const Replacement* replacement_ = nullptr;             // until it has taken place
  std::exception_ptr write_error_;  // from a file that could not be written after the last step
};

}  // namespace plainformer
