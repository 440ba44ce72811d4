// Reads the members of a JSON object, each once, with errors that name the file and the member.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/json.h"

namespace plainformer::course {

class JsonReader {
 public:
  // where: "exercise.json", for errors. The value must outlive the reader.    std::runtime_error unless it is
  // an object
  JsonReader(const JsonValue& value, std::string where);

  // std::runtime_error if the member has another type, or if it is missing.
  std::string text(const std::string& name);
  double number(const std::string& name);
  const JsonArray& array(const std::string& name);
  const JsonObject& object(const std::string& name);
  std::vector<std::string> texts(const std::string& name);

  // The same with a value for a missing member.
  std::string text(const std::string& name, const std::string& missing);
  double number(const std::string& name, double missing);
  bool boolean(const std::string& name, bool missing);
  std::vector<std::string> texts(const std::string& name, const std::vector<std::string>& missing);

  bool has(const std::string& name) const;

  // std::runtime_error for a member that was not read: it is misspelled.
  void expect_no_more() const;

 private:
  const JsonValue* take(const std::string& name);
  const JsonValue& require(const std::string& name);

  const JsonObject& object_;
  std::string where_;
  std::vector<std::string> taken_;
};

// The text of a JSON value.    std::runtime_error if it is another type
std::string text_of(const JsonValue& value, const std::string& where);

JsonValue read_json_file(const std::filesystem::path& file);

}  // namespace plainformer::course
