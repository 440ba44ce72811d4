#include <algorithm>
#include <iostream>
#include <mutex>
#include <sstream>

#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "grading.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

// A file of mistakes/03-attention: other definitions of some of the functions, and a first line that says what is wrong.
struct HandMistake {
  const Exercise* exercise;
  fs::path file;
};

struct Outcome {
  std::string file, comment;  // "01-softmax/largest-begins-at-zero"; what its author says
  std::string problem;        // why it could not be tried; empty if it was
  bool caught = false;
  std::string said;  // what the grader named; empty if nothing
};

std::vector<HandMistake> mistakes_of(const Course& course, const fs::path& folder, const Arguments& names) {
  std::vector<HandMistake> mistakes;
  for (const Exercise& exercise : course.exercises) {
    const auto is_this = [&](const std::string& name) {
      return find_exercise(course.exercises, name, false).number == exercise.number;
    };
    const bool is_chosen = names.empty() || std::any_of(names.begin(), names.end(), is_this);
    const fs::path of_exercise = folder / exercise.folder_name();
    if (!is_chosen || !fs::is_directory(of_exercise)) continue;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(of_exercise))
      if (entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) mistakes.push_back({&exercise, file});
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

Outcome try_mistake(const Course& course, const HandMistake& mistake) {
  const Exercise& exercise = *mistake.exercise;
  const std::string name = exercise.folder_name() + "/" + text_of(mistake.file.stem()),
                    text = read_text(mistake.file);
  const fs::path work = course.tools.settings().binary_dir / "mistakes" / path_of(name);
  fs::create_directories(work / "files");
  const auto with_it = [&](const Source& source) {
    const std::string reference = reference_text(course, source.file);
    const bool concerns = std::any_of(source.cut.begin(), source.cut.end(), [&](const CutFunction& function) {
      return text.find(function.name + "(") != std::string::npos;
    });
    return concerns ? with_functions(reference, source, text) : reference;
  };
  for (const Source& source : exercise.sources)
    write_file_atomically(text_of(work / "files" / source.file_name()), with_it(source));
  const Grade grade =
      grade_exercise(course, exercise, work / "files", {.work = work, .jobs = 1, .inspect = false});
  Outcome outcome = {.file = name, .comment = first_comment(text), .problem = {}, .said = {}};
  for (const std::string& problem : grade.problems) outcome.problem += problem;
  outcome.caught = outcome.problem.empty() && grade.score < grade.points;
  outcome.said = grade.recognized;
  return outcome;
}

// One cell of a table in Markdown.
std::string cell(const std::string& text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? ' ' : c;
  while (line.ends_with(' ')) line.pop_back();
  for (std::size_t at = line.find('|'); at != std::string::npos; at = line.find('|', at + 2))
    line.insert(at, "\\");
  return line;
}

std::string table_of(const std::vector<Outcome>& outcomes) {
  std::ostringstream table;
  const auto caught =
      std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.caught; });
  const auto named = std::count_if(outcomes.begin(), outcomes.end(),
                                   [](const Outcome& o) { return o.caught && !o.said.empty(); });
  table << "# Mistakes made by hand\n\nWhat `course mistakes` says to each. Of " << outcomes.size() << ", "
        << caught << " are caught and " << named
        << " are named. `course mistakes --write` writes this page.\n\n| mistake | what is wrong | what the "
           "grader says "
           "|\n|---|---|---|\n";
  for (const Outcome& outcome : outcomes) {
    std::string said = outcome.said.empty() ? "caught, not named" : outcome.said;
    if (!outcome.caught) said = "not caught";
    if (!outcome.problem.empty()) said = "not tried: " + outcome.problem.substr(0, 300);
    table << "| " << outcome.file << " | " << cell(outcome.comment) << " | " << cell(said) << " |\n";
  }
  return table.str();
}

}  // namespace

int mistakes_command(const Course& course, const Arguments& arguments) {
  CommandLine line(
      "course mistakes [EXERCISE ...] [options]",
      "Grades the mistakes in examples/assignments/mistakes, which people made by hand, and says which "
      "ones\nare caught and named. What is said must be what MISTAKES.md says.");
  bool write = false;
  std::string folder = text_of(course.tools.settings().course_dir() / "mistakes");
  line.option("--folder", "DIR", &folder, "another folder of mistakes, in folders like 03-attention");
  line.option("--write", "", &write, "record what is said in MISTAKES.md of the folder");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return 0;
  }
  const Arguments names = line.parse(arguments);
  const std::vector<HandMistake> mistakes = mistakes_of(course, path_of(folder), names);
  std::vector<const Exercise*> exercises;
  for (const HandMistake& mistake : mistakes)
    if (exercises.empty() || exercises.back() != mistake.exercise) exercises.push_back(mistake.exercise);
  prepare(course, exercises, default_threads());

  std::vector<Outcome> outcomes(mistakes.size());
  ProgressBar progress(std::cerr, is_terminal(2), std::ssize(mistakes), {.unit = "mistake"});
  std::mutex mutex;
  Index done = 0;
  in_parallel(mistakes.size(), default_threads(), [&](std::size_t i) {
    outcomes[i] = try_mistake(course, mistakes[i]);
    const std::lock_guard<std::mutex> lock(mutex);
    progress.update(++done, outcomes[i].file);
  });
  progress.finish();
  const std::string table = table_of(outcomes);
  const fs::path page = path_of(folder) / "MISTAKES.md";
  if (write) write_file_atomically(text_of(page), table);
  std::cout << table;
  const bool all_tried =
      std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.problem.empty(); });
  return all_tried && (!names.empty() || read_text(page) == table) ? 0 : 1;
}

}  // namespace plainformer::course
