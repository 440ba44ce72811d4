#include "toolchain.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <future>
#include <random>
#include <sstream>

#include "core/input_error.h"
#include "core/strings.h"
#include "platform/platform.h"

namespace plainformer::course {

namespace {

// A submission may include an endless file, or instantiate templates for ever. Its object has some hundred
// kilobytes, and takes a compiler some hundred megabytes.
constexpr Limits kCompilerLimits = {.cpu_seconds = 60, .memory_mb = 4096, .file_mb = 64};

Flags operator+(Flags front, const Flags& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

Flags as_flags(const std::vector<fs::path>& paths) {
  Flags texts;
  for (const fs::path& path : paths) texts.push_back(to_text(path));
  return texts;
}

// "/repo/tests/ops/softmax_test.cpp" -> "softmax_test.cpp.1a2b3c": the digits stand for the command.
std::string name_of_kept(const fs::path& source, const Flags& command) {
  std::ostringstream name, words;
  for (const std::string& word : command) words << word << '\n';
  name << source.filename().string() << '.' << std::hex << std::hash<std::string>()(words.str());
  return name.str();
}

// Is a file there, and not older than its inputs?
bool is_current(const fs::path& file, const std::vector<fs::path>& inputs) {
  std::error_code missing;
  const auto time = fs::last_write_time(file, missing);
  return !missing && std::all_of(inputs.begin(), inputs.end(), [&](const fs::path& input) {
    const auto input_time = fs::last_write_time(input, missing);
    return !missing && input_time <= time;
  });
}

}  // namespace

fs::path Toolchain::kept(const fs::path& file, std::vector<fs::path> inputs, const Flags& command,
                         const Flags& last) const {
  for (const auto& entry : fs::directory_iterator(settings_.course_dir() / "support"))
    inputs.push_back(entry.path());
  return made_once<fs::path>(to_text(file), [&] {
    if (is_current(file, inputs)) return file;
    // It gets its name when it is complete: a program that is interrupted leaves none. Its time is that of
    // the start, so an input that changes meanwhile is newer.
    fs::path unfinished = file;
    unfinished += "." + std::to_string(std::random_device()());
    const auto start = fs::file_time_type::clock::now();
    fs::create_directories(file.parent_path());
    const ProcessResult made = run_process(command + Flags{to_text(unfinished)} + last);
    if (!made.succeeded()) throw std::runtime_error(to_text(file) + " cannot be made:\n" + made.output);
    fs::last_write_time(unfinished, start);
    if (!replace_file(to_text(unfinished), to_text(file)))
      throw input_error(to_text(file), "cannot be written: " + std::string(std::strerror(errno)),
                        "is there space on the disk, and may you write to this folder?");
    return file;
  });
}

Flags Toolchain::compile_command(const Exercise& exercise, const std::string& compiler,
                                 const std::string& float_level) const {
  const Flags flags = {compiler,
                       "-std=c++20",
                       "-ffp-contract=off",
                       "-g",
                       exercise.in_float ? float_level : "-O0",
                       "-I",
                       to_text(settings_.source_dir / "src"),
                       "-I",
                       to_text(settings_.course_dir() / "support"),
                       "-DPLAINFORMER_SOURCE_DIR=\"" + to_text(settings_.source_dir) + "\""};
  // Where time counts, indices are not checked, as in the library's own build.
  return flags + Flags{exercise.in_float ? "-DNDEBUG" : "-DPLAINFORMER_DOUBLE"};
}

bool Toolchain::sanitizes(const Exercise& exercise) const {
  if (exercise.sanitizers.empty()) return false;
  return exercise.sanitizers == "thread" ? settings_.thread_sanitizer : settings_.sanitizers;
}

Flags Toolchain::sanitizer_flags(const Exercise& exercise) const {
  if (!sanitizes(exercise)) return {};
  return {"-fsanitize=" + exercise.sanitizers, "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"};
}

Flags Toolchain::test_flags() const {
  Flags flags = {"-I", to_text(settings_.source_dir / "tests")};
  for (const std::string& folder : settings_.gtest_includes) flags = flags + Flags{"-idirafter", folder};
  return flags;
}

ProcessResult Toolchain::compile_submission(const Exercise& exercise, const fs::path& source,
                                            const fs::path& object, const Flags& more) const {
  fs::create_directories(object.parent_path());
  Flags command = compile_command(exercise, compiler_of_submissions(), "-O3") + sanitizer_flags(exercise);
  if (exercise.asks_for_tests()) command = command + test_flags();
  command = command + more +
            Flags{"-Wall", "-Wextra", "-Wno-unused", "-Wno-unused-parameter", "-fdiagnostics-color=never"};
  Limits limits = kCompilerLimits;
  limits.seconds = settings_.compiler_seconds;
  return run_process(command + Flags{"-x", "c++", "-c", to_text(source), "-o", to_text(object)}, limits);
}

fs::path Toolchain::kept_object(const Exercise& exercise, const fs::path& source, const Flags& more) const {
  const Flags command =
      compile_command(exercise, settings_.compiler, "-O1") + more + Flags{"-c", to_text(source), "-o"};
  std::vector<fs::path> inputs = {source, library_for(exercise, false)};
  Flags folders = {to_text(source.parent_path())};
  const auto headers = std::find(more.begin(), more.end(), "-iquote");
  if (headers != more.end()) folders.push_back(*(headers + 1));
  std::error_code no_folder;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(to_path(folder), no_folder))
      if (entry.path().extension() == ".h") inputs.push_back(entry.path());
  return kept(settings_.binary_dir / "objects" / (name_of_kept(source, command) + ".o"), inputs, command);
}

std::vector<fs::path> Toolchain::driver_objects(const Exercise& exercise, const Flags& more) const {
  const fs::path support = settings_.course_dir() / "support";
  std::vector<fs::path> objects = {kept_object(exercise, exercise.folder / "driver.cpp", more)};
  for (const char* const file : {"driver_main.cpp", "not_written.cpp"})
    objects.push_back(kept_object(exercise, support / file));
  return objects;
}

fs::path Toolchain::library_for(const Exercise& exercise, bool without_its_sources) const {
  if (exercise.in_float) return settings_.float_library("plainformer");
  if (!without_its_sources || exercise.sources.empty()) return settings_.library;
  Flags objects = settings_.library_objects;
  std::erase_if(objects, [&](const std::string& object) {
    return std::any_of(exercise.sources.begin(), exercise.sources.end(),
                       [&](const Source& source) { return object.ends_with("/" + source.file + ".o"); });
  });
  return kept(settings_.binary_dir / "objects" / ("library-without-" + exercise.folder_name() + ".a"),
              {settings_.library}, {settings_.archiver, "rcs"}, objects);
}

Flags Toolchain::link_command(const Exercise& exercise, const std::vector<fs::path>& students,
                              const std::vector<fs::path>& others) const {
  Flags command = Flags{compiler_of_submissions(), "-g"} + sanitizer_flags(exercise) + as_flags(others) +
                  as_flags(students);
  for (const char* const name : {"plainformer_show", "plainformer_app"})
    if (exercise.in_float) command.push_back(to_text(settings_.float_library(name)));
  command.push_back(to_text(library_for(exercise, !students.empty())));
  if (exercise.asks_for_tests()) command = command + settings_.gtest_libraries;
  return command + settings_.link_flags + Flags{"-pthread", "-o"};
}

ProcessResult Toolchain::link(const Exercise& exercise, const std::vector<fs::path>& students,
                              const std::vector<fs::path>& others, const fs::path& program) const {
  return run_process(link_command(exercise, students, others) + Flags{to_text(program)}, {.seconds = 60});
}

void Toolchain::link_kept(const Exercise& exercise, const std::vector<fs::path>& students,
                          const std::vector<fs::path>& others, const fs::path& program) const {
  std::vector<fs::path> inputs = students;
  inputs.insert(inputs.end(), others.begin(), others.end());
  inputs.push_back(library_for(exercise, false));
  const Flags command = link_command(exercise, students, others);
  inputs.push_back(to_path(to_text(program) + ".command"));
  write_if_changed(inputs.back(), join("\n", command));
  kept(program, inputs, command);
}

bool was_killed(const ProcessResult& compiled) {
  const auto says_so = [](const std::string& line) {  // and does not quote the student's file
    const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
    return !has(".cpp:") && !has(" | ") &&
           (has("error: Killed signal") || has("terminated with signal 9") || has("execute command: Killed"));
  };
  const Texts lines = lines_of(compiled.output);
  return compiled.waited || std::any_of(lines.begin(), lines.end(), says_so);
}

std::runtime_error busy_machine(const std::string& what) {
  return input_error("this machine is too busy", what + " had to wait for a processor, or was killed",
                     "close other programs, or allow more time with --seconds-factor 3");
}

void in_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take_work = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::future<void>> others;
  for (int job = 1; job < jobs && static_cast<std::size_t>(job) < count; ++job)
    others.push_back(std::async(std::launch::async, take_work));
  take_work();
  for (std::future<void>& other : others) other.get();
}

}  // namespace plainformer::course
