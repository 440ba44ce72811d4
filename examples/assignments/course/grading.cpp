#include "grading.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "core/input_error.h"
#include "inspection.h"
#include "recognition.h"
#include "test_message.h"

namespace plainformer::course {

namespace {

constexpr long kMemoryMegabytes = 1024;
constexpr std::uintmax_t kMaxSourceBytes = 1'000'000;
constexpr std::size_t kMostCompilerBytes = 2'000;

// Options of the sanitizers. They need so much address space that RLIMIT_AS cannot limit them.
std::vector<std::string> test_environment(const GradingOptions& options) {
  const std::string limits = "hard_rss_limit_mb=" + std::to_string(kMemoryMegabytes);
  return {"ASAN_OPTIONS=detect_leaks=0:color=never:" + limits +
              ":max_allocation_size_mb=" + std::to_string(kMemoryMegabytes),
          "UBSAN_OPTIONS=color=never", "TSAN_OPTIONS=color=never",
          "PLAINFORMER_COURSE_SEED=" + std::to_string(options.seed)};
}

Limits test_limits(const Exercise& exercise, const Toolchain& tools) {
  const bool sanitized = !exercise.sanitizers.empty() && tools.settings().sanitizers;
  return {.seconds = exercise.seconds,
          .memory_mb = sanitized ? 0 : kMemoryMegabytes,
          .no_files = true,
          .fixed_addresses = exercise.sanitizers == "thread"};
}

// The student's file for a source of the exercise: in their folder, or the only file that there is.
fs::path student_file(const Exercise& exercise, const Source& source, const fs::path& files) {
  if (exercise.sources.size() == 1 && !fs::is_directory(files)) return files;
  return files / source.file_name();
}

std::string problem_of_file(const fs::path& file) {
  std::error_code missing;
  const fs::file_status status = fs::symlink_status(file, missing);
  if (!fs::exists(status)) return file.filename().string() + " is missing in " + file.parent_path().string();
  if (!fs::is_regular_file(status)) return file.filename().string() + " is no regular file";
  if (fs::file_size(file) > kMaxSourceBytes) return file.filename().string() + " has over 1 MB";
  return "";
}

// The objects of a submission, or the problems that keep it from being run.
struct Built {
  std::vector<fs::path> objects;
  std::vector<std::string> problems;
};

Built build(const Toolchain& tools, const Exercise& exercise, const fs::path& files,
            const GradingOptions& options) {
  Built built;
  for (const Source& source : exercise.sources) {
    const fs::path file = student_file(exercise, source, files);
    const fs::path object = options.work / (source.file_name() + ".o");
    const std::string problem = problem_of_file(file);
    if (!problem.empty()) {
      built.problems.push_back(problem);
      continue;
    }
    const ProcessResult compiled = tools.compile_submission(exercise, file, object);
    if (!compiled.succeeded()) {
      const std::string reason = compiled.timed_out ? " takes too long to compile" : " does not compile:\n";
      built.problems.push_back(file.filename().string() + reason +
                               compiled.output.substr(0, kMostCompilerBytes));
      continue;
    }
    built.objects.push_back(object);
    if (!options.inspect) continue;
    const fs::path reference = tools.kept_object(exercise, tools.settings().source_dir / "src" / source.file);
    for (const std::string& problem_of_object : inspect(tools, exercise, file, object, reference))
      built.problems.push_back(file.filename().string() + ": " + problem_of_object);
  }
  return built;
}

// A number that a test's program must write back. The student's code cannot read it.
std::string random_number() {
  std::random_device device;
  return std::to_string(device()) + std::to_string(device());
}

TestResult run_test(const Toolchain& tools, const Exercise& exercise, const ScoredTest& test,
                    const fs::path& program, const GradingOptions& options) {
  const std::string number = random_number();
  const ProcessResult run = run_process({program.string(), "--gtest_filter=" + test.name, "--gtest_color=no"},
                                        number, test_limits(exercise, tools), test_environment(options));
  TestResult result = {.name = test.name, .points = test.points, .message = {}};
  result.is_gate = test.name == exercise.gate;
  if (run.succeeded() && run.report == number) {
    result.status = Status::kPassed;
    result.score = test.points;
  } else {
    result.message = failure_message(run);
  }
  return result;
}

void apply_gate(Grade& grade) {
  const auto failed_gate = [](const TestResult& test) {
    return test.is_gate && test.status == Status::kFailed;
  };
  if (std::none_of(grade.tests.begin(), grade.tests.end(), failed_gate)) return;
  for (TestResult& test : grade.tests) {
    if (test.status != Status::kPassed) continue;
    test.status = Status::kNotCounted;
    test.score = 0;
  }
}

// "scores not divided by sqrt(d_k)", and where to read about it.
std::string recognized_bug(const Toolchain& tools, const Exercise& exercise,
                           const std::vector<fs::path>& objects, const GradingOptions& options) {
  const fs::path known = exercise.folder / "probe.txt";
  if (exercise.bugs.empty() || !fs::exists(known)) return "";
  const ProbeLines lines = run_probe(tools, exercise, objects, options);
  std::string text;
  for (const Bug* const bug : recognize(lines, load_probes(known.string()), exercise.bugs))
    text += (text.empty() ? "Your numbers are exactly those of: " : "or of: ") + bug->numbers_of +
            ".\nRead " + bug->read + ".\n";
  return text;
}

}  // namespace

ProbeLines run_probe(const Toolchain& tools, const Exercise& exercise, const std::vector<fs::path>& objects,
                     const GradingOptions& options) {
  const fs::path program = options.work / "probe";
  if (!tools.link(exercise, objects, tools.probe_objects(exercise), program).succeeded()) return {};
  const ProcessResult run =
      run_process({program.string()}, "", test_limits(exercise, tools), test_environment(options));
  return probe_lines(run.report);
}

Grade grade(const Toolchain& tools, const Exercise& exercise, const fs::path& files,
            const GradingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Grade grade = {.label = exercise.label(), .number = exercise.number, .points = exercise.points()};
  for (const ScoredTest& test : exercise.tests)
    grade.tests.push_back({.name = test.name, .points = test.points, .is_gate = test.name == exercise.gate});

  // Step 1. Compile the submission, and look at its objects before they run.
  fs::create_directories(options.work);
  const Built built = build(tools, exercise, files, options);
  grade.problems = built.problems;

  // Step 2. Link it with the exercise's tests.
  const fs::path program = options.work / "tests";
  if (grade.problems.empty()) {
    const ProcessResult linked = tools.link(exercise, built.objects, tools.test_objects(exercise), program);
    if (linked.succeeded())
      grade.program = program.string();
    else
      grade.problems.push_back("it does not link:\n" + linked.output.substr(0, kMostCompilerBytes));
  }

  // Step 3. Run each test in a process of its own.
  if (grade.problems.empty()) {
    in_parallel(exercise.tests.size(), options.jobs, [&](std::size_t i) {
      grade.tests[i] = run_test(tools, exercise, exercise.tests[i], program, options);
    });
    apply_gate(grade);
    for (const TestResult& test : grade.tests) grade.score += test.score;
  }

  // Step 4. Recognize a known bug by its numbers.
  if (grade.problems.empty() && options.recognize && grade.score < grade.points)
    grade.recognized = recognized_bug(tools, exercise, built.objects, options);
  grade.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return grade;
}

}  // namespace plainformer::course
