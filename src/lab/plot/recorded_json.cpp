#include "lab/plot/recorded_json.h"

#include <filesystem>

#include "core/input_error.h"
#include "io/atomic_file.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr Index kMostBytes = 1 << 20;

JsonValue read(const std::string& file) {
  if (!std::filesystem::exists(to_path(file)))
    throw input_error(file, "no such file",
                      "run the command in the folder that holds docs/, or name docs/pictures by --data");
  return parse_json(read_file(file, kMostBytes), file);
}

}  // namespace

RecordedJson::RecordedJson(const std::string& file) : file_(file), root_(read(file)) {}

const JsonValue& RecordedJson::member(const JsonValue& object, std::string_view name) const {
  const JsonValue* value = object.find(name);
  require(value != nullptr, "lacks \"" + std::string(name) + "\"");
  return *value;
}

const JsonArray& RecordedJson::array(const JsonValue& value, std::string_view what) const {
  require(value.array() != nullptr, std::string(what) + " is no array");
  return *value.array();
}

std::string RecordedJson::text(const JsonValue& value, std::string_view what) const {
  require(value.string() != nullptr, std::string(what) + " is no text");
  return *value.string();
}

double RecordedJson::number(const JsonValue& value, std::string_view what) const {
  require(value.number().has_value(), std::string(what) + " is no number");
  return *value.number();
}

std::vector<double> RecordedJson::numbers(const JsonValue& value, std::string_view what) const {
  std::vector<double> numbers;
  for (const JsonValue& each : array(value, what)) numbers.push_back(number(each, what));
  return numbers;
}

std::vector<std::string> RecordedJson::texts(const JsonValue& value, std::string_view what) const {
  std::vector<std::string> texts;
  for (const JsonValue& each : array(value, what)) texts.push_back(text(each, what));
  return texts;
}

void RecordedJson::require(bool condition, const std::string& problem) const {
  if (!condition) throw input_error(file_, problem, "take the file of docs/pictures");
}

}  // namespace plainformer
