#include "train/training_log.h"

#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "data/text.h"
#include "io/atomic_file.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

JsonObject with_validation(JsonObject entry, const Validation& validation) {
  entry.emplace_back("valid_loss", validation.loss);
  entry.emplace_back("valid_perplexity", validation.perplexity);
  if (validation.bleu) entry.emplace_back("valid_bleu", *validation.bleu);
  return entry;
}

}  // namespace

TrainingLog::TrainingLog(const std::string& path, Index steps, Index attempts) : path_(path) {
  const auto is_kept = [&](const JsonValue& entry) {
    const JsonValue *step = entry.find("step"), *attempt = entry.find("attempt");
    const JsonValue* number = attempt ? attempt : step;
    if (entry.find("averaged") || !number || number->size().value_or(-1) < 0) return false;
    if (*number->size() > (attempt ? attempts : steps)) return false;
    if (entry.find("valid_loss")) last_validation_ = *number->size();
    return true;
  };
  const bool goes_on = attempts > 0 && std::filesystem::exists(to_path(path));
  write_file_atomically(path, goes_on ? kept_json_lines(path, is_kept) : "");
  stream_.open(to_path(path), std::ios::app | std::ios::binary);
}

void TrainingLog::step(Index step, Index epoch, const StepReport& report, double seconds) {
  write({{"step", step},
         {"epoch", epoch},
         {"loss", report.loss},
         {"log_probability", report.log_probability},
         {"learning_rate", report.learning_rate},
         {"grad_norm", report.grad_norm},
         {"source_tokens", report.source_tokens},
         {"target_tokens", report.target_tokens},
         {"seconds", seconds}});
}

void TrainingLog::validation(Index step, const Validation& validation) {
  if (step == last_validation_) return;  // in an earlier session
  last_validation_ = step;
  write(with_validation({{"step", step}}, validation));
}

void TrainingLog::average(Index step, Index checkpoints, const Validation& validation) {
  write(with_validation({{"step", step}, {"averaged", checkpoints}}, validation));
}

void TrainingLog::skipped(Index step, Index attempt, const std::string& not_finite) {
  write({{"step", step}, {"attempt", attempt}, {"skipped", not_finite}});
}

void TrainingLog::write(const JsonObject& object) {
  stream_ << to_json(object) << "\n" << std::flush;
  if (stream_ || failed_) return;
  failed_ = true;  // training does not stop for a log
  std::cerr << path_ << ": cannot be written; training continues without a log (hint: is the disk full?)\n";
}

std::string kept_json_lines(const std::string& path, const std::function<bool(const JsonValue&)>& is_kept) {
  std::ifstream stream = open_text_file(path);
  std::string kept;
  for (std::string line; std::getline(stream, line);) {
    try {
      if (is_kept(parse_json(line, path))) kept += line + "\n";
    } catch (const std::runtime_error&) {
      break;
    }
  }
  return kept;
}

}  // namespace plainformer
