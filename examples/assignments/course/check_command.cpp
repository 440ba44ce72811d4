#include <algorithm>
#include <iostream>

#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "report/terminal.h"
#include "reports.h"
#include "text.h"

namespace plainformer::course {

namespace {

std::vector<const Exercise*> chosen_exercises(const Course& course, const Arguments& names, bool variant,
                                              const fs::path& homework) {
  std::vector<const Exercise*> chosen;
  for (const std::string& name : names) chosen.push_back(&find_exercise(course.exercises, name, variant));
  if (!names.empty()) return chosen;
  for (const Exercise& exercise : course.exercises)
    if (fs::exists(homework / exercise.folder_name())) chosen.push_back(&exercise);
  if (chosen.empty())
    throw input_error(text_of(homework), "no exercise has been started there", "begin with: course start 00");
  return chosen;
}

}  // namespace

void LimitOptions::add_to(CommandLine& line) {
  line.section("Limits");
  line.option("--memory", "MB", &memory, "of a program");
  line.option("--seconds-factor", "F", &seconds_factor, "times the limits of time: 3 for a slow machine");
}

GradingOptions LimitOptions::options(const fs::path& work, Index seed, int jobs) const {
  require_between("--memory", memory, 64, 1'000'000);
  if (!(seconds_factor >= 0.1 && seconds_factor <= 100))
    throw UsageError("--seconds-factor: give a number from 0.1 to 100");
  return {.work = work,
          .seed = static_cast<unsigned>(seed),
          .jobs = jobs,
          .memory_mb = static_cast<long>(memory),
          .seconds_factor = seconds_factor};
}

Grade grade_exercise(const Course& course, const Exercise& exercise, const Submission& submission,
                     const GradingOptions& options) {
  if (!exercise.asks_for_tests()) return grade_functions(course.tools, exercise, submission, options);
  const Exercise& tested = find_exercise(course.exercises, exercise.tests_of, false);
  return grade_tests(course.tools, exercise, tested, submission, options);
}

int check_command(const Course& course, const Arguments& arguments) {
  CommandLine line(
      "course check [EXERCISE ...] [options]",
      "Builds your files against the library, runs the exercise's driver, and says what is wrong.\n"
      "Without a name: every exercise that you have started.");
  std::string homework = text_of(course.homework());
  bool variant = false, all = false;
  Index seed = 1;
  LimitOptions limits;
  line.option("--variant", "", &variant, "the exercise's variant");
  line.option("--all", "", &all, "show the message of every row that is wrong");
  line.option("--folder", "DIR", &homework, "your folder");
  line.option("--seed", "S", &seed, "the seed of the inputs");
  limits.add_to(line);
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
  require_between("--seed", seed, 0, kMaxSeed);
  const std::vector<const Exercise*> chosen = chosen_exercises(course, names, variant, path_of(homework));
  prepare(course, chosen, default_threads());
  if (std::any_of(chosen.begin(), chosen.end(), [&](const Exercise* exercise) {
        return !exercise->sanitizers.empty() && !course.tools.sanitizes(*exercise);
      }))
    std::cout << "This compiler has no sanitizers: an access beyond an array, or a data race, may pass "
                 "unnoticed.\n";
  bool all_passed = true;
  for (const Exercise* const exercise : chosen) {
    const fs::path files = path_of(homework) / exercise->folder_name();
    if (!fs::exists(files))
      throw input_error(text_of(files), "it is missing", "begin with: course start " + exercise->number);
    const fs::path work = course.tools.settings().binary_dir / "check" / exercise->folder_name();
    const Grade grade =
        grade_exercise(course, *exercise, {.path = files}, limits.options(work, seed, default_threads()));
    const bool passed = grade.score == grade.points;
    std::cout << terminal_report(grade, color_allowed(1), all);
    if (passed && chosen.size() == 1)
      std::cout << next_step(course, *exercise);
    else if (chosen.size() == 1 && !hints_of(*exercise).empty())
      std::cout << "  Stuck? " << course.program << " hint " << exercise->number << '\n';
    all_passed = all_passed && passed;
  }
  return all_passed ? 0 : 1;
}

}  // namespace plainformer::course
