#include "exercise.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "core/input_error.h"
#include "json_reader.h"
#include "text.h"

namespace plainformer::course {

namespace {

std::vector<Source> sources_of(JsonReader& exercise, const std::string& where) {
  std::vector<Source> sources;
  for (const JsonValue& value : exercise.array("sources")) {
    JsonReader reader(value, where + ": sources");
    Source source;
    source.file = reader.text("file");
    for (const auto& [name, zeros] : reader.object("cut"))
      source.cut.push_back({name, text_of(zeros, where + ": " + name)});
    source.drop = reader.texts("drop", {});
    source.drop_unnamed = reader.boolean("drop_unnamed", false);
    reader.expect_no_more();
    sources.push_back(std::move(source));
  }
  return sources;
}

// "softmax_forward": 3, or {"points": 10, "share": 0.95}
std::vector<Row> rows_of(JsonReader& exercise, const std::string& where) {
  std::vector<Row> rows;
  for (const auto& [name, value] : exercise.object("results")) {
    Row row = {.name = name};
    if (value.object()) {
      JsonReader reader(value, where + ": " + name);
      row.points = reader.number("points");
      row.share = reader.number("share", 1);
      reader.expect_no_more();
    } else {
      row.points = value.number().value_or(0);
    }
    if (!(row.points > 0)) throw input_error(where, "the points of " + name, "give a number above 0");
    rows.push_back(row);
  }
  if (rows.empty()) throw input_error(where, "it gives no points", "list \"results\" of the driver");
  return rows;
}

// A member like "edits": {"FILE in src/": [["before", "after"], ...], ...}.
std::vector<Edit> edits_of(JsonReader& reader, const std::string& where, const std::string& member) {
  std::vector<Edit> all;
  for (const auto& [file, edits] : reader.object(member)) {
    if (!edits.array())
      throw input_error(where, "the " + member + " of " + file, "write [[\"before\", \"after\"], ...]");
    for (const JsonValue& edit : *edits.array()) {
      if (!edit.array() || edit.array()->size() != 2)
        throw input_error(where, "an edit of " + file, "write [\"the text before\", \"the text after\"]");
      all.push_back({file, text_of((*edit.array())[0], where), text_of((*edit.array())[1], where)});
    }
  }
  return all;
}

// The first lines of a file, which are a comment: "The shared sum is divided by the number of entries".
std::string first_comment(const std::string& text) {
  std::string comment;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("// ")) break;
    comment += (comment.empty() ? "" : " ") + line.substr(3);
  }
  while (comment.ends_with('.')) comment.pop_back();
  return comment;
}

// Those of bugs.json, then those of mistakes/03-attention.
std::vector<Bug> bugs_of(const Exercise& exercise) {
  std::vector<Bug> bugs;
  if (fs::exists(exercise.folder / "bugs.json")) bugs = load_bugs(exercise.folder / "bugs.json");
  const fs::path mistakes = exercise.folder.parent_path().parent_path() / "mistakes" / exercise.folder_name();
  for (const fs::path& file : sources_in(mistakes))
    bugs.push_back({.name = text_of(file.stem()),
                    .file = file,
                    .numbers_of = "\"" + first_comment(read_text(file)) + "\"",
                    .read = exercise.chapter});
  return bugs;
}

// Reads exercise.json of a folder. A variant takes what it does not say from its exercise.
Exercise load_exercise(const fs::path& folder, Exercise exercise) {
  const std::string where = text_of(folder / "exercise.json");
  const JsonValue json = read_json_file(where);
  JsonReader reader(json, where);
  exercise.folder = folder;
  exercise.title = reader.text("title");
  exercise.task = reader.text("task");
  exercise.variant = reader.text("variant", "");
  exercise.paper = reader.text("paper", exercise.paper);
  exercise.chapter = reader.text("chapter", exercise.chapter);
  exercise.hours = reader.number("hours", exercise.hours);
  exercise.rows = rows_of(reader, where);
  if (reader.has("sources")) exercise.sources = sources_of(reader, where);
  exercise.forbid = reader.texts("forbid", exercise.forbid);
  exercise.plain = reader.text("plain", exercise.plain);
  exercise.sanitizers = reader.text("sanitizers", exercise.sanitizers);
  exercise.in_float = reader.boolean("in_float", exercise.in_float);
  exercise.tolerance = reader.number("tolerance", exercise.tolerance);
  exercise.seconds = reader.number("seconds", exercise.seconds);
  exercise.elective = reader.boolean("elective", exercise.elective);
  exercise.tests = reader.text("tests", "");
  exercise.tests_of = reader.text("tests_of", "");
  exercise.proof = reader.texts("proof", {});
  if (reader.has("hide")) exercise.hide = edits_of(reader, where, "hide");
  exercise.bugs = exercise.variant.empty() ? bugs_of(exercise) : std::vector<Bug>();
  if (reader.has("show"))
    for (const JsonValue& command : reader.array("show")) {
      exercise.show.emplace_back();
      for (const JsonValue& word : *command.array()) exercise.show.back().push_back(text_of(word, where));
    }
  if (reader.has("files_of")) exercise.tests_of = reader.text("files_of");
  reader.expect_no_more();
  return exercise;
}

