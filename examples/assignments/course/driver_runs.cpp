#include "driver_runs.h"

#include <algorithm>
#include <mutex>

#include "io/atomic_file.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

std::vector<std::string> stages_of(const Results& right) {
  std::vector<std::string> stages;
  for (const Result& result : right)
    if (stages.empty() || stages.back() != result.stage) stages.push_back(result.stage);
  return stages;
}

void write_if_changed(const fs::path& path, const std::string& text) {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (fs::exists(path) && read_text(path) == text) return;
  fs::create_directories(path.parent_path());
  write_file_atomically(text_of(path), text);
}

fs::path folder_of(const Toolchain& tools, const Exercise& exercise, const std::string& name) {
  return tools.settings().binary_dir / "known" / exercise.folder_name() / path_of(name);
}

// The library is compiled without sanitizers, and that of threads would take its locks for data races.
Exercise without_thread_sanitizer(Exercise exercise) {
  if (exercise.sanitizers == "thread") exercise.sanitizers.clear();
  return exercise;
}

}  // namespace

ProcessResult run_limited(const Toolchain& tools, const Exercise& exercise, const Flags& command,
                          const GradingOptions& options) {
  constexpr double kWaiting = 4;  // on a busy machine, a sound answer waits for the processor
  const bool sanitized = tools.sanitizes(exercise);
  const double seconds = exercise.seconds * options.seconds_factor;
  // A sanitizer needs so much address space that RLIMIT_AS cannot limit it. What nobody wrote is NaN: bytes
  // of 255.
  const std::string megabytes = std::to_string(options.memory_mb),
                    at_once = ":max_allocation_size_mb=" + megabytes;
  return run_process(command,
                     {.seconds = kWaiting * seconds,
                      .cpu_seconds = seconds,
                      .memory_mb = sanitized ? 0 : options.memory_mb,
                      .no_files = true,
                      .fixed_addresses = sanitized},
                     {"ASAN_OPTIONS=detect_leaks=0:handle_abort=1:color=never:hard_rss_limit_mb=" +
                          megabytes + at_once + ":max_malloc_fill_size=1000000:malloc_fill_byte=255",
                      "UBSAN_OPTIONS=color=never", "TSAN_OPTIONS=handle_abort=1:color=never" + at_once,
                      "PLAINFORMER_THREADS=2", "PLAINFORMER_COURSE_SEED=" + std::to_string(options.seed)});
}

DriverRun run_driver(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                     const Results& right, const GradingOptions& options) {
  const ProcessResult whole = run_limited(tools, exercise, {text_of(program)}, options);
  Results results = results_of(whole.report);
  const bool is_complete = std::all_of(right.begin(), right.end(),
                                       [&](const Result& result) { return find_result(results, result); });
  if (whole.succeeded() && is_complete) return {.results = std::move(results)};
  DriverRun run;
  const std::vector<std::string> stages = stages_of(right);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const ProcessResult part = run_limited(tools, exercise, {text_of(program), std::to_string(i)}, options);
    for (Result& result : results_of(part.report)) run.results.push_back(std::move(result));
    if (!part.succeeded()) run.unfinished[stages[i]] = part;
  }
  return run;
}

Results right_results(const Toolchain& tools, const Exercise& given, const GradingOptions& options) {
  const Exercise exercise = without_thread_sanitizer(given);
  static std::mutex mutex;
  static std::map<std::string, Results> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const fs::path program = folder_of(tools, exercise, "reference") / program_name("driver");
  Results& results = known[text_of(program) + " " + std::to_string(options.seed)];
  if (!results.empty()) return results;
  Flags flags;
  if (read_text(exercise.folder / "driver.cpp").find("COURSE_ORACLE") != std::string::npos)
    flags = {"-DCOURSE_ORACLE"};
  tools.link_if_older(exercise, {}, tools.driver_objects(exercise, flags), program);
  const ProcessResult run = run_limited(tools, exercise, {text_of(program)}, options);
  if (!run.succeeded())
    throw std::runtime_error("the reference of " + exercise.label() + " does not come to its end here: " +
                             run.ending() + "\n" + run.output.substr(0, 2'000));
  return results = results_of(run.report);
}

std::vector<fs::path> kept_objects_of(const Toolchain& tools, const Exercise& exercise, const Bug* mistake,
                                      const Flags& more, Flags* header_flags) {
  std::vector<fs::path> objects;
  for (const Source& source : exercise.sources) {
    const std::string reference = without_the_fast_way(read_text(tools.settings().reference(source.file)));
    const std::string text = mistake ? with_bug(reference, source, *mistake) : reference;
    const fs::path folder = folder_of(tools, exercise, text == reference ? "reference" : mistake->name);
    const fs::path copy = source.is_header() ? folder / "include" / source.file : folder / source.file_name();
    write_if_changed(copy, text);
    if (!source.is_header())
      objects.push_back(tools.kept_object(exercise, copy, more));
    else if (header_flags && text != reference)
      *header_flags = {"-iquote", text_of(folder / "include")};
  }
  return objects;
}

std::vector<KnownMistake> known_mistakes(const Toolchain& tools, const Exercise& given, const Results& right,
                                         const GradingOptions& options) {
  const Exercise exercise = without_thread_sanitizer(given);
  static std::mutex mutex;
  static std::map<std::string, std::vector<KnownMistake>> all_known;
  const std::lock_guard<std::mutex> lock(mutex);
  std::vector<KnownMistake>& known =
      all_known[text_of(folder_of(tools, exercise, "")) + " " + std::to_string(options.seed)];
  if (!known.empty()) return known;
  std::vector<KnownMistake> tried(exercise.bugs.size());
  in_parallel(tried.size(), options.jobs, [&](std::size_t i) {
    const Bug& bug = exercise.bugs[i];
    const fs::path program = folder_of(tools, exercise, bug.name) / program_name("driver");
    tried[i] = {.name = bug.name, .numbers_of = bug.numbers_of, .read = bug.read};
    try {
      Flags header_flags;
      const std::vector<fs::path> objects = kept_objects_of(tools, exercise, &bug, {}, &header_flags);
      const std::vector<fs::path> driver = tools.driver_objects(exercise, header_flags);
      tools.link_if_older(exercise, objects, driver, program);
      tried[i].results = run_driver(tools, exercise, program, right, options).results;
    } catch (const std::runtime_error& error) {
      tried[i].problem = error.what();
    }
  });
  return known = tried;
}

}  // namespace plainformer::course
