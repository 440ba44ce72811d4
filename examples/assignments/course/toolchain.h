// The compiler of the build, as CMake found it, and the programs that it makes of an exercise.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "exercise.h"
#include "process.h"

namespace plainformer::course {

struct Settings {
  fs::path source_dir;                     // the repository's folder
  fs::path binary_dir;                     // build/course
  std::string compiler, cmake, generator;  // the build system, as CMake calls it
  Texts gtest_includes, gtest_libraries, link_flags;
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

// Files that are made are kept, until what they are made of, a header beside it, or the library changes: of
// the drivers, the reference, the known mistakes. Several threads and processes may ask for one at once.
class Toolchain {
 public:
  explicit Toolchain(Settings settings) : settings_(std::move(settings)) {}
  const Settings& settings() const { return settings_; }

  // Compiles a student's file for an exercise, as C++ whatever its suffix is.
  //   more   flags of the compiler, behind the usual ones
  ProcessResult compile_submission(const Exercise& exercise, const fs::path& source, const fs::path& object,
                                   const Flags& more = {}) const;

  // The kept object of a source. Other flags make another object.
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

  // Links a program that is kept, until its objects are others.
  void link_kept(const Exercise& exercise, const std::vector<fs::path>& students,
                 const std::vector<fs::path>& others, const fs::path& program) const;

  // Are the submissions of this exercise built with sanitizers? It wants them, and the compiler has them.
  bool sanitizes(const Exercise& exercise) const;

  // For files that include GoogleTest and the headers of tests/.
  Flags test_flags() const;

 private:
  // The file, which a command makes that ends in its name and these `last` words.
  fs::path kept(const fs::path& file, std::vector<fs::path> inputs, const Flags& command,
                const Flags& last = {}) const;
  fs::path library_for(const Exercise& exercise, bool without_its_sources) const;
  Flags compile_command(const Exercise& exercise, const std::string& compiler,
                        const std::string& float_level) const;
  Flags link_command(const Exercise& exercise, const std::vector<fs::path>& students,
                     const std::vector<fs::path>& others) const;
  Flags sanitizer_flags(const Exercise& exercise) const;
  const std::string& compiler_of_submissions() const {
    return settings_.other_compiler.empty() ? settings_.compiler : settings_.other_compiler;
  }

  Settings settings_;
};

// The value that `make` returns for a key: made once in this process, while others who ask for it wait.
template <typename Value>
const Value& made_once(const std::string& key, const std::function<Value()>& make) {
  struct Entry {
    std::once_flag is_made;
    Value value;
  };
  static std::mutex mutex;
  static std::map<std::string, Entry> entries;
  std::unique_lock<std::mutex> lock(mutex);
  Entry& entry = entries[key];
  lock.unlock();
  std::call_once(entry.is_made, [&] { entry.value = make(); });
  return entry.value;
}

// Had a compiler or a linker to wait for a processor, or did the system kill a part of it?
bool was_killed(const ProcessResult& compiled);

// Why nobody can be graded here: this had to wait for a processor.
std::runtime_error busy_machine(const std::string& what);

// Calls work(0) to work(count - 1), in this many threads. An exception is rethrown when all have ended.
void in_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& work);

}  // namespace plainformer::course
