#include "json_reader.h"

#include <algorithm>
#include <cstdlib>

#include "core/input_error.h"
#include "io/atomic_file.h"
#include "platform/platform.h"

namespace plainformer::course {

namespace {

constexpr Index kMaxJsonBytes = 10'000'000;

std::runtime_error member_error(const std::string& where, const std::string& problem) {
  return input_error(where, problem, "examples/assignments/TEACHING.md describes the members");
}

// The value, if it has the type whose accessor has found it.
template <typename Value>
const Value& typed(const Value* value, const std::string& where, const std::string& type) {
  if (value) return *value;
  throw member_error(where, "it must be " + type);
}

}  // namespace

std::string text_of(const JsonValue& value, const std::string& where) {
  return typed(value.string(), where, "a text");
}

const JsonArray& array_of(const JsonValue& value, const std::string& where) {
  return typed(value.array(), where, "an array");
}

Texts texts_of(const JsonValue& value, const std::string& where) {
  Texts texts;
  for (const JsonValue& text : array_of(value, where)) texts.push_back(text_of(text, where));
  return texts;
}

JsonValue read_json_file(const std::filesystem::path& file) {
  const std::string text = read_file(to_text(file), kMaxJsonBytes);
  try {
    return parse_json(text, to_text(file));
  } catch (const std::runtime_error& error) {
    // "FILE: byte 17: problem (hint: ...)": a line is easier to find than a byte.
    const std::string message = error.what(), before = ": byte ";
    const std::size_t at = message.find(before);
    if (at == std::string::npos) throw;
    const std::size_t byte = std::strtoull(message.c_str() + at + before.size(), nullptr, 10);
    const auto line = 1 + std::count(text.begin(), text.begin() + std::min(byte, text.size()), '\n');
    throw std::runtime_error(to_text(file) + ":" + std::to_string(line) + message.substr(at));
  }
}

JsonReader::JsonReader(const JsonValue& value, std::string where)
    : object_(typed(value.object(), where, "an object")), where_(std::move(where)) {}

const JsonValue& JsonReader::take(const std::string& name) {
  taken_.push_back(name);
  for (const auto& [member, value] : object_)
    if (member == name) return value;
  throw member_error(where_, "the member \"" + name + "\" is missing");
}

std::string JsonReader::text(const std::string& name, const std::optional<std::string>& missing) {
  if (missing && !has(name)) return *missing;
  return text_of(take(name), where_ + ": " + name);
}

double JsonReader::number(const std::string& name, std::optional<double> missing) {
  if (missing && !has(name)) return *missing;
  const std::optional<double> number = take(name).number();
  return typed(number ? &*number : nullptr, where_ + ": " + name, "a number");
}

bool JsonReader::boolean(const std::string& name, bool missing) {
  return has(name) ? typed(take(name).boolean(), where_ + ": " + name, "true or false") : missing;
}

Texts JsonReader::texts(const std::string& name, const std::optional<Texts>& missing) {
  if (missing && !has(name)) return *missing;
  return texts_of(take(name), where_ + ": " + name);
}

const JsonArray& JsonReader::array(const std::string& name) {
  return array_of(take(name), where_ + ": " + name);
}

const JsonObject& JsonReader::object(const std::string& name) {
  return typed(take(name).object(), where_ + ": " + name, "an object");
}

bool JsonReader::has(const std::string& name) const {
  return std::any_of(object_.begin(), object_.end(), [&](const auto& entry) { return entry.first == name; });
}

void JsonReader::expect_no_more() const {
  for (const auto& [name, value] : object_)
    if (std::find(taken_.begin(), taken_.end(), name) == taken_.end())
      throw member_error(where_, "there is no member \"" + name + "\"");
}

}  // namespace plainformer::course
