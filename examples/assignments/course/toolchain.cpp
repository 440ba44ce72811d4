#include "toolchain.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <set>
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

constexpr const char* kSupportOfTests[] = {"test_main.cpp", "not_written.cpp", "system.cpp"};

bool is_current(const fs::path& object) {
  std::error_code missing;
  const auto time = fs::last_write_time(object, missing);
  if (missing) return false;
  const std::vector<fs::path> files = dependencies(object);
  const auto is_older = [&](const fs::path& file) {
    const auto file_time = fs::last_write_time(file, missing);
    return !missing && file_time <= time;
  };
  return !files.empty() && std::all_of(files.begin(), files.end(), is_older);
}

// "/repo/tests/ops/softmax_test.cpp" -> "tests_ops_softmax_test.cpp.1a2b3c.o": the digits stand for the command.
std::string object_name(const fs::path& relative_source, const std::vector<std::string>& command) {
  std::ostringstream name, words;
  for (const char c : relative_source.generic_string()) name << (c == '/' ? '_' : c);
  for (const std::string& word : command) words << word << '\n';
  name << '.' << std::hex << std::hash<std::string>()(words.str()) << ".o";
  return name.str();
}

// "tests.o", ".d" -> "tests.o.d"
fs::path with_ending(fs::path file, const std::string& ending) {
  return file += ending;
}

// Another thread may have given it to another file, and may be reading that one.
void give_name(const fs::path& file, const fs::path& name) {
  if (!replace_file(text_of(file), text_of(name)))
    throw input_error(text_of(name), "cannot be written: " + std::string(std::strerror(errno)),
                      "is there space on the disk, and may you write to this folder?");
}

std::vector<std::string> joined(std::vector<std::string> front, const std::vector<std::string>& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

}  // namespace

// "object: source header \\", and more lines. A backslash stands before a space in a name, and $$ for a dollar.
std::vector<fs::path> dependencies(const fs::path& object) {
  std::ifstream input(with_ending(object, ".d"), std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(input), {});
  const std::size_t colon = text.find(": ");
  std::vector<fs::path> files;
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) files.push_back(path_of(name));
    name.clear();
  };
  for (std::size_t i = colon == std::string::npos ? text.size() : colon + 1; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\n';
    if ((text[i] == '\\' && next != '\n') || (text[i] == '$' && next == '$'))
      name += text[++i];
    else if (text[i] == '\\' || std::isspace(static_cast<unsigned char>(text[i])))
      finish();
    else
      name += text[i];
  }
  finish();
  return files;
}

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

std::vector<std::string> Toolchain::common_flags(const Exercise& exercise) const {
  std::vector<std::string> flags = {"-std=c++20",
                                    "-g",
                                    "-ffp-contract=off",
                                    "-I",
                                    text_of(settings_.source_dir / "src"),
                                    "-I",
                                    text_of(settings_.course_dir() / "support")};
  if (!exercise.in_float) flags.push_back("-DPLAINFORMER_DOUBLE");
  return joined(std::move(flags), settings_.compile_flags);
}

bool Toolchain::sanitizes(const Exercise& exercise) const {
  if (exercise.sanitizers.empty()) return false;
  return exercise.sanitizers == "thread" ? settings_.thread_sanitizer : settings_.sanitizers;
}

std::vector<std::string> Toolchain::sanitizer_flags(const Exercise& exercise) const {
  if (!sanitizes(exercise)) return {};
  return {"-fsanitize=" + exercise.sanitizers, "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"};
}

// For files that include GoogleTest and the headers of tests/.
std::vector<std::string> Toolchain::test_flags() const {
  std::vector<std::string> flags = {"-I", text_of(settings_.source_dir / "tests"),
                                    "-DPLAINFORMER_SOURCE_DIR=\"" + text_of(settings_.source_dir) + "\""};
  for (const std::string& folder : settings_.gtest_includes)
    flags.insert(flags.end(), {"-idirafter", folder});
  return flags;
}

ProcessResult Toolchain::compile_submission(const Exercise& exercise, const fs::path& source,
                                            const fs::path& object,
                                            const std::vector<std::string>& more_flags) const {
  fs::create_directories(object.parent_path());
  std::vector<std::string> command = joined({settings_.compiler_of_submissions()}, common_flags(exercise));
  command = joined(joined(std::move(command), sanitizer_flags(exercise)), exercise.flags);
  command = joined(std::move(command), more_flags);
  if (exercise.kind == Kind::kTests) command = joined(std::move(command), test_flags());
  const std::vector<std::string> more = {"-Wall",
                                         "-Wextra",
                                         "-Wno-unused",
                                         "-Wno-unused-parameter",
                                         exercise.in_float ? "-O3" : "-O0",
                                         "-MMD",
                                         "-MF",
                                         text_of(with_ending(object, ".d")),
                                         "-fdiagnostics-color=never",
                                         "-x",
                                         "c++",
                                         "-c",
                                         text_of(source),
                                         "-o",
                                         text_of(object)};
  Limits limits = kCompilerLimits;
  limits.seconds = settings_.compiler_seconds;
  return run_process(joined(std::move(command), more), "", limits);
}

