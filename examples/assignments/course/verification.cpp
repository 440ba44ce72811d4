#include "verification.h"

#include <algorithm>
#include <set>

#include "driver.h"
#include "io/atomic_file.h"
#include "reference_run.h"
#include "reports.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr unsigned kDisguise = 14;  // one of those that `course grade` draws

using TextOf = std::function<std::string(const Source& source)>;

// Writes a submission of an exercise and grades it.
Grade grade_written(const Course& course, const Exercise& exercise, const fs::path& work,
                    const TextOf& text_for, const VerificationOptions& options) {
  fs::create_directories(work / "files");
  for (const Source& source : exercise.sources)
    write_file_atomically(text_of(work / "files" / source.file_name()), text_for(source));
  return grade_exercise(course, exercise, work / "files",
                        {.work = work, .seed = options.seed, .jobs = 1, .recognize = false});
}

std::string problems_of(const Grade& grade) {
  std::string text;
  for (const std::string& problem : grade.problems) text += problem + "\n";
  return text;
}

std::string with_status(const Grade& grade, bool passed) {
  std::string text = problems_of(grade);
  for (const TestResult& test : grade.tests)
    if ((test.status == Status::kPassed) == passed)
      text += test.name + (passed ? " passes" : " fails: " + test.message) + "\n";
  return text;
}

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
    if (exercise_.kind == Kind::kTests) {
      add("the starting file", [self] { return self.starting_file(); });
      add("the repository's tests", [self] { return self.repository_tests(); });
      return all;
    }
    add("the stub", [self] { return self.stub(); });
    add("all zeros", [self] { return self.zeros(); });
    if (!exercise_.variant.empty()) {
      add("seed " + std::to_string(options_.seed) + " is fair", [self] { return self.fairness(); });
      add("the repository's answer", [self] { return self.repository_answer(); });
      return all;
    }
    const std::string own = course_.tools.settings().compiler;
    add("the reference", [self, own] { return self.reference(own); });
    for (const std::string& compiler : options_.compilers)
      add("the reference, " + compiler, [self, compiler] { return self.reference(compiler); });
    for (const fs::path& file : sources_in(exercise_.folder / "sound"))
      add("a right answer, " + text_of(file.stem()), [self, file] { return self.sound(file); });
    for (const Mistake& mistake : mistakes_of(course_.tools.settings(), exercise_))
      add("mistake " + mistake.name, [self, mistake] { return self.mistake(mistake); });
    return all;
  }

 private:
  fs::path work(const std::string& name) const {
    return options_.work / exercise_.folder_name() / path_of(name);
  }

  Grade written(const std::string& name, const TextOf& text_for) const {
    return grade_written(course_, exercise_, work(name), text_for, options_);
  }

  std::string text_of_reference(const Source& source) const { return reference_text(course_, source.file); }

  std::string stub() const {
    return with_status(
        written("stub", [&](const Source& source) { return stub_of(text_of_reference(source), source); }),
        true);
  }

  std::string zeros() const {
    const Grade grade =
        written("zeros", [&](const Source& source) { return zeros_of(text_of_reference(source), source); });
    return grade.score > 0 ? "it scores\n" + with_status(grade, true) : problems_of(grade);
  }

  std::string reference(const std::string& compiler) const {
    Settings settings = course_.tools.settings();
    settings.other_compiler = compiler;
    const Course with_compiler = {.tools = Toolchain(settings)};
    const fs::path folder = work("reference-" + text_of(path_of(compiler).filename()));
    const auto text_for = [&](const Source& source) { return text_of_reference(source); };
    return with_status(grade_written(with_compiler, exercise_, folder, text_for, options_), false);
  }

  std::string sound(const fs::path& file) const {
    return with_status(
        written("sound-" + text_of(file.stem()),
                [&](const Source& source) { return with_file(course_.tools.settings(), source, file); }),
        false);
  }

  // Where the driver gives the points, its results tell: a row of the table is lost, and the mistake is named.
  std::string mistake(const Mistake& mistake) const {
    if (exercise_.results.empty()) {
      const Grade grade = written(mistake.name, [&](const Source& source) {
        return with_mistake(course_.tools.settings(), source, mistake);
      });
      return grade.score < grade.points ? problems_of(grade) : "it gets all points";
    }
    const GradingOptions options = {.work = options_.work, .seed = options_.seed, .jobs = 1};
    const Results right = right_results(course_.tools, exercise_, options);
    const std::vector<KnownMistake> known = known_mistakes(course_.tools, exercise_, right, options);
    const auto is_this = [&](const KnownMistake& other) { return other.name == mistake.name; };
    const KnownMistake& its = *std::find_if(known.begin(), known.end(), is_this);
    if (!its.problem.empty()) return its.problem;
    const bool is_caught = std::any_of(right.begin(), right.end(), [&](const Result& result) {
      const Result* const found = find_result(its.results, result);
      return !(found && is_same(*found, result)) && is_worth_points(result);
    });
    if (!is_caught) return "it gets all points: choose inputs in driver.cpp that show it";
    const std::string said = name_mistakes(its.results, right, known);
    const bool is_named = said.find(mistake.numbers_of + ".\n") != std::string::npos;
    return is_named || its.results.empty() ? "" : "it is not named, but: " + said;
  }

  bool is_worth_points(const Result& result) const {
    return std::any_of(exercise_.results.begin(), exercise_.results.end(), [&](const ScoredResult& row) {
      return row.name == result.stage || row.name == result.label();
    });
  }

  // The tests named Fair look at the oracle alone.
  std::string fairness() const {
    const fs::path folder = work("fair"), program = folder / program_name("tests");
    fs::create_directories(folder);
    const ProcessResult linked =
        course_.tools.link(exercise_, {}, course_.tools.test_objects(exercise_), program);
    if (!linked.succeeded()) return linked.output;
    const ProcessResult run =
        run_process({text_of(program), "--gtest_filter=Fair.*"}, "", {.seconds = 60, .fixed_addresses = true},
                    {"PLAINFORMER_COURSE_SEED=" + std::to_string(options_.seed)});
    return run.succeeded() ? "" : run.output;
  }

  static std::string less_than_a_quarter(const Grade& grade) {
    return 4 * grade.score < grade.points ? problems_of(grade) : "it scores\n" + with_status(grade, true);
  }

  std::string repository_answer() const {
    const Exercise& exercise = find_exercise(course_.exercises, exercise_.name, false);
    if (exercise.points() != exercise_.points()) return "the variant has other points than its exercise";
    return less_than_a_quarter(
        written("repository", [&](const Source& source) { return text_of_reference(source); }));
  }

  Grade graded_tests(const fs::path& files, const std::string& name) const {
    return grade_exercise(course_, exercise_, files, {.work = work(name), .jobs = 1, .disguise = kDisguise});
  }

  std::string starting_file() const {
    return less_than_a_quarter(graded_tests(exercise_.folder / "start", "start"));
  }

  // Graded as a student's: together they must reject every bug.
  std::string repository_tests() const {
    std::set<std::string> not_rejected;
    for (const ScoredTest& bug : exercise_.tests) not_rejected.insert("rejects " + bug.name);
    std::string text;
    for (const std::string& file : exercise_.proof) {
      const Grade grade = graded_tests(course_.tools.settings().source_dir / "tests" / file, "repository");
      for (const TestResult& result : grade.tests)
        if (result.status == Status::kPassed) not_rejected.erase(result.name);
      text += file + ":\n" + with_status(grade, false);
    }
    return not_rejected.empty() ? "" : text;
  }

  const Course& course_;
  const Exercise& exercise_;
  const VerificationOptions& options_;
};

