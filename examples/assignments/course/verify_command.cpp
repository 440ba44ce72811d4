// `course verify` proves that the course works. It hands in submissions as a student would, and looks at
// their points: stubs and all zeros get none, the reference and the sound answers get all, tricks get what
// their honest part deserves; the repository's answer to an exercise gets less than a quarter of its
// variant's points. Each known mistake loses points, and is named.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <mutex>
#include <set>

#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "reports.h"
#include "source_cutter.h"

namespace plainformer::course {

namespace {

using Files = Members<std::string>;  // names and texts

// Of wrong-submissions/submissions.json: what somebody might hand in, and what it must get.
struct WrongSubmission {
  std::string name = {}, exercise = {};
  std::vector<Edit> edits = {};  // of the reference
  Files files = {};              // or the files themselves
  double points = 0;
  std::string says = {};  // a part of the report
};

void set(WrongSubmission& wrong, const JsonValue& value, const std::string& where) {
  JsonReader reader(value, where);
  reader.read("name", wrong.name);
  reader.read("exercise", wrong.exercise);
  reader.read_if_there("edits", wrong.edits);
  reader.read_if_there("files", wrong.files);
  reader.read("points", wrong.points);
  reader.read("says", wrong.says);
  reader.expect_no_more();
}

// What is handed in, and what it must get.
struct Trial {
  const Exercise* exercise = nullptr;
  std::string name = {};
  std::function<Files()> files = {};
  double least = 0, most = 0;  // points
  std::string says = {};       // a part of the report
  std::string compiler = {};   // another one
};

struct Check {
  std::string label = {};
  std::function<std::string()> run = {};  // what is wrong; empty if it holds
};

constexpr const char* kRan = "  FAIL  ";  // in the report of a file that compiled and ran

class Proof {
 public:
  Proof(const Course& course, const GradingOptions& options, const Texts& compilers)
      : course_(course), options_(options), compilers_(compilers) {}

  const std::vector<Check>& checks() const { return checks_; }

  void add(const Exercise& exercise) {
    const double all = exercise.points(), less_than_a_quarter = 0.2499 * all;
    if (exercise.asks_for_tests()) {
      const Files start = {{exercise.tests, read_text(exercise.folder / "start" / exercise.tests)}};
      add({&exercise, "the starting file", [=] { return start; }, 0, less_than_a_quarter});
      add(exercise, "the repository's tests", [&] { return repository_tests(exercise); });
      return;
    }
    static const auto as_it_is = [](const std::string& text, const Source& /*source*/) { return text; };
    const auto reference = [&] { return written(exercise, as_it_is); };
    add({&exercise, "the stub", [&] { return written(exercise, stub_of); }, 0, 0, kRan});
    add({&exercise, "all zeros", [&] { return written(exercise, zeros_of); }, 0, 0, kRan});
    if (!exercise.variant.empty())
      return add({&exercise, "the repository's answer", reference, 0, less_than_a_quarter});
    add({&exercise, "the reference", reference, all, all});
    for (const std::string& compiler : compilers_)
      add({&exercise, "the reference, " + compiler, reference, all, all, "", compiler});
    for (const fs::path& file : sources_in(exercise.folder / "sound"))
      add({&exercise, "a right answer, " + to_text(file.stem()),
           [&exercise, file, this] {
             return written(exercise, [&](const auto& text, const Source& source) {
               return with_functions(text, source, read_text(file));
             });
           },
           all, all});
    add(exercise, "its " + std::to_string(exercise.bugs.size()) + " mistakes",
        [&] { return mistakes(exercise); });
  }

  void add(const WrongSubmission& wrong) {
    const Exercise& exercise = find_exercise(course_.exercises, wrong.exercise, false);
    const auto edited = [&](const std::string& text, const Source& source) {
      return with_edits(text, source.file, wrong.name, wrong.edits);
    };
    add({&exercise, "wrong submission " + wrong.name,
         [=, this, &exercise, &wrong] {
           return wrong.files.empty() ? written(exercise, edited) : wrong.files;
         },
         wrong.points, wrong.points, wrong.says});
  }

 private:
  void add(const Exercise& exercise, const std::string& name, std::function<std::string()> run) {
    checks_.push_back({exercise.label() + ": " + name, std::move(run)});
  }

  void add(const Trial& trial) {
    add(*trial.exercise, trial.name, [trial, this, number = checks_.size()] {
      const Grade grade = graded(*trial.exercise, trial.files(), std::to_string(number), trial.compiler);
      const std::string report = terminal_report(grade, false, true);
      const bool is_as_said = report.find(trial.says) != std::string::npos;
      return is_as_said && grade.score >= trial.least && grade.score <= trial.most ? "" : report;
    });
  }

