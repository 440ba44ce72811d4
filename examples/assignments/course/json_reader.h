// Reads the members of a JSON object, each once, with errors that name the file and the member.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/json.h"

namespace plainformer::course {

using Texts = std::vector<std::string>;

class JsonReader {
 public:
  // where: "exercise.json", for errors. The value must outlive the reader.    std::runtime_error unless it is
  // an object
  JsonReader(const JsonValue& value, std::string where);

  // std::runtime_error if the member has another type, or if it is missing and there is no value for that.
  std::string text(const std::string& name, const std::optional<std::string>& missing = {});
  double number(const std::string& name, std::optional<double> missing = {});
  bool boolean(const std::string& name, bool missing);
  Texts texts(const std::string& name, const std::optional<Texts>& missing = {});
  const JsonArray& array(const std::string& name);
  const JsonObject& object(const std::string& name);

  bool has(const std::string& name) const;

  // std::runtime_error for a member that was not read: it is misspelled.
  void expect_no_more() const;

 private:
  const JsonValue& take(const std::string& name);

  const JsonObject& object_;
  std::string where_;
  Texts taken_;
};

// The value as a text, an array, or an array of texts.    std::runtime_error if it is another type
std::string text_of(const JsonValue& value, const std::string& where);
const JsonArray& array_of(const JsonValue& value, const std::string& where);
Texts texts_of(const JsonValue& value, const std::string& where);

JsonValue read_json_file(const std::filesystem::path& file);

}  // namespace plainformer::course
