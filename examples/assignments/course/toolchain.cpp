#include "toolchain.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <exception>
#include <mutex>
#include <sstream>
#include <thread>

#include "core/input_error.h"
#include "json_reader.h"
#include "platform/platform.h"
#include "text.h"

namespace plainformer::course {

namespace {

// A submission may include an endless file, or instantiate templates for ever. Its object has some hundred
// kilobytes, and takes a compiler some hundred megabytes.
constexpr Limits kCompilerLimits = {.cpu_seconds = 60, .memory_mb = 4096, .file_mb = 64};

Flags operator+(Flags front, const Flags& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

// "tests.o", ".d" -> "tests.o.d"
fs::path with_ending(fs::path file, const std::string& ending) {
  return file += ending;
}

// The files that an object was compiled from, as a compiler writes them into FILE.d: "object: source header
// \\", and more lines. A backslash stands before a space in a name, and $$ for a dollar.
std::vector<fs::path> dependencies(const fs::path& object) {
  const std::string text = read_text(with_ending(object, ".d"));
  const std::size_t colon = text.find(": ");
  std::vector<fs::path> files;
  std::string name;
  for (std::size_t i = colon == std::string::npos ? text.size() : colon + 1; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\n';
    if ((text[i] == '\\' && next != '\n') || (text[i] == '$' && next == '$')) {
      name += text[++i];
    } else if (text[i] == '\\' || std::isspace(static_cast<unsigned char>(text[i]))) {
      if (!name.empty()) files.push_back(path_of(name));
      name.clear();
    } else {
      name += text[i];
    }
  }
  return files;
}

// Is it there, and is no input newer?
bool is_current(const fs::path& file, const std::vector<fs::path>& inputs) {
  std::error_code missing;
  const auto time = fs::last_write_time(file, missing);
  if (missing || inputs.empty()) return false;
  return std::all_of(inputs.begin(), inputs.end(), [&](const fs::path& input) {
    const auto input_time = fs::last_write_time(input, missing);
    return !missing && input_time <= time;
  });
}

// Makes a file that is kept. It gets its name when it is complete: a program that is interrupted leaves none.
// Its time is that of the start, so an input that changes meanwhile is newer.    make: the command that makes
// it under another name
void make_kept(const fs::path& file, const std::function<Flags(const fs::path& unfinished)>& make) {
  static std::atomic<int> count = 0;
  const fs::path unfinished = with_ending(file, "." + process_id() + "-" + std::to_string(count++));
  const auto start = fs::file_time_type::clock::now();
  fs::create_directories(file.parent_path());
  const ProcessResult made = run_process(make(unfinished));
  if (!made.succeeded()) throw std::runtime_error(text_of(file) + " cannot be made:\n" + made.output);
  fs::last_write_time(unfinished, start);
  for (const std::string ending : {".d", ""}) {
    const fs::path from = with_ending(unfinished, ending), to = with_ending(file, ending);
    if (fs::exists(from) && !replace_file(text_of(from), text_of(to)))
      throw input_error(text_of(to), "cannot be written: " + std::string(std::strerror(errno)),
                        "is there space on the disk, and may you write to this folder?");
  }
}

// "/repo/tests/ops/softmax_test.cpp" -> "tests_ops_softmax_test.cpp.1a2b3c": the digits stand for the
// command.
std::string name_of_kept(const fs::path& relative_source, const Flags& command) {
  std::ostringstream name, words;
  for (const char c : relative_source.generic_string()) name << (c == '/' ? '_' : c);
  for (const std::string& word : command) words << word << '\n';
  name << '.' << std::hex << std::hash<std::string>()(words.str());
  return name.str();
}

}  // namespace

Settings load_settings(const fs::path& file) {
  if (!fs::exists(file))
    throw input_error(text_of(file), "it is missing", "run `cmake --workflow --preset course` once");
  const JsonValue json = read_json_file(file);
  JsonReader reader(json, text_of(file));
  Settings settings;
  settings.source_dir = path_of(reader.text("source_dir"));
  settings.binary_dir = path_of(reader.text("binary_dir"));
  settings.compiler = reader.text("compiler");
  settings.cmake = reader.text("cmake");
  settings.generator = reader.text("generator");
  settings.gtest_includes = reader.texts("gtest_includes");
  settings.gtest_libraries = reader.texts("gtest_libraries");
  settings.compile_flags = reader.texts("compile_flags");
  settings.link_flags = reader.texts("link_flags");
  settings.library = path_of(reader.text("library"));
  settings.library_objects = reader.texts("library_objects");
  settings.archiver = reader.text("archiver");
  settings.float_build = settings.source_dir / "build" / "toy";
  settings.sanitizers = reader.boolean("sanitizers", false);
  settings.thread_sanitizer = reader.boolean("thread_sanitizer", false);
  reader.expect_no_more();
  return settings;
}

Flags Toolchain::common_flags(const Exercise& exercise, const std::string& float_level) const {
  Flags flags = {"-std=c++20", "-ffp-contract=off", "-g", exercise.in_float ? float_level : "-O0"};
  flags = flags + Flags{"-I", text_of(settings_.source_dir / "src"), "-I",
                        text_of(settings_.course_dir() / "support"),
                        "-DPLAINFORMER_SOURCE_DIR=\"" + text_of(settings_.source_dir) + "\""};
  if (!exercise.in_float) flags.push_back("-DPLAINFORMER_DOUBLE");
  return flags + settings_.compile_flags;
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
  Flags flags = {"-I", text_of(settings_.source_dir / "tests")};
  for (const std::string& folder : settings_.gtest_includes)
    flags.insert(flags.end(), {"-idirafter", folder});
  return flags;
}

Flags Toolchain::precompiled(const Exercise& exercise, const Flags& command) const {
  const fs::path source = settings_.course_dir() / "support" / "common.h";
  if (exercise.in_float || !fs::exists(source)) return {};
  const fs::path header = settings_.binary_dir / "objects" / name_of_kept("common.h", command) / "common.h";
  const fs::path kept = with_ending(header, ".gch");
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (!is_current(kept, dependencies(kept)))
    make_kept(kept, [&](const fs::path& unfinished) {
      return command + Flags{"-x",
                             "c++-header",
                             text_of(source),
                             "-MMD",
                             "-MF",
                             text_of(with_ending(unfinished, ".d")),
                             "-o",
                             text_of(unfinished)};
    });
  return {"-include", text_of(header)};
}

ProcessResult Toolchain::compile_submission(const Exercise& exercise, const fs::path& source,
                                            const fs::path& object, const Flags& more) const {
  fs::create_directories(object.parent_path());
  Flags command =
      Flags{compiler_of_submissions()} + common_flags(exercise, "-O3") + sanitizer_flags(exercise);
  if (more.empty()) command = command + precompiled(exercise, command);
  if (exercise.asks_for_tests()) command = command + test_flags();
  command = command + more +
            Flags{"-Wall", "-Wextra", "-Wno-unused", "-Wno-unused-parameter", "-fdiagnostics-color=never"};
  Limits limits = kCompilerLimits;
  limits.seconds = settings_.compiler_seconds;
  return run_process(command + Flags{"-x", "c++", "-c", text_of(source), "-o", text_of(object)}, limits);
}

fs::path Toolchain::kept_object(const Exercise& exercise, const fs::path& source, const Flags& more) const {
  Flags command = Flags{settings_.compiler} + common_flags(exercise, "-O1");
  if (more.empty()) command = command + precompiled(exercise, command);  // other flags would need another one
  command = command + more + Flags{"-c", text_of(source)};
  const std::string name = name_of_kept(fs::relative(source, settings_.source_dir), command) + ".o";
  const fs::path object = settings_.binary_dir / "objects" / name;
  if (!is_current(object, dependencies(object)))
    make_kept(object, [&](const fs::path& unfinished) {
      return command +
             Flags{"-MMD", "-MF", text_of(with_ending(unfinished, ".d")), "-o", text_of(unfinished)};
    });
  return object;
}

std::vector<fs::path> Toolchain::driver_objects(const Exercise& exercise, const Flags& more) const {
  const fs::path support = settings_.course_dir() / "support";
  std::vector<fs::path> objects = {kept_object(exercise, exercise.folder / "driver.cpp", more)};
  for (const char* const file : {"driver_main.cpp", "not_written.cpp", "system.cpp"})
    objects.push_back(kept_object(exercise, support / file));
  return objects;
}

fs::path Toolchain::library_without_sources(const Exercise& exercise) const {
  if (exercise.in_float) return settings_.float_library("plainformer");
  if (exercise.sources.empty() || settings_.library_objects.empty()) return settings_.library;
  const fs::path library =
      settings_.binary_dir / "objects" / ("library-without-" + exercise.folder_name() + ".a");
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (is_current(library, {settings_.library})) return library;
  make_kept(library, [&](const fs::path& unfinished) {
    Flags command = {settings_.archiver, "rcs", text_of(unfinished)};
    for (const std::string& object : settings_.library_objects)
      if (std::none_of(exercise.sources.begin(), exercise.sources.end(),
                       [&](const Source& source) { return object.ends_with("/" + source.file + ".o"); }))
        command.push_back(object);
    return command;
  });
  return library;
}

ProcessResult Toolchain::link(const Exercise& exercise, const std::vector<fs::path>& students,
                              const std::vector<fs::path>& others, const fs::path& program) const {
  Flags command = Flags{compiler_of_submissions(), "-g"} + sanitizer_flags(exercise);
  for (const fs::path& object : others) command.push_back(text_of(object));
  for (const fs::path& object : students) command.push_back(text_of(object));
  if (exercise.in_float) command.push_back(text_of(settings_.float_library("plainformer_app")));
  const fs::path whole = exercise.in_float ? settings_.float_library("plainformer") : settings_.library;
  command.push_back(text_of(students.empty() ? whole : library_without_sources(exercise)));
  if (exercise.asks_for_tests()) command = command + settings_.gtest_libraries;
  return run_process(command + settings_.link_flags + Flags{"-pthread", "-o", text_of(program)},
                     {.seconds = 60});
}

void Toolchain::link_if_older(const Exercise& exercise, const std::vector<fs::path>& students,
                              const std::vector<fs::path>& others, const fs::path& program) const {
  std::vector<fs::path> inputs = students;
  inputs.insert(inputs.end(), others.begin(), others.end());
  inputs.push_back(exercise.in_float ? settings_.float_library("plainformer") : settings_.library);
  if (is_current(program, inputs)) return;
  fs::create_directories(program.parent_path());
  const ProcessResult linked = link(exercise, students, others, program);
  if (!linked.succeeded()) throw std::runtime_error(text_of(program) + " does not link:\n" + linked.output);
}

void in_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto take_work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(error_mutex);
        if (!error) error = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> threads;
  for (int job = 1; job < jobs && static_cast<std::size_t>(job) < count; ++job)
    threads.emplace_back(take_work);
  take_work();
  for (std::thread& thread : threads) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace plainformer::course
