// `course verify` proves that the course works. Of functions: the stub and all zeros get no points, the
// reference and the sound answers get all; each known mistake loses points, and is named. Of tests: the file
// to begin with gets little, the repository's own tests reject every bug. Of a variant: the repository's
// answer to its exercise gets less than a quarter of the points.
#include <chrono>
#include <iostream>
#include <mutex>
#include <set>

#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "reports.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr unsigned kDisguise = 14;  // one of those that `course grade` draws

// A check, and what it found: empty if it holds.
struct Check {
  std::string label = {};
  std::function<std::string()> run = {};
};

struct VerificationOptions {
  fs::path work = {};
  std::vector<std::string> compilers = {};  // other ones, for the references
  unsigned seed = 1;                        // of the inputs
};

using TextOf = std::function<std::string(const Source& source)>;

// What is checked of one exercise. Each member that a check calls returns what is wrong.
class ExerciseProof {
 public:
  ExerciseProof(const Course& course, const Exercise& exercise, const VerificationOptions& options)
      : course_(course), exercise_(exercise), options_(options) {}

  std::vector<Check> checks() const {
    std::vector<Check> all;
    const auto add = [&](const std::string& name, std::function<std::string()> run) {
      all.push_back({exercise_.label() + ": " + name, std::move(run)});
    };
    const ExerciseProof self = *this;
    if (exercise_.asks_for_tests()) {
      add("the starting file", [self] { return self.less_than_a_quarter(self.tests("start", "start")); });
      add("the repository's tests", [self] { return self.repository_tests(); });
      return all;
    }
    const TextOf reference = [self](const Source& source) { return self.reference_of(source); };
    const auto stub = [self](const Source& source) { return stub_of(self.reference_of(source), source); };
    const auto zeros = [self](const Source& source) { return zeros_of(self.reference_of(source), source); };
    add("the stub", [self, stub] { return self.no_points(self.written("stub", stub)); });
    add("all zeros", [self, zeros] { return self.no_points(self.written("zeros", zeros)); });
    if (!exercise_.variant.empty()) {
      add("the repository's answer",
          [self, reference] { return self.less_than_a_quarter(self.written("repository", reference)); });
      return all;
    }
    add("the reference", [self, reference] { return self.all_points(self.written("reference", reference)); });
    for (const std::string& compiler : options_.compilers)
      add("the reference, " + compiler, [self, reference, compiler] {
        return self.all_points(self.written(text_of(path_of(compiler).filename()), reference, compiler));
      });
    for (const fs::path& file : sources_in(exercise_.folder / "sound"))
      add("a right answer, " + text_of(file.stem()), [self, file] {
        return self.all_points(self.written(text_of(file.stem()), [&](const Source& source) {
          return with_functions(self.reference_of(source), source, read_text(file));
        }));
      });
    for (const Bug& bug : exercise_.bugs)
      add("mistake " + bug.name, [self, name = bug.name] { return self.mistake(name); });
    return all;
  }

 private:
  fs::path work(const std::string& name) const {
    return options_.work / exercise_.folder_name() / path_of(name);
  }

  std::string reference_of(const Source& source) const { return reference_text(course_, source.file); }

  // Writes a submission and grades it.
  Grade written(const std::string& name, const TextOf& text_for, const std::string& compiler = "") const {
    Settings settings = course_.tools.settings();
    settings.other_compiler = compiler;
    const fs::path folder = work(name) / "files";
    fs::create_directories(folder);
    for (const Source& source : exercise_.sources)
      write_file_atomically(text_of(folder / source.file_name()), text_for(source));
    return grade_functions(Toolchain(settings), exercise_, {.path = folder},
                           {.work = work(name), .seed = options_.seed, .jobs = 1, .recognize = false});
  }

  std::string no_points(const Grade& grade) const {
    return grade.score == 0 && grade.problems.empty() ? "" : terminal_report(grade, false, true);
  }
  std::string all_points(const Grade& grade) const {
    return grade.score == grade.points ? "" : terminal_report(grade, false, true);
  }
  std::string less_than_a_quarter(const Grade& grade) const {
    return 4 * grade.score < grade.points ? "" : "it scores:\n" + terminal_report(grade, false, true);
  }

