#include "exercise.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "core/input_error.h"
#include "core/number_text.h"
#include "json_reader.h"
#include "text.h"

namespace plainformer::course {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDigits = 2;  // of an exercise's number

std::string two_digits(int number) {
  const std::string digits = std::to_string(number);
  return digits.size() < kDigits ? "0" + digits : digits;
}

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

double points_of(const JsonValue& value, const std::string& where, const std::string& name) {
  const auto number = value.number();
  if (!number || *number <= 0) throw input_error(where, "the points of " + name, "give a number above 0");
  return *number;
}

std::vector<ScoredResult> results_of(JsonReader& exercise, const std::string& where) {
  std::vector<ScoredResult> results;
  for (const auto& [name, points] : exercise.object("results"))
    results.push_back({name, points_of(points, where, name)});
  return results;
}

std::vector<ScoredTest> tests_of(JsonReader& exercise, const std::string& where) {
  std::vector<ScoredTest> tests;
  for (const JsonValue& value : exercise.array("tests")) {
    JsonReader reader(value, where + ": tests");
    const std::string file = reader.text("file");
    for (const auto& [name, points] : reader.object("points")) {
      tests.push_back({file, name, points_of(points, where, name)});
    }
    reader.expect_no_more();
  }
  return tests;
}

Kind kind_of(const std::string& text, const std::string& where) {
  if (text == "functions") return Kind::kFunctions;
  if (text == "tests") return Kind::kTests;
  throw input_error(where + ": kind", "\"" + text + "\" is not a kind of exercise",
                    "choose functions or tests");
}

void check(const Exercise& exercise, const std::string& where) {
  const auto is_gate = [&](const ScoredTest& test) { return test.name == exercise.gate; };
  if (exercise.kind == Kind::kFunctions && !exercise.gate.empty() &&
      std::none_of(exercise.tests.begin(), exercise.tests.end(), is_gate))
    throw input_error(where + ": gate", "\"" + exercise.gate + "\" is not one of its tests",
                      "name a test that has points");
  if (exercise.results.empty() && exercise.tests.empty())
    throw input_error(where, "it gives no points", "list \"results\" of the driver, or \"tests\"");
}

// folder: .../03-attention or .../03-attention/variant, which takes what it does not say from its exercise.
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
  exercise.kind = kind_of(reader.text("kind", "functions"), where);
  exercise.tests_of = static_cast<int>(reader.number("tests_of", 0));
  if (reader.has("sources") || exercise.variant.empty()) exercise.sources = sources_of(reader, where);
  exercise.results.clear();
  exercise.tests.clear();
  if (reader.has("results")) exercise.results = results_of(reader, where);
  if (reader.has("tests")) exercise.tests = tests_of(reader, where);
  exercise.proof = reader.texts("proof", {});
  exercise.gate = reader.text("gate", "");
  exercise.forbid = reader.texts("forbid", exercise.forbid);
  exercise.plain = reader.text("plain", exercise.plain);
  exercise.sanitizers = reader.text("sanitizers", exercise.sanitizers);
  exercise.in_float = reader.boolean("in_float", exercise.in_float);
  exercise.seconds = reader.number("seconds", exercise.seconds);
  exercise.elective = reader.boolean("elective", exercise.elective);
  exercise.after = static_cast<int>(reader.number("after", exercise.after));
  if (reader.has("hide")) exercise.hide = edits_of(reader, where, "hide");
  reader.expect_no_more();
  check(exercise, where);
  exercise.bugs.clear();
  if (fs::exists(folder / "bugs.json")) exercise.bugs = load_bugs(folder / "bugs.json");
  return exercise;
}

// "03-attention" -> 3 and "attention".
void name_exercise(const std::string& folder_name, Exercise& exercise) {
  const std::size_t dash = folder_name.find('-');
  const auto number = parse_number<int>(folder_name.substr(0, dash));
  if (dash != kDigits || !number)
    throw input_error(folder_name, "this is not the name of an exercise", "name it like 03-attention");
  exercise.number = *number;
  exercise.name = folder_name.substr(dash + 1);
}

