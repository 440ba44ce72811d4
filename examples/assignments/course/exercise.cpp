#include "exercise.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/input_error.h"
#include "platform/platform.h"
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
    source.drop = reader.texts("drop", Texts());
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

// The first lines of a file, which are a comment: "The shared sum is divided by the number of entries".
std::string first_comment(const std::string& text) {
  std::string comment;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("// ")) break;
    comment += (comment.empty() ? "" : " ") + line.substr(3);
  }
  return comment.substr(0, comment.find_last_not_of('.') + 1);
}

// Those of bugs.json, then those of mistakes/03-attention.
std::vector<Bug> bugs_of(const Exercise& exercise) {
  std::vector<Bug> bugs;
  if (fs::exists(exercise.folder / "bugs.json")) bugs = load_bugs(exercise.folder / "bugs.json");
  const fs::path mistakes = exercise.folder.parent_path().parent_path() / "mistakes" / exercise.folder_name();
  for (const fs::path& file : sources_in(mistakes))
    bugs.push_back({.name = to_text(file.stem()),
                    .file = file,
                    .numbers_of = "\"" + first_comment(read_text(file)) + "\"",
                    .read = exercise.chapter});
  return bugs;
}

// Reads exercise.json of a folder. A variant takes what it does not say from its exercise.
Exercise load_exercise(const fs::path& folder, Exercise exercise) {
  const std::string where = to_text(folder / "exercise.json");
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
  exercise.hints = reader.texts("hints", exercise.hints);
  exercise.tests = reader.text("tests", "");
  exercise.tests_of = reader.text("tests_of", "");
  exercise.proof = reader.texts("proof", Texts());
  if (reader.has("hide")) exercise.hide = edits_of(reader, where, "hide");
  exercise.bugs = exercise.variant.empty() ? bugs_of(exercise) : std::vector<Bug>();
  if (reader.has("show"))
    for (const JsonValue& command : reader.array("show")) exercise.show.push_back(texts_of(command, where));
  if (reader.has("files_of")) exercise.tests_of = reader.text("files_of");
  reader.expect_no_more();
  return exercise;
}

// "03-attention" -> "03" and "attention".
Exercise named_by(const fs::path& folder) {
  const std::string name = to_text(folder.filename());
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

}  // namespace

std::string Source::file_name() const {
  return to_text(fs::path(file).filename());
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

std::vector<Edit> edits_of(JsonReader& reader, const std::string& where, const std::string& member) {
  std::vector<Edit> all;
  for (const auto& [file, edits] : reader.object(member))
    for (const JsonValue& edit : array_of(edits, where + ": " + file)) {
      const Texts texts = texts_of(edit, where + ": " + file);
      if (texts.size() != 2)
        throw input_error(where, "an edit of " + file, "write [\"the text before\", \"the text after\"]");
      all.push_back({file, texts[0], texts[1]});
    }
  return all;
}

std::vector<Bug> load_bugs(const fs::path& file) {
  const JsonValue json = read_json_file(file);
  std::vector<Bug> bugs;
  for (const JsonValue& value : array_of(json, to_text(file))) {
    JsonReader reader(value, to_text(file));
    Bug bug;
    bug.name = reader.text("name");
    bug.edits = edits_of(reader, to_text(file) + ": " + bug.name, "edits");
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
  std::set<std::string> names;
  for (const fs::path& path : folders_in(folder)) {
    exercises.push_back(load_exercise(path, named_by(path)));
    for (const Bug& bug : exercises.back().bugs)
      if (bug.file.empty() && !names.insert(bug.name).second)
        throw input_error(to_text(path / "bugs.json"), "a second bug \"" + bug.name + "\"",
                          "give each bug a name of its own");
    if (fs::exists(path / "variant")) exercises.push_back(load_exercise(path / "variant", exercises.back()));
  }
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

std::vector<Exercise> with_variants(std::vector<Exercise> exercises, const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw input_error(to_text(folder), "it is not a folder",
                      "give a folder that holds folders like 03-attention");
  std::erase_if(exercises, [](const Exercise& exercise) { return !exercise.variant.empty(); });
  const std::vector<Exercise> plain = exercises;
  for (const fs::path& path : folders_in(folder))
    exercises.push_back(load_exercise(path, find_exercise(plain, to_text(path.filename()), false)));
  return exercises;
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

}  // namespace plainformer::course
