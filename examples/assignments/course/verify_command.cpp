#include <atomic>
#include <chrono>
#include <iostream>
#include <mutex>

#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "verification.h"

namespace plainformer::course {

namespace {

// The chosen exercises with their variants; all of them if no name is given.
std::vector<const Exercise*> chosen_exercises(const Course& course, const Arguments& names) {
  std::vector<const Exercise*> chosen;
  for (const Exercise& exercise : course.exercises) {
    bool is_chosen = names.empty();
    for (const std::string& name : names)
      is_chosen = is_chosen || find_exercise(course.exercises, name, false).number == exercise.number;
    if (is_chosen) chosen.push_back(&exercise);
  }
  return chosen;
}

std::vector<Check> all_checks(const Course& course, const Arguments& names,
                              const VerificationOptions& options) {
  std::vector<Check> checks;
  for (const Exercise* const exercise : chosen_exercises(course, names))
    for (Check& check : checks_of(course, *exercise, options)) checks.push_back(std::move(check));
  if (!names.empty()) return checks;
  for (const Bug& bug : course.whole_program_bugs) checks.push_back(check_of(course, bug, options));
  for (const WrongSubmission& submission : course.wrong_submissions)
    checks.push_back(check_of(course, submission, options));
  return checks;
}

// Runs all of them, and prints those that do not hold. Returns their number.
int run_checks(const std::vector<Check>& checks, int jobs) {
  if (checks.empty()) return 0;
  ProgressBar progress(std::cerr, is_terminal(2), std::ssize(checks), {.unit = "check"});
  std::mutex mutex;
  Index done = 0;
  int failed = 0;
  in_parallel(checks.size(), jobs, [&](std::size_t i) {
    std::string problem;
    try {
      problem = checks[i].run();
    } catch (const std::exception& error) {
      problem = error.what();
    }
    const std::lock_guard<std::mutex> lock(mutex);
    progress.update(++done, checks[i].label);
    if (problem.empty()) return;
    ++failed;
    std::cout << "FAILED  " << checks[i].label << '\n' << problem << std::endl;
  });
  progress.finish();
  return failed;
}

}  // namespace

int verify_command(const Course& given_course, const Arguments& arguments) {
  CommandLine line(
      "course verify [EXERCISE ...] [options]",
      "Proves that the course works: every stub and all zeros get no points, every reference and every other "
      "right\nanswer get all, each known mistake loses points and is named, and the repository's answer gets "
      "less "
      "than a\nquarter of each variant's points.");
  VerificationOptions options;
  options.work = given_course.tools.settings().binary_dir / "verify";
  std::string only;
  Index seed = 1, jobs = 0;
  line.option("--compiler", "CXX", &options.compilers,
              "another compiler for the references; may be repeated");
  line.option("--seed", "S", &seed, "of the inputs, and of a variant: is it fair?");
  std::string variants;
  line.option("--variants", "DIR", &variants, "prove variants that lie outside of the repository");
  line.option("--only", "TEXT", &only, "only the checks whose names hold this text: reference");
  line.option("--jobs", "N", &jobs, "checks at the same time; 0: one for each processor");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return 0;
  }
  const Arguments names = line.parse(arguments);
  require_between("--seed", seed, 0, kMaxSeed);
  options.seed = static_cast<unsigned>(seed);
  const Course course = with_variants_of(given_course, variants);
  const int threads = jobs > 0 ? static_cast<int>(jobs) : default_threads();
  prepare(course, chosen_exercises(course, names), threads);

  const auto start = std::chrono::steady_clock::now();
  std::vector<Check> checks = all_checks(course, names, options);
  const auto is_left_out = [&](const Check& check) { return check.label.find(only) == std::string::npos; };
  std::erase_if(checks, is_left_out);
  if (checks.empty()) throw UsageError("no check has \"" + only + "\" in its name");
  const int failed = run_checks(checks, threads);
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
  std::cout << checks.size() - static_cast<std::size_t>(failed) << " of " << checks.size() << " checks hold ("
            << seconds.count() << " s)\n";
  return failed == 0 ? 0 : 1;
}

}  // namespace plainformer::course