  Grade graded(const Exercise& exercise, const Files& files, const std::string& folder,
               const std::string& compiler = "") const {
    GradingOptions options = options_;
    options.work = options_.work / folder;
    fs::remove_all(options.work);
    fs::create_directories(options.work / "files");
    for (const auto& [name, text] : files) write_if_changed(options.work / "files" / name, text);
    Settings settings = course_.tools.settings();
    settings.other_compiler = compiler;
    Course course = course_;
    course.tools = Toolchain(settings);
    return grade_exercise(course, exercise, {.path = options.work / "files"}, options);
  }

  // The library's files after a change.
  template <typename Change>
  Files written(const Exercise& exercise, const Change& change) const {
    Files files;
    for (const Source& source : exercise.sources)
      files.emplace_back(source.file_name(), change(reference_text(course_, source.file), source));
    return files;
  }

  // Each has a wrong result that gives points, and is named.
  std::string mistakes(const Exercise& exercise) const {
    const Results& right = right_results(course_.tools, exercise, options_);
    const std::vector<KnownMistake>& known = known_mistakes(course_.tools, exercise, right, options_);
    std::string problems;
    for (const KnownMistake& mistake : known) {
      const bool is_caught = std::any_of(right.begin(), right.end(), [&](const Result& result) {
        return !has_same(mistake.results, result, exercise.tolerance) &&
               std::any_of(exercise.rows.begin(), exercise.rows.end(), [&](const Row& row) {
                 return row.name == result.stage || row.name == result.label();
               });
      });
      const std::string said = name_mistakes(mistake.results, right, known);
      const bool is_named =
          mistake.results.empty() || said.find(mistake.numbers_of + ".\n") != std::string::npos;
      std::string problem = mistake.problem;
      if (problem.empty() && !is_caught)
        problem = "it gets all points: choose inputs in driver.cpp that show it";
      if (problem.empty() && !is_named) problem = "it is not named, but: " + said;
      if (!problem.empty()) problems += mistake.name + ": " + problem + "\n";
    }
    return problems;
  }

  // Graded as a student's: together they must reject every bug.
  std::string repository_tests(const Exercise& exercise) const {
    std::set<std::string> rejected;
    std::string reports;
    for (const std::string& file : exercise.proof) {
      const std::string text = read_text(course_.tools.settings().source_dir / "tests" / file);
      const Grade grade = graded(exercise, {{exercise.tests, text}}, exercise.folder_name());
      for (const GradedRow& row : grade.rows)
        if (row.is_right) rejected.insert(row.name);
      reports += file + ":\n" + terminal_report(grade, false, true);
    }
    return rejected.size() == exercise.rows.size() ? "" : reports;
  }

  const Course& course_;
  const GradingOptions& options_;
  const Texts& compilers_;
  std::vector<Check> checks_;
};

// Runs all of them, and prints those that do not hold. Returns their number.
int run_checks(const std::vector<Check>& checks, int jobs) {
  ProgressBar progress(std::cerr, understands_escapes(2), std::ssize(checks), {.unit = "check"});
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

int verify_command(const Course& course, const Arguments& arguments) {
  CommandLine line(
      "course verify [EXERCISE ...] [options]",
      "Proves that the course works: every stub and all zeros get no points, every reference and every "
      "other right answer get all, each known mistake loses points and is named, and the repository's "
      "answer gets less than a quarter of each variant's points.");
  GradingOptions options = {.work = course.tools.settings().binary_dir / "verify"};
  Texts compilers;
  Index jobs = default_threads() + 1;  // some wait
  line.option("--compiler", "CXX", &compilers, "another compiler for the references; may be repeated");
  line.option("--seed", "S", &options.seed, "of the inputs");
  line.option("--jobs", "N", &jobs, "checks at the same time");
  Arguments names;
  if (!line.read(arguments, &names)) return 0;
  require_between("--seed", options.seed, 0, kMostSeed);

  std::set<std::string> numbers;
  for (const std::string& name : names) numbers.insert(find_exercise(course.exercises, name, false).number);
  std::vector<const Exercise*> chosen;
  for (const Exercise& exercise : course.exercises)
    if (names.empty() || numbers.contains(exercise.number)) chosen.push_back(&exercise);
  const auto start = std::chrono::steady_clock::now();
  prepare(course, chosen, static_cast<int>(jobs));
  const fs::path file = course.tools.settings().course_dir() / "wrong-submissions" / "submissions.json";
  std::vector<WrongSubmission> wrong_submissions;
  set(wrong_submissions, read_json_file(file), to_text(file));
  Proof proof(course, options, compilers);
  // First those that may wait until their time is over, as wrong submissions do and threads that stop.
  for (const WrongSubmission& wrong : wrong_submissions)
    if (names.empty() || numbers.contains(wrong.exercise)) proof.add(wrong);
  for (auto exercise = chosen.rbegin(); exercise != chosen.rend(); ++exercise) proof.add(**exercise);

  const int failed = run_checks(proof.checks(), static_cast<int>(jobs));
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
  std::cout << std::ssize(proof.checks()) - failed << " of " << proof.checks().size() << " checks hold ("
            << seconds.count() << " s)\n";
  return failed == 0 ? 0 : 1;
}

}  // namespace plainformer::course
