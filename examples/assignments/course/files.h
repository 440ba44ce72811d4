// The course's files: text, and JSON with errors that name the file and the member.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/json.h"

namespace plainformer::course {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

// Without their line breaks. A last line needs none.
Texts lines_of(const std::string& text);

// The bytes of a file; empty if it cannot be read.
std::string read_text(const fs::path& file);

// Writes a file unless it has this text: what was made of it stays current.
void write_if_changed(const fs::path& path, const std::string& text);

JsonValue read_json_file(const fs::path& file);

// An object's names and values, in their order.
template <typename Value>
using Members = std::vector<std::pair<std::string, Value>>;

// Sets a variable from a value.    std::runtime_error that names `where` if it has another type
void set(std::string& text, const JsonValue& value, const std::string& where);
void set(double& number, const JsonValue& value, const std::string& where);
void set(bool& is_true, const JsonValue& value, const std::string& where);
const JsonArray& array_of(const JsonValue& value, const std::string& where);
const JsonObject& object_of(const JsonValue& value, const std::string& where);

template <typename Element>
void set(std::vector<Element>& list, const JsonValue& value, const std::string& where) {
  list.clear();
  for (const JsonValue& element : array_of(value, where)) set(list.emplace_back(), element, where);
}

template <typename Value>
void set(Members<Value>& members, const JsonValue& value, const std::string& where) {
  members.clear();
  for (const auto& [name, member] : object_of(value, where)) {
    members.emplace_back(name, Value());
    set(members.back().second, member, where + ": " + name);
  }
}

// Reads the members of an object, each once.
class JsonReader {
 public:
  // where: "exercise.json", for errors. The value must outlive the reader.
  JsonReader(const JsonValue& value, const std::string& where)
      : value_(value), object_(object_of(value, where)), where_(where) {}

  // std::runtime_error if the member is missing, or has another type.
  template <typename Variable>
  void read(const std::string& name, Variable& variable) {
    set(variable, take(name), where_ + ": " + name);
  }

  // Leaves the variable as it is if the member is missing.
  template <typename Variable>
  void read_if_there(const std::string& name, Variable& variable) {
    if (value_.find(name)) read(name, variable);
  }

  // std::runtime_error for a member that was not read: it is misspelled.
  void expect_no_more() const;

 private:
  const JsonValue& take(const std::string& name);

  const JsonValue& value_;
  const JsonObject& object_;
  const std::string where_;
  Texts taken_;
};

}  // namespace plainformer::course