fs::path Toolchain::kept_object(const Exercise& exercise, const fs::path& source,
                                const std::vector<std::string>& more_flags) const {
  std::vector<std::string> command = joined({settings_.compiler}, common_flags(exercise));
  command = joined(joined(std::move(command), test_flags()), {exercise.in_float ? "-O1" : "-O0"});
  command = joined(joined(std::move(command), more_flags), {"-c", text_of(source)});
  const fs::path folder = settings_.binary_dir / "objects";
  const fs::path object = folder / object_name(fs::relative(source, settings_.source_dir), command);
  if (is_current(object)) return object;

  // The object gets its name when it is complete: a compiler that is interrupted leaves none. Its time is that
  // of the start, so a file that is edited meanwhile is newer.
  fs::create_directories(folder);
  const auto start = fs::file_time_type::clock::now();
  static std::atomic<int> count = 0;
  const fs::path unfinished = with_ending(object, "." + process_id() + "-" + std::to_string(count++));
  const ProcessResult result =
      run_process(joined(std::move(command),
                         {"-MMD", "-MF", text_of(with_ending(unfinished, ".d")), "-o", text_of(unfinished)}));
  if (!result.succeeded()) throw std::runtime_error(text_of(source) + " does not compile:\n" + result.output);
  fs::last_write_time(unfinished, start);
  give_name(with_ending(unfinished, ".d"), with_ending(object, ".d"));
  give_name(unfinished, object);
  return object;
}

fs::path Toolchain::test_file(const Exercise& exercise, const std::string& file) const {
  return file.starts_with("./") ? exercise.folder / file.substr(2) : settings_.source_dir / "tests" / file;
}

std::vector<fs::path> Toolchain::test_objects(const Exercise& exercise,
                                              const std::vector<std::string>& more_flags) const {
  const fs::path support = settings_.course_dir() / "support";
  std::vector<fs::path> objects;
  std::set<std::string> files;
  for (const ScoredTest& test : exercise.tests)
    if (files.insert(test.file).second)
      objects.push_back(kept_object(exercise, test_file(exercise, test.file), more_flags));
  for (const char* const file : kSupportOfTests) objects.push_back(kept_object(exercise, support / file));
  return objects;
}

std::vector<fs::path> Toolchain::driver_objects(const Exercise& exercise,
                                                const std::vector<std::string>& more_flags) const {
  const fs::path support = settings_.course_dir() / "support";
  return {kept_object(exercise, exercise.folder / "driver.cpp", more_flags),
          kept_object(exercise, support / "driver_main.cpp"),
          kept_object(exercise, support / "not_written.cpp")};
}

void Toolchain::prepare(const std::vector<const Exercise*>& exercises, int jobs) const {
  struct Work {
    const Exercise* exercise;
    fs::path source;
  };
  std::vector<Work> work;
  std::set<std::pair<fs::path, bool>> known;
  const auto add = [&](const Exercise& exercise, const fs::path& source) {
    if (fs::exists(source) && known.insert({source, exercise.in_float}).second)
      work.push_back({&exercise, source});
  };
  for (const Exercise* const exercise : exercises) {
    for (const char* const file : {"test_main.cpp", "driver_main.cpp", "not_written.cpp", "system.cpp"})
      add(*exercise, settings_.course_dir() / "support" / file);
    add(*exercise, exercise->folder / "driver.cpp");
    if (exercise->kind == Kind::kTests) continue;
    for (const ScoredTest& test : exercise->tests) add(*exercise, test_file(*exercise, test.file));
  }
  in_parallel(work.size(), jobs, [&](std::size_t i) { kept_object(*work[i].exercise, work[i].source); });
}

fs::path Toolchain::library_without_sources(const Exercise& exercise) const {
  if (exercise.in_float) return settings_.float_library();
  if (exercise.sources.empty() || settings_.library_objects.empty()) return settings_.library;
  std::string name = "library-without";
  std::set<std::string> left_out;
  for (const Source& source : exercise.sources) {
    left_out.insert("/" + source.file + ".o");
    name += "-" + text_of(path_of(source.file).stem());
  }
  const fs::path library = settings_.binary_dir / "objects" / (name + ".a");
  std::error_code missing;
  const auto time = fs::last_write_time(library, missing);
  if (!missing && time >= fs::last_write_time(settings_.library)) return library;

  static std::atomic<int> count = 0;
  const fs::path unfinished = with_ending(library, "." + process_id() + "-" + std::to_string(count++));
  std::vector<std::string> command = {settings_.archiver, "rcs", text_of(unfinished)};
  for (const std::string& object : settings_.library_objects) {
    const auto ends_it = [&](const std::string& ending) { return object.ends_with(ending); };
    if (std::none_of(left_out.begin(), left_out.end(), ends_it)) command.push_back(object);
  }
  fs::create_directories(library.parent_path());
  const ProcessResult made = run_process(command);
  if (!made.succeeded()) throw std::runtime_error(text_of(library) + " cannot be made:\n" + made.output);
  give_name(unfinished, library);
  return library;
}

ProcessResult Toolchain::link(const Exercise& exercise, const std::vector<fs::path>& students,
                              const std::vector<fs::path>& others, const fs::path& program) const {
  std::vector<std::string> command =
      joined({settings_.compiler_of_submissions(), "-g"}, sanitizer_flags(exercise));
  std::vector<fs::path> objects = others;
  objects.insert(objects.end(), students.begin(), students.end());
  for (const fs::path& object : objects) command.push_back(text_of(object));
  const fs::path whole = exercise.in_float ? settings_.float_library() : settings_.library;
  command.push_back(text_of(students.empty() ? whole : library_without_sources(exercise)));
  command = joined(joined(std::move(command), settings_.gtest_libraries), settings_.link_flags);
  command.insert(command.end(), {"-pthread", "-o", text_of(program)});
  return run_process(command, "", {.seconds = 60});
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
