#include "show/curve/training_history.h"

#include <limits>

#include "core/input_error.h"
#include "data/text.h"
#include "io/json.h"

namespace plainformer {

namespace {

constexpr std::uintmax_t kMaxLogBytes = 1 << 30;  // millions of steps
constexpr Index kMaxValuesInALine = 1000;
constexpr const char* kHint = "this must be the log.jsonl of a training run";

double number_in(const JsonValue& entry, const char* name, const std::string& where) {
  const JsonValue* value = entry.find(name);
  if (!value || value->is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value->number()) throw input_error(where, std::string("\"") + name + "\" is not a number", kHint);
  return *value->number();
}

Index step_in(const JsonValue& entry, Index last_step, const std::string& where) {
  const JsonValue* step = entry.find("step");
  if (!step || !step->size()) throw input_error(where, "has no \"step\", or none that is a number", kHint);
  if (*step->size() < last_step) {
    throw input_error(
        where, "step " + std::to_string(*step->size()) + " comes after step " + std::to_string(last_step),
        "a log holds one run; give each its own --log");
  }
  return *step->size();
}

}  // namespace

TrainingHistory read_training_history(const std::string& path) {
  std::ifstream file = open_text_file(path, kMaxLogBytes);
  LineReader reader(file, path);
  TrainingHistory history;
  Index step = 0;
  for (std::string line; reader.next(line) && !file.eof();) {
    const std::string where = reader.where();
    const JsonValue entry = parse_json(line, where, kMaxValuesInALine);
    step = step_in(entry, step, where);
    if (entry.find("averaged")) continue;
    if (entry.find("valid_loss")) {
      history.validations.push_back(
          {step, number_in(entry, "valid_loss", where), number_in(entry, "valid_bleu", where)});
    } else if (entry.find("loss")) {
      history.steps.push_back(
          {step, number_in(entry, "loss", where), number_in(entry, "learning_rate", where)});
    }
  }
  if (history.steps.empty() && history.validations.empty())
    throw input_error(path, "holds no step yet", "wait for the first, or name another run");
  return history;
}

}  // namespace plainformer
