#include "verification.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>

#include "grading.h"
#include "io/atomic_file.h"
#include "reports.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr unsigned kDisguise = 14;  // one of those that `course grade` draws

using TextOf = std::function<std::string(const Source& source, const std::string& reference)>;

Grade grade_files(const Course& course, const Exercise& exercise, const fs::path& work,
                  GradingOptions options) {
  options.work = work;
  options.jobs = 1;
  return grade_exercise(course, exercise, work / "files", options);
}

// Writes a submission of an exercise and grades it.
Grade grade_written(const Course& course, const Exercise& exercise, const fs::path& work,
                    const TextOf& text_for, const GradingOptions& options) {
  fs::create_directories(work / "files");
  for (const Source& source : exercise.sources)
    write_file_atomically(text_of(work / "files" / source.file_name()),
                          text_for(source, reference_text(course, source.file)));
  return grade_files(course, exercise, work, options);
}

// Where the other tests' results are not asked for.
Exercise with_tests(Exercise exercise, const std::vector<ScoredTest>& tests) {
  exercise.tests = tests;
  exercise.gate = "";
  return exercise;
}

std::string unchanged(const Source&, const std::string& reference) {
  return reference;
}

std::string problems_of(const Grade& grade) {
  std::string text;
  for (const std::string& problem : grade.problems) text += problem + "\n";
  return text;
}

std::string passed_tests(const Grade& grade) {
  std::string text = problems_of(grade);
  for (const TestResult& test : grade.tests)
    if (test.status != Status::kFailed) text += test.name + " passes\n";
  return text;
}

std::string failed_tests(const Grade& grade) {
  std::string text = problems_of(grade);
  for (const TestResult& test : grade.tests)
    if (test.status != Status::kPassed) text += test.name + " fails: " + test.message + "\n";
  return text;
}

Check stub_check(const Course& course, const Exercise& exercise, const VerificationOptions& options) {
  return {exercise.label() + ": the stub", [&course, &exercise, options] {
            return passed_tests(grade_written(
                course, exercise, options.work / exercise.folder_name() / "stub",
                [](const Source& source, const std::string& reference) { return stub_of(reference, source); },
                {.seed = options.seed, .recognize = false}));
          }};
}

Check zeros_check(const Course& course, const Exercise& exercise, const VerificationOptions& options) {
  return {
      exercise.label() + ": all zeros", [&course, &exercise, options] {
        const Grade grade = grade_written(
            course, exercise, options.work / exercise.folder_name() / "zeros",
            [](const Source& source, const std::string& reference) { return zeros_of(reference, source); },
            {.seed = options.seed, .recognize = false});
        return grade.score > 0 ? "it scores\n" + passed_tests(grade) : problems_of(grade);
      }};
}

std::vector<fs::path> objects_in(const Exercise& exercise, const fs::path& work) {
  std::vector<fs::path> objects;
  for (const Source& source : exercise.sources) objects.push_back(work / (source.file_name() + ".o"));
  return objects;
}

// Says whether these numbers are taken for this bug's, and for no other's.
std::string problem_of_numbers(const Exercise& exercise, const Bug& bug, const ProbeLines& lines,
                               const Probes& probes) {
  const KnownNumbers known(probes, exercise.bugs);
  const Recognition recognition = recognize(lines, known);
  std::set<std::string> recognized;
  for (const Finding& finding : recognition.findings)
    for (const KnownMistake* const mistake : finding.mistakes) recognized.insert(mistake->name);
  if (recognized == std::set<std::string>{bug.name} && recognition.explains_all) return "";
  const auto reference = probes.find("reference");
  if (reference != probes.end() && reference->second == lines)
    return "its numbers are the reference's: choose inputs in probe.cpp that show it\n";
  std::string text = "its numbers are recognized as ";
  for (const std::string& other : recognized) text += other + " ";
  return text + (recognized.empty() ? "none of the recorded ones: run `course verify --write`\n" : "\n");
}

// Gathers what the probes print, and writes the file when the last one has come in.
class ProbeFile {
 public:
  explicit ProbeFile(const Exercise& exercise) : exercise_(exercise) {}

  // The last one says which bugs cannot be told apart.
  std::string add(const std::string& name, const ProbeLines& lines) {
    const std::lock_guard<std::mutex> lock(mutex_);
    probes_[name] = lines;
    if (probes_.size() <= exercise_.bugs.size()) return "";
    write_file_atomically(text_of(exercise_.folder / "probe.txt"), to_text(probes_));
    std::string problems;
    for (const Bug& bug : exercise_.bugs) {
      const std::string problem = problem_of_numbers(exercise_, bug, probes_[bug.name], probes_);
      if (!problem.empty()) problems += bug.name + ": " + problem;
    }
    return problems;
  }

