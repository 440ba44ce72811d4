#include "driver_runs.h"

#include <algorithm>

#include "platform/platform.h"
#include "source_cutter.h"

namespace plainformer::course {

namespace {

fs::path folder_of(const Toolchain& tools, const Exercise& exercise, const std::string& name) {
  return tools.settings().binary_dir / "known" / exercise.folder_name() / to_path(name);
}

std::string key_of(const Toolchain& tools, const Exercise& exercise, const GradingOptions& options) {
  return to_text(folder_of(tools, exercise, std::to_string(options.seed)));
}

// The reference and the known mistakes need no sanitizers, and without them they are built and run faster.
Exercise without_sanitizers(Exercise exercise) {
  exercise.sanitizers.clear();
  return exercise;
}

KnownMistake tried(const Toolchain& tools, const Exercise& exercise, const Bug& bug, const Results& right,
                   const GradingOptions& options) {
  KnownMistake mistake = {.name = bug.name, .numbers_of = bug.numbers_of, .read = bug.read};
  try {
    const fs::path program = folder_of(tools, exercise, bug.name) / "driver";
    Flags header_flags;
    const std::vector<fs::path> objects = kept_objects_of(tools, exercise, &bug, {}, &header_flags);
    tools.link_kept(exercise, objects, tools.driver_objects(exercise, header_flags), program);
    mistake.results = run_driver(tools, exercise, program, right, options).results;
  } catch (const std::runtime_error& error) {
    mistake.problem = error.what();
  }
  return mistake;
}

}  // namespace

ProcessResult run_limited(const Toolchain& tools, const Exercise& exercise, const Flags& command,
                          const GradingOptions& options) {
  constexpr double kWaiting = 4;  // on a busy machine, a sound answer waits for the processor
  constexpr long kMemoryMb = 1024;
  const bool sanitized = tools.sanitizes(exercise);
  const double seconds = exercise.seconds * options.seconds_factor;
  // A sanitizer needs so much address space that RLIMIT_AS cannot limit it. What nobody wrote is NaN: bytes
  // of 255.
  const std::string megabytes = std::to_string(kMemoryMb), at_once = ":max_allocation_size_mb=" + megabytes;
  const ProcessResult result =
      run_process(command,
                  {.seconds = kWaiting * seconds,
                   .cpu_seconds = seconds,
                   .memory_mb = sanitized ? 0 : kMemoryMb,
                   .no_files = true,
                   .fixed_addresses = sanitized},
                  {"ASAN_OPTIONS=detect_leaks=0:handle_abort=1:color=never:hard_rss_limit_mb=" + megabytes +
                       at_once + ":max_malloc_fill_size=1000000:malloc_fill_byte=255",
                   "UBSAN_OPTIONS=color=never", "TSAN_OPTIONS=handle_abort=1:color=never" + at_once,
                   "PLAINFORMER_THREADS=2", "PLAINFORMER_COURSE_SEED=" + std::to_string(options.seed)});
  if (may_be_the_machine(result)) throw busy_machine("a program of " + exercise.label());
  return result;
}

DriverRun run_driver(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                     const Results& right, const GradingOptions& options) {
  const ProcessResult whole = run_limited(tools, exercise, {to_text(program)}, options);
  DriverRun run = {.results = results_of(whole.report)};
  if (whole.succeeded() && std::all_of(right.begin(), right.end(), [&](const Result& result) {
        return find_result(run.results, result);
      })) {
    run.output = whole.output;
    return run;
  }
  run.results.clear();
  const Texts stages = stages_of(right);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const ProcessResult part = run_limited(tools, exercise, {to_text(program), std::to_string(i)}, options);
    for (Result& result : results_of(part.report)) run.results.push_back(std::move(result));
    if (!part.succeeded()) run.unfinished[stages[i]] = part;
  }
  return run;
}