// "03-attention" -> "03" and "attention".
Exercise named_by(const fs::path& folder) {
  const std::string name = text_of(folder.filename());
  const std::size_t dash = std::min(name.find('-'), name.size());
  if (dash == 0 || dash == name.size() || name.find_first_not_of("0123456789") != dash)
    throw input_error(name, "this is not the name of an exercise", "name it like 03-attention");
  Exercise exercise;
  exercise.number = name.substr(0, dash);
  exercise.name = name.substr(dash + 1);
  return exercise;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

void check_names_of_bugs(const std::vector<Exercise>& exercises) {
  std::set<std::string> names;
  for (const Exercise& exercise : exercises)
    for (const Bug& bug : exercise.bugs)
      if (bug.file.empty() && !names.insert(bug.name).second)
        throw input_error(text_of(exercise.folder / "bugs.json"), "a second bug \"" + bug.name + "\"",
                          "give each bug a name of its own");
}

}  // namespace

std::string Source::file_name() const {
  return text_of(fs::path(file).filename());
}

std::vector<std::string> cut_by_others(const std::vector<Source>& sources, const Source& source) {
  std::vector<std::string> names;
  for (const Source& other : sources)
    for (const CutFunction& function : other.cut)
      if (other.file == source.file && other.folder != source.folder) names.push_back(function.name);
  return names;
}

std::string Exercise::label() const {
  return number + " " + name + (variant.empty() ? "" : " (" + variant + ")");
}

std::string Exercise::folder_name() const {
  return number + "-" + name + (variant.empty() ? "" : "-" + variant);
}

double Exercise::points() const {
  double sum = 0;
  for (const Row& row : rows) sum += row.points;
  return sum;
}

std::vector<Bug> load_bugs(const fs::path& file) {
  const JsonValue json = read_json_file(file);
  if (!json.array()) throw input_error(text_of(file), "it must be an array of bugs", "begin it with [");
  std::vector<Bug> bugs;
  for (const JsonValue& value : *json.array()) {
    JsonReader reader(value, text_of(file));
    Bug bug;
    bug.name = reader.text("name");
    bug.edits = edits_of(reader, text_of(file) + ": " + bug.name, "edits");
    bug.numbers_of = reader.text("numbers_of");
    bug.read = reader.text("read");
    bug.plain = reader.text("plain", "");
    reader.expect_no_more();
    bugs.push_back(std::move(bug));
  }
  return bugs;
}

std::vector<Exercise> load_exercises(const fs::path& folder) {
  std::vector<Exercise> exercises;
  for (const fs::path& path : folders_in(folder)) {
    exercises.push_back(load_exercise(path, named_by(path)));
    if (fs::exists(path / "variant")) exercises.push_back(load_exercise(path / "variant", exercises.back()));
  }
  check_names_of_bugs(exercises);
  return exercises;
}

std::vector<Exercise> load_milestones(const fs::path& folder, const std::vector<Exercise>& exercises) {
  std::vector<Exercise> milestones;
  for (const fs::path& path : folders_in(folder)) {
    Exercise milestone = load_exercise(path, named_by(path));
    const std::string last = std::exchange(milestone.tests_of, "");
    for (const Exercise& exercise : exercises) {
      if (exercise.elective || exercise.asks_for_tests() || !exercise.variant.empty()) continue;
      for (Source source : exercise.sources) {
        source.folder = exercise.folder_name();
        if (!source.is_header()) milestone.sources.push_back(source);
      }
      milestone.forbid.insert(milestone.forbid.end(), exercise.forbid.begin(), exercise.forbid.end());
      if (exercise.name == last) break;
    }
    milestones.push_back(std::move(milestone));
  }
  return milestones;
}

std::vector<Exercise> with_variants(const std::vector<Exercise>& exercises, const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw input_error(text_of(folder), "it is not a folder",
                      "give a folder that holds folders like 03-attention");
  std::vector<Exercise> all;
  for (const Exercise& exercise : exercises) {
    if (!exercise.variant.empty()) continue;
    all.push_back(exercise);
    const fs::path own = folder / exercise.folder_name();
    if (fs::exists(own)) all.push_back(load_exercise(own, exercise));
  }
  for (const fs::path& path : folders_in(folder))
    if (std::none_of(exercises.begin(), exercises.end(), [&](const Exercise& exercise) {
          return exercise.variant.empty() && path.filename() == exercise.folder_name();
        }))
      throw input_error(text_of(path), "no exercise has this name",
                        "name it like 03-attention, and put an exercise.json into it");
  return all;
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (entry.path().extension() == ".cpp") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

const Exercise& find_exercise(const std::vector<Exercise>& exercises, const std::string& text, bool variant) {
  const auto is_meant = [&](const Exercise& exercise) {
    return exercise.variant.empty() != variant &&
           (text == exercise.number || "0" + text == exercise.number || text == exercise.name ||
            text == exercise.number + "-" + exercise.name);
  };
  const auto found = std::find_if(exercises.begin(), exercises.end(), is_meant);
  if (found != exercises.end()) return *found;
  throw input_error("exercise " + text, variant ? "it has no variant" : "there is no such exercise",
                    "`course list` lists them");
}

std::vector<WrongSubmission> load_wrong_submissions(const fs::path& file) {
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
    if (reader.has("edits")) submission.edits = edits_of(reader, where, "edits");
    if (reader.has("files"))
      for (const auto& [name, text] : reader.object("files"))
        submission.files.emplace_back(name, text_of(text, where));
    submission.points = reader.number("points");
    submission.says = reader.text("says");
    reader.expect_no_more();
    submissions.push_back(std::move(submission));
  }
  return submissions;
}

}  // namespace plainformer::course
