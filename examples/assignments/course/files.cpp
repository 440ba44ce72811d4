#include "files.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>

#include "core/input_error.h"
#include "core/strings.h"
#include "io/atomic_file.h"
#include "platform/platform.h"

namespace plainformer::course {

namespace {

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

Texts lines_of(const std::string& text) {
  Texts lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  return lines;
}

std::string read_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write_if_changed(const fs::path& path, const std::string& text) {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (fs::exists(path) && read_text(path) == text) return;
  fs::create_directories(path.parent_path());
  write_file_atomically(to_text(path), text);
}

JsonValue read_json_file(const fs::path& file) {
  constexpr Index kMaxJsonBytes = 10'000'000;
  const std::string text = read_file(to_text(file), kMaxJsonBytes);
  try {
    return parse_json(text, to_text(file));
  } catch (const std::runtime_error& error) {
    // "FILE: byte 17: problem (hint: ...)": a line is easier to find than a byte.
    const std::string message = error.what(), before = ": byte ";
    const std::size_t at = message.find(before);
    if (at == std::string::npos) throw;
    const std::size_t byte = std::strtoull(message.c_str() + at + before.size(), nullptr, 10);
    const std::size_t line = split_at('\n', text.substr(0, byte)).size();
    throw std::runtime_error(to_text(file) + ":" + std::to_string(line) + message.substr(at));
  }
}

void set(std::string& text, const JsonValue& value, const std::string& where) {
  text = typed(value.string(), where, "a text");
}

void set(double& number, const JsonValue& value, const std::string& where) {
  const std::optional<double> read = value.number();
  number = typed(read ? &*read : nullptr, where, "a number");
}

void set(bool& is_true, const JsonValue& value, const std::string& where) {
  is_true = typed(value.boolean(), where, "true or false");
}

const JsonArray& array_of(const JsonValue& value, const std::string& where) {
  return typed(value.array(), where, "an array");
}

const JsonObject& object_of(const JsonValue& value, const std::string& where) {
  return typed(value.object(), where, "an object");
}

const JsonValue& JsonReader::take(const std::string& name) {
  taken_.push_back(name);
  if (const JsonValue* const value = value_.find(name)) return *value;
  throw member_error(where_, "the member \"" + name + "\" is missing");
}

void JsonReader::expect_no_more() const {
  for (const auto& [name, value] : object_)
    if (std::find(taken_.begin(), taken_.end(), name) == taken_.end())
      throw member_error(where_, "there is no member \"" + name + "\"");
}

}  // namespace plainformer::course