void check_names_of_bugs(const std::vector<Exercise>& exercises) {
  std::set<std::string> names;
  for (const Exercise& exercise : exercises)
    for (const Bug& bug : exercise.bugs)
      if (!names.insert(bug.name).second)
        throw input_error(text_of(exercise.folder / "bugs.json"), "a second bug \"" + bug.name + "\"",
                          "give each bug a name of its own");
}

}  // namespace

std::string Source::file_name() const {
  return text_of(fs::path(file).filename());
}

std::string Exercise::label() const {
  return two_digits(number) + " " + name + (variant.empty() ? "" : " (" + variant + ")");
}

std::string Exercise::folder_name() const {
  return two_digits(number) + "-" + name + (variant.empty() ? "" : "-" + variant);
}

double Exercise::points() const {
  double sum = 0;
  for (const ScoredResult& result : results) sum += result.points;
  for (const ScoredTest& test : tests) sum += test.points;
  return sum;
}

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

std::vector<Bug> load_bugs(const fs::path& file) {
  const JsonValue json = read_json_file(file);
  if (!json.array()) throw input_error(text_of(file), "it must be an array of bugs", "begin it with [");
  std::vector<Bug> bugs;
  for (const JsonValue& value : *json.array()) {
    JsonReader reader(value, text_of(file));
    Bug bug;
    bug.name = reader.text("name");
    bug.edits = edits_of(reader, text_of(file) + ": " + bug.name);
    bug.numbers_of = reader.text("numbers_of");
    bug.read = reader.text("read");
    bug.caught_by = reader.text("caught_by", "");
    bug.caught_in = reader.text("caught_in", "");
    bug.plain = reader.text("plain", "");
    reader.expect_no_more();
    bugs.push_back(std::move(bug));
  }
  return bugs;
}

std::vector<Exercise> load_exercises(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  std::vector<Exercise> exercises;
  for (const fs::path& path : folders) {
    Exercise named;
    name_exercise(text_of(path.filename()), named);
    exercises.push_back(load_exercise(path, named));
    if (fs::exists(path / "variant")) exercises.push_back(load_exercise(path / "variant", exercises.back()));
  }
  check_names_of_bugs(exercises);
  return exercises;
}

std::vector<Exercise> with_variants(const std::vector<Exercise>& exercises, const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw input_error(text_of(folder), "it is not a folder",
                      "give a folder that holds folders like 03-attention");
  std::vector<Exercise> all;
  std::set<std::string> used;
  for (const Exercise& exercise : exercises) {
    if (!exercise.variant.empty()) continue;
    all.push_back(exercise);
    const fs::path variant = folder / exercise.folder_name();
    if (!fs::exists(variant / "exercise.json")) continue;
    used.insert(exercise.folder_name());
    all.push_back(load_exercise(fs::absolute(variant), exercise));
    if (all.back().variant.empty())
      throw input_error(text_of(variant / "exercise.json"), "it has no member \"variant\"",
                        "name the variant");
  }
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory() && !used.contains(text_of(entry.path().filename())))
      throw input_error(text_of(entry.path()), "no exercise has this name and variant",
                        "name it like 03-attention, and put an exercise.json into it");
  return all;
}

std::vector<const Exercise*> in_order_of_work(const std::vector<Exercise>& exercises) {
  std::vector<const Exercise*> ordered;
  for (const Exercise& exercise : exercises)
    if (exercise.variant.empty()) ordered.push_back(&exercise);
  const auto place = [](const Exercise* exercise) {
    return exercise->after < 0 ? std::pair(exercise->number, -1)
                               : std::pair(exercise->after, exercise->number);
  };
  std::sort(ordered.begin(), ordered.end(),
            [&](const Exercise* first, const Exercise* second) { return place(first) < place(second); });
  return ordered;
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
    const std::string number = two_digits(exercise.number);
    return exercise.variant.empty() != variant &&
           (text == number || text == std::to_string(exercise.number) || text == exercise.name ||
            text == number + "-" + exercise.name);
  };
  const auto found = std::find_if(exercises.begin(), exercises.end(), is_meant);
  if (found != exercises.end()) return *found;
  throw input_error("exercise " + text, variant ? "it has no variant" : "there is no such exercise",
                    "`course list` lists them");
}

}  // namespace plainformer::course