 private:
  const Exercise& exercise_;
  std::mutex mutex_;
  Probes probes_;
};

Check bug_check(const Course& course, const Exercise& exercise, const Bug& bug,
                const VerificationOptions& options, const std::shared_ptr<ProbeFile>& file) {
  return {exercise.label() + ": bug " + bug.name, [&course, &exercise, &bug, options, file] {
            const auto catches_it = [&](const ScoredTest& test) { return test.name == bug.caught_by; };
            const auto test = std::find_if(exercise.tests.begin(), exercise.tests.end(), catches_it);
            if (test == exercise.tests.end()) return bug.caught_by + " is no member of `points`\n";
            const fs::path work = options.work / exercise.folder_name() / bug.name;
            const Grade grade = grade_written(course, with_tests(exercise, {*test}), work,
                                              [&bug](const Source& source, const std::string& reference) {
                                                return with_bug(reference, source.file, bug);
                                              },
                                              {.recognize = false});
            if (!grade.problems.empty()) return problems_of(grade);
            if (grade.tests.at(0).status != Status::kFailed) return bug.caught_by + " does not catch it\n";
            const ProbeLines lines =
                run_probe(course.tools, exercise, objects_in(exercise, work), {.work = work});
            if (options.write_probes) return file->add(bug.name, lines);
            return problem_of_numbers(exercise, bug, lines,
                                      load_probes(text_of(exercise.folder / "probe.txt")));
          }};
}

// The reference's numbers, which no bug may have.    Why they are not the recorded ones; empty if they are
std::string problem_of_reference(const Exercise& exercise, const ProbeLines& lines) {
  const ProbeLines recorded = load_probes(text_of(exercise.folder / "probe.txt"))["reference"];
  const bool same = std::equal(lines.begin(), lines.end(), recorded.begin(), recorded.end(), same_numbers);
  return same && !lines.empty() ? "" : "its numbers are not the recorded ones: run `course verify --write`\n";
}

// With the build's own compiler, it also has the numbers that are recorded.
Check reference_check(const Course& course, const Exercise& exercise, const VerificationOptions& options,
                      const std::string& compiler, const std::shared_ptr<ProbeFile>& file) {
  return {exercise.label() + ": the reference, " + compiler, [&course, &exercise, options, compiler, file] {
            Settings settings = course.tools.settings();
            settings.other_compiler = compiler;
            const Course with_compiler = {.tools = Toolchain(settings)};
            const std::string name = "reference-" + text_of(path_of(compiler).filename());
            const fs::path work = options.work / exercise.folder_name() / name;
            const std::string problems =
                failed_tests(grade_written(with_compiler, exercise, work, unchanged, {.recognize = false}));
            if (!problems.empty() || compiler != settings.compiler) return problems;
            const ProbeLines lines =
                run_probe(course.tools, exercise, objects_in(exercise, work), {.work = work});
            return options.write_probes ? file->add("reference", lines)
                                        : problem_of_reference(exercise, lines);
          }};
}

Check fairness_check(const Course& course, const Exercise& exercise, const VerificationOptions& options) {
  return {exercise.label() + ": seed " + std::to_string(options.seed) + " is fair",
          [&course, &exercise, options] {
            const fs::path work = options.work / exercise.folder_name() / "fair";
            fs::create_directories(work);
            const fs::path program = work / program_name("tests");
            const ProcessResult linked =
                course.tools.link(exercise, {}, course.tools.test_objects(exercise), program);
            if (!linked.succeeded()) return linked.output;
            const ProcessResult run = run_process(
                {text_of(program), "--gtest_filter=Fair.*"}, "", {.seconds = 60, .fixed_addresses = true},
                {"PLAINFORMER_COURSE_SEED=" + std::to_string(options.seed)});
            return run.succeeded() ? std::string() : run.output;
          }};
}

Check repository_answer_check(const Course& course, const Exercise& exercise,
                              const VerificationOptions& options) {
  return {exercise.label() + ": the repository's answer", [&course, &exercise, options] {
            const Grade grade =
                grade_written(course, exercise, options.work / exercise.folder_name() / "repository",
                              unchanged, {.seed = options.seed, .recognize = false});
            return 4 * grade.score < grade.points ? problems_of(grade) : "it scores\n" + passed_tests(grade);
          }};
}

