// Reads recorded results from JSON. Each error names the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"

namespace plainformer {

class RecordedJson {
 public:
  // Reads the file. std::runtime_error if there is none, or if it is not JSON.
  explicit RecordedJson(const std::string& file);

  const JsonValue& root() const { return root_; }

  // The value of a type. std::runtime_error, which names `what`, if it has another type.
  const JsonValue& member(const JsonValue& object, std::string_view name) const;
  const JsonArray& array(const JsonValue& value, std::string_view what) const;
  std::string text(const JsonValue& value, std::string_view what) const;
  double number(const JsonValue& value, std::string_view what) const;
  std::vector<double> numbers(const JsonValue& value, std::string_view what) const;
  std::vector<std::string> texts(const JsonValue& value, std::string_view what) const;

  // Throws unless the condition holds.
  void require(bool condition, const std::string& problem) const;

 private:
  std::string file_;
  JsonValue root_;
};

}  // namespace plainformer
