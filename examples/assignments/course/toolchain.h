// The compiler of the build, as CMake found it, and the programs that it makes of an exercise.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exercise.h"
#include "process.h"

namespace plainformer::course {

struct Settings {
  fs::path source_dir;                     // the repository's folder
  fs::path binary_dir;                     // build/course
  std::string compiler, cmake, generator;  // the build system, as CMake calls it
  Texts gtest_includes, gtest_libraries, compile_flags, link_flags;
  fs::path library;            // libplainformer.a, which computes in double
  Texts library_objects = {};  // what it is made of
  std::string archiver = {};   // `ar`
  bool sanitizers = true;  // the compiler can link programs with those of addresses and undefined behavior
  bool thread_sanitizer = true;     // and with that of threads
  double compiler_seconds = 240;    // by the clock, for a submission
  std::string other_compiler = {};  // compiles the submissions, if `verify --compiler` tries one

  fs::path reference(const std::string& source_file) const { return source_dir / "src" / source_file; }
  fs::path course_dir() const { return source_dir / "examples" / "assignments"; }
  fs::path float_build() const { return source_dir / "build" / "toy"; }  // computes in single precision
  fs::path float_library(const std::string& name) const {
    return float_build() / "src" / ("lib" + name + ".a");
  }
};

// CMake writes the function, into course_settings_$<CONFIG>.cpp.
Settings settings_of_this_build();

using Flags = std::vector<std::string>;

class Toolchain {
 public:
  explicit Toolchain(Settings settings) : settings_(std::move(settings)) {}
  const Settings& settings() const { return settings_; }

  // Compiles a student's file for an exercise, as C++ whatever its suffix is.
  //   more   flags of the compiler, behind the usual ones
  ProcessResult compile_submission(const Exercise& exercise, const fs::path& source, const fs::path& object,
                                   const Flags& more = {}) const;

  // Drivers, support files, the reference and known mistakes: compiled once and kept, until they, their
  // neighbors or the library change. Other flags make another object. Several threads and processes may call
  // it at once.
  //   std::runtime_error with the compiler's output if it fails
  fs::path kept_object(const Exercise& exercise, const fs::path& source, const Flags& more = {}) const;

  // The kept objects of the exercise's driver.
  //   more   flags for driver.cpp: where a student's header is, "-iquote DIR"
  std::vector<fs::path> driver_objects(const Exercise& exercise, const Flags& more = {}) const;

  // Links a program. The `others` come first, then the student's objects, then the library without the files
  // that the student writes: what those define is the student's, for the library's own calls too. Without
  // students' objects, the whole library.
  ProcessResult link(const Exercise& exercise, const std::vector<fs::path>& students,
                     const std::vector<fs::path>& others, const fs::path& program) const;

  // Links a program that is kept: only if it is missing, or older than one of the objects. std::runtime_error
  // if that fails
  void link_kept(const Exercise& exercise, const std::vector<fs::path>& students,
                 const std::vector<fs::path>& others, const fs::path& program) const;

  // Whether the submissions of this exercise are built with sanitizers: it wants them, and the compiler has
  // them.
  bool sanitizes(const Exercise& exercise) const;

  // For files that include GoogleTest and the headers of tests/.
  Flags test_flags() const;

 private:
  // The library without the files of the exercise's sources: made once and kept, until the library changes.
  fs::path library_without_sources(const Exercise& exercise) const;
  fs::path whole_library(const Exercise& exercise) const;
  // The command, and the headers that most files include, which are compiled once for it.
  Flags with_precompiled(const Exercise& exercise, const Flags& command) const;
  // Is a kept file there, and not older than the files that it is made of and the folder support/?
  bool is_current(const fs::path& file, std::vector<fs::path> inputs) const;

  const std::string& compiler_of_submissions() const {
    return settings_.other_compiler.empty() ? settings_.compiler : settings_.other_compiler;
  }
  Flags common_flags(const Exercise& exercise, const std::string& float_level) const;
  Flags sanitizer_flags(const Exercise& exercise) const;

  Settings settings_;
};

// Calls work(0) to work(count - 1), in this many threads. The first exception is rethrown at the end.
void in_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& work);

}  // namespace plainformer::course
