#include "wrong_submission.h"

#include "core/input_error.h"
#include "json_reader.h"
#include "text.h"

namespace plainformer::course {

std::vector<WrongSubmission> load_wrong_submissions(const std::filesystem::path& file) {
  const JsonValue json = read_json_file(file);
  if (!json.array())
    throw input_error(text_of(file), "it must be an array of submissions", "begin it with [");
  std::vector<WrongSubmission> submissions;
  for (const JsonValue& value : *json.array()) {
    JsonReader reader(value, text_of(file));
    WrongSubmission submission;
    submission.name = reader.text("name");
    const std::string where = text_of(file) + ": " + submission.name;
    submission.exercise = reader.text("exercise");
    if (reader.has("edits")) submission.edits = edits_of(reader, where);
    if (reader.has("files"))
      for (const auto& [name, text] : reader.object("files")) submission.files[name] = text_of(text, where);
    submission.points = reader.number("points");
    submission.says = reader.text("says");
    reader.expect_no_more();
    submissions.push_back(std::move(submission));
  }
  return submissions;
}

}  // namespace plainformer::course
