// log.jsonl: one JSON object per line.
//
//   {"step", "epoch", "loss", "log_probability", "learning_rate", "grad_norm", "source_tokens",
//   "target_tokens", "seconds"}
//     after each step: loss and log_probability in nats per target token, with and without label smoothing;
//     seconds since the training began, or was resumed
//   {"step", "valid_loss", "valid_perplexity", "valid_bleu"}
//     after each validation: loss as above; perplexity per word piece, without smoothing; with --valid-bleu,
//     BLEU (0 to 100; greedy, mixed case; 13a, or of characters where words are written without blanks)
//   {"step", "averaged", "valid_loss", "valid_perplexity", "valid_bleu"}
//     at the end: the same for the average of the last checkpoints, and their number
//   {"step", "attempt", "skipped"}
//     after a step that was skipped because a number was not finite: the number of steps made; the number of
//     steps begun, including this one; and "the loss", "the gradient" or "the learning rate", the number
//     that was not finite
#pragma once

#include <fstream>
#include <functional>
#include <string>

#include "io/json.h"
#include "train/validation.h"
#include "training/training_loop.h"

namespace plainformer {

class TrainingLog {
 public:
  // Appends to the file. A resumed run, which has made `steps` and begun `attempts` steps, keeps the lines up
  // to these counts, except those about the average at an earlier end.
  TrainingLog(const std::string& path, Index steps, Index attempts);

  void step(Index step, Index epoch, const StepReport& report, double seconds);
  void validation(Index step, const Validation& validation);
  void average(Index step, Index checkpoints, const Validation& validation);
  void skipped(Index step, Index attempt, const std::string& not_finite);

 private:
  void write(const JsonObject& object);
  Index last_validation_ = -1;  // its step
  std::ofstream stream_;
  std::string path_;
  bool failed_ = false;
};

// The lines of a file whose JSON value is to be kept, each with its line break. Ends before the first line
// that is not JSON: a killed program may leave a part of a line. std::runtime_error if the file cannot be
// read.
std::string kept_json_lines(const std::string& path, const std::function<bool(const JsonValue&)>& is_kept);

}  // namespace plainformer
