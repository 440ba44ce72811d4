#include "json_reader.h"

#include <algorithm>
#include <cstdlib>

#include "core/input_error.h"
#include "io/atomic_file.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr Index kMaxJsonBytes = 10'000'000;

std::runtime_error wrong_type(const std::string& where, const std::string& type) {
  return input_error(where, "it must be " + type, "examples/assignments/TEACHING.md describes the members");
}

const JsonObject& object_of(const JsonValue& value, const std::string& where) {
  const JsonObject* const object = value.object();
  if (!object) throw wrong_type(where, "an object");
  return *object;
}

}  // namespace

std::string text_of(const JsonValue& value, const std::string& where) {
  if (const std::string* const text = value.string()) return *text;
  throw wrong_type(where, "a text");
}

JsonValue read_json_file(const std::filesystem::path& file) {
  const std::string text = read_file(text_of(file), kMaxJsonBytes);
  try {
    return parse_json(text, text_of(file));
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    const std::size_t at = message.find(": byte ");
    if (at == std::string::npos) throw;
    const auto byte = static_cast<std::size_t>(std::strtoull(message.c_str() + at + 7, nullptr, 10));
    const auto line = 1 + std::count(text.begin(), text.begin() + std::min(byte, text.size()), '\n');
    const std::string problem = message.substr(message.find(": ", at + 1) + 2);
    throw input_error(text_of(file) + ":" + std::to_string(line), problem.substr(0, problem.find(" (hint:")),
                      "correct the JSON near this line");
  }
}

JsonReader::JsonReader(const JsonValue& value, std::string where)
    : object_(object_of(value, where)), where_(std::move(where)) {}

const JsonValue* JsonReader::take(const std::string& name) {
  taken_.push_back(name);
  const auto member =
      std::find_if(object_.begin(), object_.end(), [&](const auto& entry) { return entry.first == name; });
  return member == object_.end() ? nullptr : &member->second;
}

const JsonValue& JsonReader::require(const std::string& name) {
  if (const JsonValue* const value = take(name)) return *value;
  throw input_error(where_, "the member \"" + name + "\" is missing",
                    "examples/assignments/TEACHING.md describes the members");
}

std::string JsonReader::text(const std::string& name) {
  return text_of(require(name), where_ + ": " + name);
}

double JsonReader::number(const std::string& name) {
  if (const auto number = require(name).number()) return *number;
  throw wrong_type(where_ + ": " + name, "a number");
}

const JsonArray& JsonReader::array(const std::string& name) {
  if (const JsonArray* const array = require(name).array()) return *array;
  throw wrong_type(where_ + ": " + name, "an array");
}

const JsonObject& JsonReader::object(const std::string& name) {
  return object_of(require(name), where_ + ": " + name);
}

std::vector<std::string> JsonReader::texts(const std::string& name) {
  std::vector<std::string> texts;
  for (const JsonValue& value : array(name)) texts.push_back(text_of(value, where_ + ": " + name));
  return texts;
}

std::string JsonReader::text(const std::string& name, const std::string& missing) {
  return has(name) ? text(name) : missing;
}

double JsonReader::number(const std::string& name, double missing) {
  return has(name) ? number(name) : missing;
}

bool JsonReader::boolean(const std::string& name, bool missing) {
  if (!has(name)) return missing;
  if (const bool* const value = require(name).boolean()) return *value;
  throw wrong_type(where_ + ": " + name, "true or false");
}

std::vector<std::string> JsonReader::texts(const std::string& name, const std::vector<std::string>& missing) {
  return has(name) ? texts(name) : missing;
}

bool JsonReader::has(const std::string& name) const {
  return std::any_of(object_.begin(), object_.end(), [&](const auto& entry) { return entry.first == name; });
}

void JsonReader::expect_no_more() const {
  for (const auto& [name, value] : object_)
    if (std::find(taken_.begin(), taken_.end(), name) == taken_.end())
      throw input_error(where_, "there is no member \"" + name + "\"",
                        "examples/assignments/TEACHING.md describes the members");
}

}  // namespace plainformer::course
