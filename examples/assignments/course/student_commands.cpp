// What tells a student the way: `list`, `hint`, `check`, and the step after it. (`start` puts the files
// there.)
#include <algorithm>
#include <iostream>

#include "commands.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "report/numbers.h"
#include "report/terminal.h"
#include "reports.h"
#include "source_cutter.h"

namespace plainformer::course {

namespace {

// A file for the student's folder: to write, or a contract. That is a copy of a header, to read, without the
// results that the student derives.
struct StartingFile {
  std::string name, text;
  bool is_contract = false;
};

bool holds(const std::vector<StartingFile>& files, const std::string& name) {
  return std::any_of(files.begin(), files.end(), [&](const StartingFile& file) { return file.name == name; });
}

std::vector<StartingFile> starting_files(const Course& course, const Exercise& exercise) {
  const auto without_results = [&](const std::string& file) {
    return with_edits(reference_text(course, file), file, exercise.label() + ": hide", exercise.hide);
  };
  std::vector<StartingFile> files;
  for (const Source& source : exercise.sources)
    files.push_back({source.file_name(), stub_of(without_results(source.file), source)});
  if (exercise.asks_for_tests())
    files.push_back({exercise.tests, read_text(exercise.folder / "start" / exercise.tests)});
  for (const Edit& edit : exercise.hide) {
    const std::string name = to_text(to_path(edit.file).filename());
    if (!name.ends_with(".h") || holds(files, name)) continue;
    files.push_back({name,
                     "// A copy to read: src/" + edit.file +
                         " without the results that you derive. The compiler reads the original.\n//\n" +
                         without_results(edit.file),
                     true});
  }
  return files;
}

// Writes all of them, or none if one exists.
void write_new_files(const std::vector<StartingFile>& files, const fs::path& folder) {
  for (const StartingFile& file : files)
    if (fs::exists(fs::symlink_status(folder / file.name)))
      throw std::runtime_error(
          to_text(folder / file.name) +
          ": it exists, and your work is never overwritten. To start over, move it away");
  fs::create_directories(folder);
  for (const StartingFile& file : files) write_file_atomically(to_text(folder / file.name), file.text);
}

void print_task(const Course& course, const Exercise& exercise, const std::vector<StartingFile>& files,
                const fs::path& folder, const std::string& check) {
  std::cout << exercise.label() << ": " << exercise.title << "\n\n"
            << wrapped(exercise.task, 0, 0, 100) << "\n\n  Read     " << exercise.chapter
            << " (the paper's section " << exercise.paper << ")\n";
  for (const StartingFile& file : files)
    if (file.is_contract) std::cout << "           " << to_text(folder / file.name) << " (the contract)\n";
  for (const Source& source : exercise.sources) {
    const fs::path header = to_path(source.file).replace_extension(".h");  // it gives the equations
    if (fs::exists(course.tools.settings().reference(to_text(header))) &&
        !holds(files, to_text(header.filename())))
      std::cout << "           src/" << to_text(header) << '\n';
  }
  for (const StartingFile& file : files) {
    if (!file.is_contract) std::cout << "  Write    " << to_text(folder / file.name) << '\n';
    for (const Source& source : exercise.sources)
      if (source.file_name() == file.name)
        for (const auto& [name, zeros] : source.cut) std::cout << "             " << name << '\n';
  }
  std::cout << "  Check    " << check << "\n  Worth    " << exercise.points()
            << (exercise.elective ? " points of an elective, about " : " points, about ") << exercise.hours
            << (exercise.hours == 1 ? " hour" : " hours") << '\n';
}

}  // namespace

int start_command(const Course& course, const Arguments& arguments) {
  CommandLine line("course start EXERCISE [options]", "Puts the files of an exercise into your folder.");
  std::string homework = to_text(course.homework());
  bool variant = false;
  line.option("--variant", "", &variant, "the exercise's variant, whose answer is not in the repository");
  line.option("--folder", "DIR", &homework, "your folder");
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
  if (names.size() != 1) throw UsageError("name one exercise, for example: course start 01");
  const Exercise& exercise = find_exercise(course.exercises, names[0], variant);
  const fs::path folder = to_path(homework) / exercise.folder_name();
  const std::vector<StartingFile> files = starting_files(course, exercise);
  write_new_files(files, folder);
  std::string check = program_as_called() + " check " + exercise.number + (variant ? " --variant" : "");
  if (homework != to_text(course.homework())) check += " --folder " + quoted_for_shell(homework);
  print_task(course, exercise, files, fs::proximate(folder), check);
  return 0;
}

int list_command(const Course& course, const Arguments& arguments) {
  CommandLine line("course list", "Lists the exercises, in the order of work.");
  if (!line.read(arguments)) return 0;
  Table table = {{{"exercise"},
                  {"title"},
                  {"paper"},
                  {"points", ColumnKind::kNumber, 1},
                  {"hours", ColumnKind::kNumber, 1},
                  {"elective"},
                  {"started"}},
                 {}};
  for (const Exercise& exercise : course.exercises)
    table.rows.push_back({exercise.label(), exercise.title, exercise.paper, exercise.points(), exercise.hours,
                          std::string(exercise.elective ? "yes" : ""),
                          std::string(fs::exists(course.homework() / exercise.folder_name()) ? "yes" : "")});
  std::cout << render_table(table, false);
  return 0;
}

int hint_command(const Course& course, const Arguments& arguments) {
  CommandLine line(
      "course hint EXERCISE [NUMBER]",
      "Prints one hint: the first asks a question, the second says where to look, and the third says "
      "nearly what to write. Without a number: the first.");
  Arguments words;
  if (!line.read(arguments, &words)) return 0;
  if (words.empty() || words.size() > 2) throw UsageError("name one exercise, for example: course hint 03");
  const Exercise& exercise = find_exercise(course.exercises, words[0], false);
  const std::size_t number = words.size() < 2 ? 1 : parse_number<std::size_t>(words[1]).value_or(0),
                    count = exercise.hints.size();
  if (number < 1 || number > count)
    throw UsageError(exercise.label() + " has hints 1 to " + std::to_string(count));
  const std::string more =
      program_as_called() + " hint " + exercise.number + " " + std::to_string(number + 1);
  std::cout << exercise.label() << ", hint " << number << " of " << count << ":\n\n"
            << wrapped(exercise.hints[number - 1], 0, 0, 100) << "\n\n"
            << (number == count ? "That was the last one. Read " + exercise.chapter + "."
                                : "Try it first. The next one says more: " + more)
            << '\n';
  return 0;
}

void add_seconds_factor(CommandLine& line, double& factor) {
  const auto set_factor = [&factor](const std::string& name, const std::string& text) {
    factor = parse_number<double>(text).value_or(0);
    if (!(factor >= 0.1 && factor <= 100)) throw UsageError(name + ": give a number from 0.1 to 100");
  };
  line.option("--seconds-factor", "F",
              CommandLine::TextValue{[&factor] { return shortest_text(factor); }, set_factor},
              "times the limits of time: 3 for a slow machine");
}

std::vector<const Exercise*> chosen_exercises(const Course& course, const Texts& names, bool variant,
                                              const fs::path& homework) {
  std::vector<const Exercise*> chosen;
  for (const std::string& name : names) chosen.push_back(&find_exercise(course.exercises, name, variant));
  for (const Exercise& exercise : course.exercises)
    if (names.empty() && fs::exists(homework / exercise.folder_name())) chosen.push_back(&exercise);
  if (chosen.empty())
    throw input_error(to_text(homework), "no exercise has been started there", "begin with: course start 00");
  return chosen;
}

int check_command(const Course& course, const Arguments& arguments) {
  CommandLine line(
      "course check [EXERCISE ...] [options]",
      "Builds your files against the library, runs the exercise's driver, and says what is wrong. "
      "Without a name: every exercise that you have started.");
  std::string homework = to_text(course.homework());
  bool variant = false, all = false;
  GradingOptions options = {.jobs = default_threads()};
  line.option("--variant", "", &variant, "the exercise's variant");
  line.option("--all", "", &all, "show the message of every row that is wrong");
  line.option("--folder", "DIR", &homework, "your folder");
  line.option("--seed", "S", &options.seed, "the seed of the inputs");
  add_seconds_factor(line, options.seconds_factor);
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
  require_between("--seed", options.seed, 0, kMostSeed);

  const std::vector<const Exercise*> chosen = chosen_exercises(course, names, variant, to_path(homework));
  prepare(course, chosen, options.jobs);

  bool all_passed = true;
  for (const Exercise* const exercise : chosen) {
    const fs::path files = to_path(homework) / exercise->folder_name();
    if (!fs::exists(files))
      throw input_error(to_text(files), "it is missing", "begin with: course start " + exercise->number);
    if (!exercise->sanitizers.empty() && !course.tools.sanitizes(*exercise))
      std::cout << "This compiler has no sanitizers: an access beyond an array, or a data race, may pass "
                   "unnoticed.\n";
    options.work = course.tools.settings().binary_dir / "check" / exercise->folder_name();
    const Grade grade = grade_exercise(course, *exercise, {.path = files}, options);
    const bool passed = grade.score == grade.points;
    std::cout << terminal_report(grade, color_allowed(1), all);
    if (passed && chosen.size() == 1)
      std::cout << next_step(course, *exercise);
    else if (chosen.size() == 1 && !exercise->hints.empty() && exercise->variant.empty())
      std::cout << "  Stuck? " << program_as_called() << " hint " << exercise->number << '\n';
    all_passed = all_passed && passed;
  }
  return all_passed ? 0 : 1;
}

std::string next_step(const Course& course, const Exercise& done) {
  if (!done.variant.empty()) return "";
  const std::string course_program = program_as_called();
  std::string text;
  if (!done.plain.empty())
    text += "Try yours in the whole model: " + course_program + " run --mine " + done.number +
            " -- train --preset toy --out my-model-" + done.number + "\n";
  for (const Exercise& milestone : course.milestones)
    if (!milestone.sources.empty() && milestone.sources.back().folder == done.folder_name())
      text += "With your files up to here, see " + milestone.title + ": " + course_program + " milestone " +
              milestone.number + "\n";
  for (const Exercise& next : course.exercises)
    if (next.variant.empty() && next.folder_name() > done.folder_name())
      return text + next.label() + " comes next: " + course_program + " start " + next.number + "\n";
  return text + "That was the last exercise.\n";
}

}  // namespace plainformer::course
