// The compiler of the build, as CMake found it, and the programs that it makes of an exercise.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "exercise.h"
#include "process.h"

namespace plainformer::course {

namespace fs = std::filesystem;

// CMake writes them into course_settings_$<CONFIG>.json.
struct Settings {
  fs::path source_dir;                     // of the repository
  fs::path binary_dir;                     // build/course
  std::string compiler, cmake, generator;  // the build system, as CMake calls it
  std::string other_compiler = {};         // compiles the submissions, if `verify --compiler` tries one
  std::vector<std::string> gtest_includes, gtest_libraries, compile_flags, link_flags;
  fs::path library;                               // libplainformer.a, which computes in double
  std::vector<std::string> library_objects = {};  // what it is made of
  std::string archiver = {};                      // `ar`
  fs::path float_build;    // build/toy: the program and the library that compute in float
  bool sanitizers = true;  // the compiler can link programs with those of addresses and undefined behavior
  bool thread_sanitizer = true;   // and with that of threads
  double compiler_seconds = 240;  // by the clock, for a submission

  fs::path reference(const std::string& source_file) const { return source_dir / "src" / source_file; }
  fs::path course_dir() const { return source_dir / "examples" / "assignments"; }
  const std::string& compiler_of_submissions() const {
    return other_compiler.empty() ? compiler : other_compiler;
  }
  fs::path float_library() const { return float_build / "src" / "libplainformer.a"; }
  fs::path float_app_library() const { return float_build / "src" / "libplainformer_app.a"; }
};

Settings load_settings(const fs::path& file);

// The source and the headers that an object was compiled from. A line of make in `object`.d names them.
std::vector<fs::path> dependencies(const fs::path& object);

class Toolchain {
 public:
  explicit Toolchain(Settings settings) : settings_(std::move(settings)) {}
  const Settings& settings() const { return settings_; }

  // Compiles a student's file (or a bug, or a stub) for an exercise, as C++ whatever its suffix is.
  //   more_flags   of the compiler, behind the usual ones
  ProcessResult compile_submission(const Exercise& exercise, const fs::path& source, const fs::path& object,
                                   const std::vector<std::string>& more_flags = {}) const;

  // Test files, drivers and support files: compiled once and kept, until they or a file they include change.
  // Another compiler or other options make another object. Several threads and processes may call it at once.
  //   more_flags   of the compiler, behind the usual ones
  //   std::runtime_error with the compiler's output if it fails
  fs::path kept_object(const Exercise& exercise, const fs::path& source,
                       const std::vector<std::string>& more_flags = {}) const;

  // All the kept objects of the exercise's tests, or of its driver.
  //   more_flags   for those files themselves: where a student's header is, "-iquote DIR"
  std::vector<fs::path> test_objects(const Exercise& exercise,
                                     const std::vector<std::string>& more_flags = {}) const;
  std::vector<fs::path> driver_objects(const Exercise& exercise,
                                       const std::vector<std::string>& more_flags = {}) const;

  // Compiles what is not current among the kept objects of all these exercises.
  void prepare(const std::vector<const Exercise*>& exercises, int jobs) const;

  // The `others` come first, then the student's objects, then the library without the files that the student writes:
  // what those define is the student's, for the library's own calls too. Without students' objects, the whole library.
  ProcessResult link(const Exercise& exercise, const std::vector<fs::path>& students,
                     const std::vector<fs::path>& others, const fs::path& program) const;

  // Whether the submissions of this exercise are built with sanitizers: it wants them, and the compiler has them.
  bool sanitizes(const Exercise& exercise) const;

  // The file of a test or of a variant's test.
  fs::path test_file(const Exercise& exercise, const std::string& file) const;

 private:
  // The library without the files of the exercise's sources: made once and kept, until the library changes.
  fs::path library_without_sources(const Exercise& exercise) const;

  std::vector<std::string> common_flags(const Exercise& exercise) const;
  std::vector<std::string> test_flags() const;
  std::vector<std::string> sanitizer_flags(const Exercise& exercise) const;

  Settings settings_;
};

// Calls work(0) to work(count - 1), in this many threads. The first exception is rethrown at the end.
void in_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& work);

}  // namespace plainformer::course
