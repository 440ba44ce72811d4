#include "exercise.h"

#include <algorithm>
#include <set>

#include "core/input_error.h"
#include "platform/platform.h"

namespace plainformer::course {

void set(Source& source, const JsonValue& value, const std::string& where) {
  JsonReader reader(value, where);
  reader.read("file", source.file);
  reader.read("cut", source.cut);
  reader.read_if_there("drop", source.drop);
  reader.expect_no_more();
}

// "softmax_forward": 3, or {"points": 10, "share": 0.95}
void set(std::vector<Row>& rows, const JsonValue& value, const std::string& where) {
  rows.clear();
  for (const auto& [name, points] : object_of(value, where)) {
    Row& row = rows.emplace_back(Row{.name = name});
    if (points.object()) {
      JsonReader reader(points, where + ": " + name);
      reader.read("points", row.points);
      reader.read("share", row.share);
      reader.expect_no_more();
    } else {
      set(row.points, points, where + ": " + name);
    }
  }
  if (rows.empty() || std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !(row.points > 0); }))
    throw input_error(where, "a result without points", "give each result of the driver a number above 0");
}

void set(std::vector<Edit>& edits, const JsonValue& value, const std::string& where) {
  Members<std::vector<Texts>> files;
  set(files, value, where);
  edits.clear();
  for (const auto& [file, pairs] : files)
    for (const Texts& pair : pairs) {
      if (pair.size() != 2)
        throw input_error(where, "an edit of " + file, "write [\"the text before\", \"the text after\"]");
      edits.push_back({file, pair[0], pair[1]});
    }
}

void set(Bug& bug, const JsonValue& value, const std::string& where) {
  JsonReader reader(value, where);
  reader.read("name", bug.name);
  reader.read("edits", bug.edits);
  reader.read("numbers_of", bug.numbers_of);
  reader.read("read", bug.read);
  reader.read_if_there("plain", bug.plain);
  reader.expect_no_more();
}

namespace {

std::vector<Bug> bugs_of(const Exercise& exercise) {
  std::vector<Bug> bugs;
  if (fs::exists(exercise.folder / "bugs.json")) bugs = load_bugs(exercise.folder / "bugs.json");
  for (Bug& bug : bugs)
    if (bug.plain.empty()) bug.plain = exercise.plain;
  return bugs;
}

// Reads exercise.json of a folder. A variant takes what it does not say from its exercise.
Exercise load_exercise(const fs::path& folder, Exercise exercise) {
  const std::string where = to_text(folder / "exercise.json");
  const JsonValue json = read_json_file(where);
  JsonReader reader(json, where);
  exercise.folder = folder;
  reader.read("title", exercise.title);
  reader.read("task", exercise.task);
  reader.read("results", exercise.rows);
  reader.read_if_there("variant", exercise.variant);
  reader.read_if_there("paper", exercise.paper);
  reader.read_if_there("chapter", exercise.chapter);
  reader.read_if_there("hours", exercise.hours);
  reader.read_if_there("sources", exercise.sources);
  reader.read_if_there("forbid", exercise.forbid);
  reader.read_if_there("plain", exercise.plain);
  reader.read_if_there("sanitizers", exercise.sanitizers);
  reader.read_if_there("in_float", exercise.in_float);
  reader.read_if_there("tolerance", exercise.tolerance);
  reader.read_if_there("seconds", exercise.seconds);
  reader.read_if_there("elective", exercise.elective);
  reader.read_if_there("hints", exercise.hints);
  reader.read_if_there("hide", exercise.hide);
  reader.read_if_there("tests", exercise.tests);
  reader.read_if_there("tests_of", exercise.tests_of);
  reader.read_if_there("proof", exercise.proof);
  reader.read_if_there("files_of", exercise.files_of);
  reader.read_if_there("show", exercise.show);
  reader.expect_no_more();
  for (Source& source : exercise.sources) source.folder = exercise.folder_name();
  exercise.bugs = exercise.variant.empty() ? bugs_of(exercise) : std::vector<Bug>();
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

Texts flags_of_copy(const std::vector<Source>& sources, const Source& source) {
  Texts flags;
  for (const Source& other : sources)
    for (const auto& [name, zeros] : other.cut)
      if (other.file == source.file && other.folder != source.folder)
        flags.push_back("-D" + name + "=unused_" + name);
  return flags;
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
  std::vector<Bug> bugs;
  set(bugs, read_json_file(file), to_text(file));
  return bugs;
}

std::vector<Exercise> load_exercises(const fs::path& folder) {
  std::vector<Exercise> exercises;
  std::set<std::string> names;
  for (const fs::path& path : folders_in(folder)) {
    exercises.push_back(load_exercise(path, named_by(path)));
    for (const Bug& bug : exercises.back().bugs)
      if (!names.insert(bug.name).second)
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
    for (const Exercise& exercise : exercises) {
      if (exercise.elective || exercise.asks_for_tests() || !exercise.variant.empty()) continue;
      for (const Source& source : exercise.sources)
        if (!source.is_header()) milestone.sources.push_back(source);
      if (exercise.name == milestone.files_of) break;
    }
    milestones.push_back(std::move(milestone));
  }
  return milestones;
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