Check starting_file_check(const Course& course, const Exercise& exercise,
                          const VerificationOptions& options) {
  return {exercise.label() + ": the starting file", [&course, &exercise, options] {
            const Grade grade = grade_exercise(course, exercise, exercise.folder / "start",
                                               {.work = options.work / exercise.folder_name(), .jobs = 1});
            return 4 * grade.score < grade.points ? problems_of(grade) : "it scores\n" + passed_tests(grade);
          }};
}

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

// The repository's own tests of the tested functions, graded as a student's: they must reject every bug.
Check repository_tests_check(const Course& course, const Exercise& exercise,
                             const VerificationOptions& options) {
  return {exercise.label() + ": the repository's tests", [&course, &exercise, options] {
            const std::string tested_number = std::to_string(exercise.tests_of);
            const Exercise& tested = find_exercise(course.exercises, tested_number, false);
            const fs::path work = options.work / exercise.folder_name() / "repository";
            std::set<std::string> files, not_rejected;
            for (const ScoredTest& bug : exercise.tests) not_rejected.insert("rejects " + bug.name);
            std::string text;
            for (const ScoredTest& test : tested.tests) {
              if (test.file.starts_with("./") || !files.insert(test.file).second) continue;
              const fs::path file = course.tools.test_file(tested, test.file);
              const Grade grade =
                  grade_exercise(course, exercise, file, {.work = work, .jobs = 1, .disguise = kDisguise});
              for (const TestResult& result : grade.tests)
                if (result.status == Status::kPassed) not_rejected.erase(result.name);
              if (not_rejected.empty()) return std::string();
              text += test.file + ":\n" + failed_tests(grade);
            }
            return text;
          }};
}

}  // namespace

std::vector<Check> checks_of(const Course& course, const Exercise& exercise,
                             const VerificationOptions& options) {
  if (exercise.kind == Kind::kTests)
    return {starting_file_check(course, exercise, options),
            repository_tests_check(course, exercise, options)};
  if (!exercise.variant.empty())
    return {fairness_check(course, exercise, options), stub_check(course, exercise, options),
            zeros_check(course, exercise, options), repository_answer_check(course, exercise, options)};

  std::vector<Check> checks = {stub_check(course, exercise, options), zeros_check(course, exercise, options)};
  const auto file = std::make_shared<ProbeFile>(exercise);
  checks.push_back(reference_check(course, exercise, options, course.tools.settings().compiler, file));
  for (const std::string& compiler : options.compilers)
    checks.push_back(reference_check(course, exercise, options, compiler, file));
  for (const Bug& bug : exercise.bugs) checks.push_back(bug_check(course, exercise, bug, options, file));
  return checks;
}

Check check_of(const Course& course, const Bug& bug, const VerificationOptions& options) {
  return {"the whole program: bug " + bug.name, [&course, &bug, options] {
            Exercise exercise;
            std::set<std::string> files;
            for (const Edit& edit : bug.edits)
              if (files.insert(edit.file).second)
                exercise.sources.push_back({.file = edit.file, .cut = {}, .drop = {}});
            exercise.tests = {{bug.caught_in, bug.caught_by, 1}};
            const GradingOptions grading = {.recognize = false};
            const fs::path work = options.work / "whole-program" / bug.name;
            const std::string sound =
                failed_tests(grade_written(course, exercise, work / "sound", unchanged, grading));
            if (!sound.empty()) return sound;
            return passed_tests(grade_written(
                course, exercise, work / "broken",
                [&bug](const Source& source, const std::string& reference) {
                  return with_bug(reference, source.file, bug);
                },
                grading));
          }};
}

Check check_of(const Course& course, const WrongSubmission& submission, const VerificationOptions& options) {
  return {"wrong submission " + submission.name, [&course, &submission, options] {
            const Exercise& exercise = find_exercise(course.exercises, submission.exercise, false);
            const fs::path work = options.work / "wrong-submissions" / submission.name;
            write_wrong_submission(course, exercise, submission, work / "files");
            const Grade grade = grade_files(course, exercise, work, {.disguise = kDisguise});
            const std::string report = terminal_report(grade, false, true);
            const bool says = report.find(submission.says) != std::string::npos;
            return grade.score == submission.points && says ? "" : report;
          }};
}

Check check_of_points(const Course& course) {
  return {"the points of the variants", [&course] {
            std::string text;
            for (const Exercise& variant : course.exercises) {
              if (variant.variant.empty()) continue;
              const Exercise& exercise = find_exercise(course.exercises, variant.name, false);
              if (variant.points() != exercise.points())
                text += variant.label() + " has other points than its exercise\n";
            }
            return text;
          }};
}

}  // namespace plainformer::course
