// Paper: 5 Training
//
// The loop: batches, steps, validation, checkpoints, and going on where a run was stopped.
#pragma once

#include <chrono>
#include <exception>
#include <functional>

#include "app/train/training_data.h"
#include "app/train/training_log.h"
#include "report/progress_bar.h"
#include "training/checkpoint.h"

namespace plainformer {

class TrainingRun {
 public:
  // Builds the model, or restores it if the settings say so. The data must outlive the run.
  TrainingRun(const TrainSettings& settings, const ModelFolder& folder, const TrainingData& data);

  void print_summary();  // model, data and machine, to stderr

  // Trains until the steps or the minutes are used up, or a signal comes. In the end model.safetensors holds
  // the weights of the lowest validation loss, or the average of the last checkpoints where that is lower
  // still. Returns the signal, or 0. std::runtime_error if the loss stays NaN or infinite.
  int run();

  // "1500 steps in 1:03, 48.2k tokens/s, peak memory 213 MB": of what run() has done, validations and files
  // included, to stderr; nothing if it made no step.
  void print_totals();

  Transformer& model() { return model_; }

 private:
  TrainingProgress restore();
  bool finished() const;
  double seconds() const;  // since run() began
  void run_epoch();
  void step(const std::vector<TranslationBatch>& batches);
  void note_skipped(const StepReport& report);
  Validation validation() const;  // of the weights as they are
  void validate();                // and keep the weights if they are the best so far
  void keep_weights();            // as model.safetensors
  void set_best_aside();          // a copy of model.safetensors, which the end of the run may replace
  void take_best_back();          // that copy, for a run that goes on
  void save_checkpoint();
  void save_step_checkpoint();      // the weights alone, for the average; and removes the oldest
  bool is_checkpoint_step() const;  // does the step's checkpoint count in the average?
  // A full disk stops no training that can go on, and at its end keeps no other file from being written.
  void write(const std::function<void()>& files);
  void average_checkpoints();

  const TrainSettings& settings_;
  const ModelFolder& folder_;
  const TrainingData& data_;
  Transformer model_;
  Trainer trainer_;
  TrainingProgress progress_;
  TrainingLog log_;
  ProgressBar bar_;
  std::chrono::steady_clock::time_point start_;
  double loss_ = 0, tokens_per_second_ = 0;  // running averages
  Index steps_made_ = 0, tokens_read_ = 0;   // by run(); source and target tokens
  Index last_validation_ = -1, last_checkpoint_ = -1;
  int skipped_in_a_row_ = 0;
  std::exception_ptr not_written_;  // how the last files of a run failed, if they did
};

}  // namespace plainformer
