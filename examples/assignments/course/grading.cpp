#include "grading.h"

#include <algorithm>
#include <chrono>

#include "concerns.h"
#include "core/input_error.h"
#include "recognition.h"
#include "reference_run.h"
#include "submission.h"
#include "test_message.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr int kMostStages = 20, kNoSuchStage = 64;  // as probe_main.cpp says

// The student's file for a source of the exercise: in their folder, or the only file that there is.
fs::path student_file(const Exercise& exercise, const Source& source, const fs::path& files) {
  if (exercise.sources.size() == 1 && !fs::is_directory(files)) return files;
  return files / source.file_name();
}

// The objects of a submission, or the problems that keep it from being run.
struct Built {
  std::vector<fs::path> objects;
  std::vector<std::string> problems;
  std::string warnings = {};
};

Built build_file(const Toolchain& tools, const Exercise& exercise, const Source& source,
                 const fs::path& files, const GradingOptions& options) {
  Built built;
  const fs::path file = student_file(exercise, source, files);
  const fs::path object = options.work / (source.file_name() + ".o");
  const std::string problem = compile_file(tools, exercise, file, object, &built.warnings);
  if (!problem.empty()) return {.objects = {}, .problems = {problem}};
  built.objects.push_back(object);
  return built;
}

Built build(const Toolchain& tools, const Exercise& exercise, const fs::path& files,
            const GradingOptions& options) {
  std::vector<Built> parts(exercise.sources.size());
  in_parallel(parts.size(), options.jobs, [&](std::size_t i) {
    parts[i] = build_file(tools, exercise, exercise.sources[i], files, options);
  });
  Built built;
  for (const Built& part : parts) {
    built.objects.insert(built.objects.end(), part.objects.begin(), part.objects.end());
    built.problems.insert(built.problems.end(), part.problems.begin(), part.problems.end());
    built.warnings += part.warnings;
  }
  return built;
}

TestResult run_test(const Toolchain& tools, const Exercise& exercise, const ScoredTest& test,
                    const fs::path& program, const GradingOptions& options) {
  const TestRun run = run_tests(tools, exercise, program, test.name, options);
  TestResult result = {.name = test.name, .points = test.points, .message = {}};
  result.is_gate = test.name == exercise.gate;
  if (run.passed) result.message = problem_of_losses(tools, exercise, test.name, run.losses, options);
  if (run.passed && result.message.empty()) {
    result.status = Status::kPassed;
    result.score = test.points;
  } else if (!run.passed) {
    result.message = failure_message(run.process);
    result.timed_out = run.process.timed_out;
    result.may_be_the_machine = may_be_the_machine(run.process);
  }
  return result;
}

// Says which bugs the numbers show, where to read about them, and which functions are right.
void recognize_bugs(const Toolchain& tools, const Exercise& exercise, const std::vector<fs::path>& objects,
                    const GradingOptions& options, Grade& grade) {
  const fs::path known = exercise.folder / "probe.txt";
  if (exercise.bugs.empty() || !fs::exists(known)) return;
  KnownNumbers numbers(exercise);
  Suspicion suspicion = {.functions = functions_to_write(exercise)};
  for (const Bug& bug : exercise.bugs)
    numbers.set_functions(bug.name, functions_of_bug(tools.settings(), exercise, bug));
  for (std::size_t i = 0; i < grade.tests.size(); ++i)
    if (grade.tests[i].was_tried && grade.tests[i].status == Status::kFailed)
      suspicion.failed.push_back(functions_of_test(tools, exercise, exercise.tests[i]));
  const Recognition recognition = recognize(run_probe(tools, exercise, objects, options), numbers, suspicion);
  grade.recognized = to_text(recognition);
  grade.right = right_text(recognition);
}

// The gate comes first. If it does not end, nothing counts, and the other tests might not end either.
void run_all_tests(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                   const GradingOptions& options, Grade& grade) {
  const auto run = [&](std::size_t i) {
    return run_test(tools, exercise, exercise.tests[i], program, options);
  };
  const auto gate = std::find_if(grade.tests.begin(), grade.tests.end(),
                                 [](const TestResult& test) { return test.is_gate; });
  if (gate != grade.tests.end()) {
    *gate = run(static_cast<std::size_t>(gate - grade.tests.begin()));
    if (gate->timed_out) {
      for (TestResult& test : grade.tests)
        if (!test.is_gate) {
          test.message = "not run: the gate did not end";
          test.was_tried = false;
        }
      return;
    }
  }
  in_parallel(exercise.tests.size(), options.jobs, [&](std::size_t i) {
    if (!grade.tests[i].is_gate) grade.tests[i] = run(i);
  });
}

}  // namespace

ProbeLines run_probe(const Toolchain& tools, const Exercise& exercise, const std::vector<fs::path>& objects,
                     const GradingOptions& options) {
  const fs::path program = options.work / program_name("probe");
  if (!tools.link(exercise, objects, tools.probe_objects(exercise), program).succeeded()) return {};
  return probe_lines_of(tools, exercise, program, options);
}

ProbeLines probe_lines_of(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                          const GradingOptions& options) {
  const ProcessResult whole = run_limited(tools, exercise, {text_of(program)}, "", options);
  if (whole.succeeded()) return probe_lines(whole.report);
  ProbeLines lines;
  for (int stage = 0; stage < kMostStages; ++stage) {
    const ProcessResult part =
        run_limited(tools, exercise, {text_of(program), std::to_string(stage)}, "", options);
    if (part.exit_code == kNoSuchStage) break;
    for (const std::string& line : probe_lines(part.report)) lines.push_back(line);
  }
  return lines;
}

Grade grade(const Toolchain& tools, const Exercise& exercise, const fs::path& files,
            const GradingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Grade grade = {.label = exercise.label(), .number = exercise.number, .points = exercise.points()};
  for (const ScoredTest& test : exercise.tests)
    grade.tests.push_back({.name = test.name, .points = test.points, .is_gate = test.name == exercise.gate});

  // Step 1. Compile the submission.
  fs::create_directories(options.work);
  const Built built = build(tools, exercise, files, options);
  grade.problems = built.problems;
  grade.warnings = built.warnings;

  // Step 2. Link it with the exercise's tests.
  const fs::path program = options.work / program_name("tests");
  if (grade.problems.empty()) {
    const ProcessResult linked = tools.link(exercise, built.objects, tools.test_objects(exercise), program);
    if (linked.succeeded())
      grade.debugger = debugger_command(tools, program);
    else
      grade.problems.push_back(link_problem(linked));
  }

  // Step 3. Run each test in a process of its own.
  if (grade.problems.empty()) {
    run_all_tests(tools, exercise, program, options, grade);
    apply_gate(grade);
    for (const TestResult& test : grade.tests) grade.score += test.score;
  }

  // Step 4. Recognize a known bug by its numbers.
  if (grade.problems.empty() && options.recognize && grade.score < grade.points)
    recognize_bugs(tools, exercise, built.objects, options, grade);
  grade.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return grade;
}

}  // namespace plainformer::course