void write_wrong_submission(const Course& course, const Exercise& exercise, const WrongSubmission& submission,
                            const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const auto& [name, text] : submission.files) write_file_atomically(text_of(folder / name), text);
  if (!submission.files.empty()) return;
  for (const Source& source : exercise.sources)
    write_file_atomically(
        text_of(folder / source.file_name()),
        with_edits(reference_text(course, source.file), source.file, submission.name, submission.edits));
}

}  // namespace

std::vector<Check> checks_of(const Course& course, const Exercise& exercise,
                             const VerificationOptions& options) {
  return ExerciseProof(course, exercise, options).checks();
}

Check check_of(const Course& course, const Bug& bug, const VerificationOptions& options) {
  return {"the whole program: bug " + bug.name, [&course, &bug, &options] {
            Exercise exercise;
            std::set<std::string> files;
            for (const Edit& edit : bug.edits)
              if (files.insert(edit.file).second) exercise.sources.push_back({.file = edit.file});
            exercise.tests = {{bug.caught_in, bug.caught_by, 1}};
            const fs::path work = options.work / "whole-program" / bug.name;
            const auto graded = [&](const std::string& name, bool is_broken) {
              return grade_written(
                  course, exercise, work / name,
                  [&](const Source& source) {
                    const std::string reference = reference_text(course, source.file);
                    return is_broken ? with_bug(reference, source.file, bug) : reference;
                  },
                  options);
            };
            const std::string sound = with_status(graded("sound", false), false);
            return sound.empty() ? with_status(graded("broken", true), true) : sound;
          }};
}

Check check_of(const Course& course, const WrongSubmission& submission, const VerificationOptions& options) {
  return {"wrong submission " + submission.name, [&course, &submission, &options] {
            const Exercise& exercise = find_exercise(course.exercises, submission.exercise, false);
            const fs::path work = options.work / "wrong-submissions" / submission.name;
            write_wrong_submission(course, exercise, submission, work / "files");
            const Grade grade = grade_exercise(course, exercise, work / "files",
                                               {.work = work, .jobs = 1, .disguise = kDisguise});
            const std::string report = terminal_report(grade, false, true);
            const bool says = report.find(submission.says) != std::string::npos;
            return grade.score == submission.points && says ? "" : report;
          }};
}

}  // namespace plainformer::course
