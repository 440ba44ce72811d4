// log.jsonl: one JSON object a line.
//
//   {"step", "epoch", "loss", "log_probability", "learning_rate", "grad_norm", "source_tokens",
//   "target_tokens", "seconds"}
//     after each step: loss and log_probability in nats per target token, with and without label smoothing
//   {"step", "valid_loss", "valid_perplexity", "valid_bleu"}
//     after each validation: loss as above, perplexity per word piece without smoothing, and with
//     --valid-bleu BLEU (0 to 100; greedy, 13a, mixed case)
//   {"step", "averaged", "valid_loss", "valid_perplexity", "valid_bleu"}
//     at the end: the same of the average of so many checkpoints
//   {"step", "attempt", "skipped"}
//     where loss or gradient was not finite: the steps made, and those begun with this one, and what was the
//     first, "the output of encoder.0.feed_forward"
#pragma once

#include <fstream>
#include <string>

#include "app/train/validation.h"
#include "io/json.h"

namespace plainformer {

class TrainingLog {
 public:
  // Appends to the file, keeping of it what a run that is resumed has behind it: lines up to the steps made
  // and begun, but not what the average at an earlier end was worth.
  TrainingLog(const std::string& path, Index steps, Index attempts);

  void step(Index step, Index epoch, const StepReport& report, double seconds);
  void validation(Index step, const Validation& validation);
  void average(Index step, Index checkpoints, const Validation& validation);
  void skipped(Index step, Index attempt, const std::string& tensor);

 private:
  void write(const JsonObject& object);
  std::ofstream stream_;
  std::string path_;
  bool failed_ = false;
};

}  // namespace plainformer