const Results& right_results(const Toolchain& tools, const Exercise& given, const GradingOptions& options) {
  const Exercise exercise = without_sanitizers(given);
  return made_once<Results>(key_of(tools, exercise, options), [&] {
    const fs::path program = folder_of(tools, exercise, "reference") / "driver";
    const bool has_answer =
        read_text(exercise.folder / "driver.cpp").find("COURSE_ORACLE") != std::string::npos;
    tools.link_kept(exercise, {},
                    tools.driver_objects(exercise, Flags(has_answer ? 1 : 0, "-DCOURSE_ORACLE")), program);
    const ProcessResult run = run_limited(tools, exercise, {to_text(program)}, options);
    if (!run.succeeded())
      throw std::runtime_error("the reference of " + exercise.label() + " does not come to its end here: " +
                               run.ending() + "\n" + run.output.substr(0, 2'000));
    return results_of(run.report);
  });
}

std::vector<fs::path> kept_objects_of(const Toolchain& tools, const Exercise& exercise, const Bug* mistake,
                                      const Flags& more, Flags* header_flags) {
  std::vector<fs::path> objects;
  for (const Source& source : exercise.sources) {
    const std::string reference = without_the_fast_way(read_text(tools.settings().reference(source.file)));
    const std::string text =
        mistake ? with_edits(reference, source.file, mistake->name, mistake->edits) : reference;
    const fs::path folder = folder_of(tools, exercise, text == reference ? "reference" : mistake->name);
    const fs::path copy = source.is_header() ? folder / "include" / source.file : folder / source.file_name();
    write_if_changed(copy, text);
    if (!source.is_header())
      objects.push_back(tools.kept_object(exercise, copy, more));
    else if (header_flags && text != reference)
      *header_flags = {"-iquote", to_text(folder / "include")};
  }
  return objects;
}

const std::vector<KnownMistake>& known_mistakes(const Toolchain& tools, const Exercise& given,
                                                const Results& right, const GradingOptions& options) {
  const Exercise exercise = without_sanitizers(given);
  return made_once<std::vector<KnownMistake>>(key_of(tools, exercise, options), [&] {
    std::vector<KnownMistake> known(exercise.bugs.size());
    in_parallel(known.size(), options.jobs,
                [&](std::size_t i) { known[i] = tried(tools, exercise, exercise.bugs[i], right, options); });
    return known;
  });
}

// --- why a program did not come to its end ---

namespace {

constexpr std::size_t kMostLines = 12, kMostCharacters = 1'000;

std::string first_line_with(const Texts& lines, const std::string& text) {
  for (const std::string& line : lines)
    if (line.find(text) != std::string::npos) return line;
  return "";
}

// What follows a text in a line, or the line if it does not hold the text.
std::string behind(const std::string& text, const std::string& line) {
  const std::size_t at = line.rfind(text);
  return at == std::string::npos ? line : line.substr(at + text.size(), kMostCharacters);
}

// The first frame with a line of a .cpp file, but not of the library's, which the student did not write:
// "    #1 0x55 in plainformer::softmax_forward(...) /home/me/softmax.cpp:31" -> "\nat softmax.cpp:31"
std::string students_place(const Texts& lines) {
  for (const std::string& line : lines)
    if (line.find(" #") != std::string::npos && line.find(".cpp:") != std::string::npos &&
        line.find(PLAINFORMER_SOURCE_DIR "/src/") == std::string::npos)
      return "\nat " + behind("/", line);
  return "";
}

// What a sanitizer found, or which exception left the code: "check failed: no such row", "an instance of
// 'int'".
std::string what_was_found(const Texts& lines) {
  for (const std::string before : {": check failed: ", "what():  ", "terminate called after throwing "}) {
    const std::string line = first_line_with(lines, before);
    if (!line.empty()) return "an exception left the code: " + behind(before, line) + students_place(lines);
  }
  const std::string undefined = first_line_with(lines, ": runtime error: ");
  if (!undefined.empty()) return behind("/", undefined);
  for (const std::string sanitizer : {"AddressSanitizer: ", "ThreadSanitizer: "}) {
    const std::string found = sanitizer + behind(sanitizer, first_line_with(lines, sanitizer));
    if (found != sanitizer)
      return found.substr(0, std::min(found.find(" on unknown"), found.find(" on address"))) +
             students_place(lines);
  }
  return "";
}

// GoogleTest's lines from the name of the first test that fails, or that runs at the end.
std::string failed_test(const std::string& output) {
  const std::string before = "[ RUN      ] ";
  const std::size_t end = output.find("[  FAILED  ]"), begin = output.rfind(before, end);
  if (begin == std::string::npos || output.find("[       OK ]", begin) < end) return "";
  const Texts lines = lines_of(output.substr(begin, end - begin));
  std::string text = behind(before, lines[0]) + " does not pass:\n";
  for (std::size_t i = 1; i < std::min(lines.size(), kMostLines + 1); ++i)
    text += lines[i].substr(0, kMostCharacters) + "\n";
  return text;
}

}  // namespace

std::string printed(const std::string& output) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& line : lines_of(output)) {
    const bool ends = line.find(": runtime error: ") != std::string::npos ||
                      line.starts_with("terminate called") || line.starts_with("==");
    if (ends || count++ == kMostLines) break;
    text += line.substr(0, kMostCharacters) + "\n";
  }
  return text.empty() ? "" : "It printed:\n" + text;
}

std::string failure_message(const ProcessResult& result) {
  const Texts lines = lines_of(result.output);
  const std::string not_written = first_line_with(lines, " is not written yet");
  if (!not_written.empty()) return not_written;
  if (result.timed_out) return "it was " + result.ending() + ": does every loop end?";
  const std::string test = failed_test(result.output);
  if (!test.empty()) return test;
  const std::string found = what_was_found(lines);
  return (found.empty() ? "it ended with " + result.ending() : found) + "\n" + printed(result.output);
}

}  // namespace plainformer::course
