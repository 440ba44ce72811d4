#include <algorithm>
#include <iostream>
#include <mutex>

#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "grading.h"
#include "io/atomic_file.h"
#include "mistakes_table.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

// A file of mistakes/03-attention: other definitions of some of the functions, and a first line that says what is wrong.
// Or one of the exercise's own folder sound/, in which nothing is wrong.
struct HandMistake {
  const Exercise* exercise;
  fs::path file;
  bool is_sound = false;
};

// The right answers of an exercise without mistakes stand in the course's own table, too.
std::vector<HandMistake> mistakes_of(const Course& course, const fs::path& folder, const Arguments& names) {
  std::vector<HandMistake> mistakes;
  const bool is_own = folder == course.tools.settings().course_dir() / "mistakes";
  for (const Exercise& exercise : course.exercises) {
    const auto is_this = [&](const std::string& name) {
      return find_exercise(course.exercises, name, false).number == exercise.number;
    };
    const bool is_chosen = names.empty() || std::any_of(names.begin(), names.end(), is_this);
    const fs::path of_exercise = folder / exercise.folder_name();
    const bool has_mistakes = fs::is_directory(of_exercise);
    if (!is_chosen || !exercise.variant.empty() || !(has_mistakes || is_own)) continue;
    std::vector<fs::path> files;
    for (const auto& entry : has_mistakes ? fs::directory_iterator(of_exercise) : fs::directory_iterator())
      if (entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) mistakes.push_back({&exercise, file});
    for (const fs::path& file : sound_answers(exercise)) mistakes.push_back({&exercise, file, true});
  }
  return mistakes;
}

std::string first_comment(const std::string& text) {
  std::string comment;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("//")) break;
    comment += (comment.empty() ? "" : " ") + line.substr(std::min<std::size_t>(3, line.size()));
  }
  return comment;
}

MistakeOutcome try_mistake(const Course& course, const HandMistake& mistake) {
  const Exercise& exercise = *mistake.exercise;
  const std::string name = exercise.folder_name() + (mistake.is_sound ? "/sound/" : "/") +
                           text_of(mistake.file.stem()),
                    text = read_text(mistake.file);
  const fs::path work = course.tools.settings().binary_dir / "mistakes" / path_of(name);
  fs::create_directories(work / "files");
  const auto with_it = [&](const Source& source) {
    const std::string reference = reference_text(course, source.file);
    return defines_some(text, source) ? with_functions(reference, source, text) : reference;
  };
  for (const Source& source : exercise.sources)
    write_file_atomically(text_of(work / "files" / source.file_name()), with_it(source));
  const Grade grade = grade_exercise(course, exercise, work / "files", {.work = work, .jobs = 1});
  MistakeOutcome outcome = {
      .file = name, .comment = first_comment(text), .problem = {}, .is_sound = mistake.is_sound, .said = {}};
  for (const std::string& problem : grade.problems) outcome.problem += problem;
  if (!outcome.problem.empty()) return outcome;
  outcome.caught = grade.score < grade.points;
  if (!grade.recognized.empty()) outcome.said = grade.recognized + grade.right;
  if (outcome.caught && !mistake.is_sound) return outcome;
  std::vector<fs::path> objects;
  for (const Source& source : exercise.sources) objects.push_back(work / (source.file_name() + ".o"));
  const KnownNumbers known(exercise);
  const Recognition recognition =
      recognize(run_probe(course.tools, exercise, objects, {.work = work}), known);
  outcome.said = to_text(recognition);
  if (!mistake.is_sound && recognition.right.size() == known.stages().size())
    outcome.problem = "it leaves the functions right: no test fails, and no number of the probe differs";
  return outcome;
}

}  // namespace

int mistakes_command(const Course& course, const Arguments& arguments) {
  CommandLine line(
      "course mistakes [EXERCISE ...] [options]",
      "Grades the mistakes in examples/assignments/mistakes, which people made by hand, and says which "
      "ones\nare caught and named. A mistake that is not caught is a failure, and so is one that leaves the "
      "functions\n"
      "right, and a right answer that is called a mistake. What is said must be what MISTAKES.md says.");
  bool write = false;
  std::string folder = text_of(course.tools.settings().course_dir() / "mistakes");
  line.option("--folder", "DIR", &folder, "another folder of mistakes, in folders like 03-attention");
  line.option("--write", "", &write, "record what is said in MISTAKES.md of the folder");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return 0;
  }
  const Arguments names = line.parse(arguments);
  if (write && !names.empty())
    throw UsageError(
        "--write records the mistakes of all exercises: name none (the page would lose the others)");
  const std::vector<HandMistake> mistakes = mistakes_of(course, path_of(folder), names);
  std::vector<const Exercise*> exercises;
  for (const HandMistake& mistake : mistakes)
    if (exercises.empty() || exercises.back() != mistake.exercise) exercises.push_back(mistake.exercise);
  prepare(course, exercises, default_threads());

  std::vector<MistakeOutcome> outcomes(mistakes.size());
  ProgressBar progress(std::cerr, is_terminal(2), std::ssize(mistakes), {.unit = "mistake"});
  std::mutex mutex;
  Index done = 0;
  in_parallel(mistakes.size(), default_threads(), [&](std::size_t i) {
    outcomes[i] = try_mistake(course, mistakes[i]);
    const std::lock_guard<std::mutex> lock(mutex);
    progress.update(++done, outcomes[i].file);
  });
  progress.finish();
  const std::string table = table_of_mistakes(outcomes);
  const fs::path page = path_of(folder) / "MISTAKES.md";
  if (write) write_file_atomically(text_of(page), table);
  std::cout << table;
  for (const MistakeOutcome& outcome : outcomes)
    if (outcome.is_a_failure())
      std::cout << "FAILED  " << outcome.file << ": " << what_the_grader_says(outcome) << '\n';
  const bool all_well = std::none_of(outcomes.begin(), outcomes.end(),
                                     [](const MistakeOutcome& outcome) { return outcome.is_a_failure(); });
  if (names.empty() && read_text(page) != table)
    std::cout << "FAILED  " << text_of(page) << " says other things\n";
  return all_well && (!names.empty() || read_text(page) == table) ? 0 : 1;
}

}  // namespace plainformer::course