  // A result that gives points differs, and the mistake is named.
  std::string mistake(const std::string& name) const {
    const GradingOptions options = {.work = options_.work, .seed = options_.seed, .jobs = 1};
    const Results right = right_results(course_.tools, exercise_, options);
    const std::vector<KnownMistake> known = known_mistakes(course_.tools, exercise_, right, options);
    const auto is_this = [&](const KnownMistake& other) { return other.name == name; };
    const KnownMistake& its = *std::find_if(known.begin(), known.end(), is_this);
    if (!its.problem.empty()) return its.problem;
    const bool is_caught = std::any_of(right.begin(), right.end(), [&](const Result& result) {
      const Result* const found = find_result(its.results, result);
      const auto is_worth_points = [&](const Row& row) {
        return row.name == result.stage || row.name == result.label();
      };
      return !(found && is_same(*found, result)) &&
             std::any_of(exercise_.rows.begin(), exercise_.rows.end(), is_worth_points);
    });
    if (!is_caught) return "it gets all points: choose inputs in driver.cpp that show it";
    const std::string said = name_mistakes(its.results, right, known);
    const bool is_named = said.find(its.numbers_of + ".\n") != std::string::npos;
    return is_named || its.results.empty() ? "" : "it is not named, but: " + said;
  }

  Grade tests(const fs::path& file, const std::string& name) const {
    const fs::path path = file.is_absolute() ? file : exercise_.folder / file;
    return grade_exercise(course_, exercise_, {.path = path},
                          {.work = work(name), .jobs = 1, .disguise = kDisguise});
  }

  // Graded as a student's: together they must reject every bug.
  std::string repository_tests() const {
    std::set<std::string> rejected;
    std::string reports;
    for (const std::string& file : exercise_.proof) {
      const Grade grade = tests(course_.tools.settings().source_dir / "tests" / file, "repository");
      for (const GradedRow& row : grade.rows)
        if (row.is_right) rejected.insert(row.name);
      reports += file + ":\n" + terminal_report(grade, false, true);
    }
    return rejected.size() == exercise_.rows.size() ? "" : reports;
  }

  const Course& course_;
  const Exercise& exercise_;
  const VerificationOptions& options_;
};

// A wrong submission gets its points, and the report says why.
std::string check_wrong_submission(const Course& course, const WrongSubmission& submission,
                                   const VerificationOptions& options) {
  const Exercise& exercise = find_exercise(course.exercises, submission.exercise, false);
  const fs::path work = options.work / "wrong-submissions" / submission.name;
  fs::remove_all(work);
  fs::create_directories(work / "files");
  for (const auto& [name, text] : submission.files)
    write_file_atomically(text_of(work / "files" / name), text);
  if (submission.files.empty())
    for (const Source& source : exercise.sources)
      write_file_atomically(
          text_of(work / "files" / source.file_name()),
          with_edits(reference_text(course, source.file), source.file, submission.name, submission.edits));
  const Grade grade = grade_exercise(course, exercise, {.path = work / "files"},
                                     {.work = work, .jobs = 1, .disguise = kDisguise});
  const std::string report = terminal_report(grade, false, true);
  const bool says = report.find(submission.says) != std::string::npos;
  return grade.score == submission.points && says ? "" : report;
}

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
    for (Check& check : ExerciseProof(course, *exercise, options).checks())
      checks.push_back(std::move(check));
  if (!names.empty()) return checks;
  for (const WrongSubmission& submission : course.wrong_submissions)
    checks.push_back({"wrong submission " + submission.name,
                      [&] { return check_wrong_submission(course, submission, options); }});
  return checks;
}

// Runs all of them, and prints those that do not hold. Returns their number.
int run_checks(const std::vector<Check>& checks, int jobs) {
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
      "less than a\nquarter of each variant's points.");
  VerificationOptions options;
  options.work = given_course.tools.settings().binary_dir / "verify";
  std::string only, variants;
  Index seed = 1, jobs = 0;
  line.option("--compiler", "CXX", &options.compilers,
              "another compiler for the references; may be repeated");
  line.option("--seed", "S", &seed, "of the inputs");
  line.option("--variants", "DIR", &variants, "prove variants that lie outside of the repository");
  line.option("--only", "TEXT", &only, "only the checks whose names hold this text: reference");
  line.option("--jobs", "N", &jobs, "checks at the same time; 0: one for each processor");
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
  require_between("--seed", seed, 0, kMaxSeed);
  options.seed = static_cast<unsigned>(seed);
  Course course = given_course;
  if (!variants.empty()) course.exercises = with_variants(course.exercises, path_of(variants));
  const int threads = jobs > 0 ? static_cast<int>(jobs) : default_threads();
  prepare(course, chosen_exercises(course, names), threads);

  const auto start = std::chrono::steady_clock::now();
  std::vector<Check> checks = all_checks(course, names, options);
  std::erase_if(checks, [&](const Check& check) { return check.label.find(only) == std::string::npos; });
  if (checks.empty()) throw UsageError("no check has \"" + only + "\" in its name");
  const int failed = run_checks(checks, threads);
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
  std::cout << checks.size() - static_cast<std::size_t>(failed) << " of " << checks.size() << " checks hold ("
            << seconds.count() << " s)\n";
  return failed == 0 ? 0 : 1;
}

}  // namespace plainformer::course
