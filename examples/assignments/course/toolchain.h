// The compiler of the build, as CMake found it, and the programs that it makes of an exercise.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exercise.h"
#include "process.h"

namespace plainformer::course {

namespace fs = std::filesystem;

// Written by CMake into course_settings.json.
struct Settings {
  fs::path source_dir;               // of the repository
  fs::path binary_dir;               // build/course
  std::string compiler, nm, cmake;
  std::vector<std::string> gtest_includes, gtest_libraries;
  fs::path library;                  // libplainformer.a, which computes in double
  bool sanitizers = true;            // the compiler can link them
};

Settings load_settings(const fs::path& file);

class Toolchain {
 public:
  explicit Toolchain(Settings settings) : settings_(std::move(settings)) {}
  const Settings& settings() const { return settings_; }

  // Compiles a student's file (or a bug, or a stub) for an exercise. The object's dependencies are in
  // `object`.d, a line of make.
  ProcessResult compile_submission(const Exercise& exercise, const fs::path& source, const fs::path& object) const;

  // Test files, probes and support files: compiled once and kept, until they or a header of theirs change.
  //   std::runtime_error with the compiler's output if it fails
  fs::path test_object(const Exercise& exercise, const fs::path& source) const;

  // Student's objects first, then the exercise's test files and the library. The other functions come from
  // the library.    `compiler` may differ from the settings' (verify tries several)
  ProcessResult link_tests(const Exercise& exercise, const std::vector<fs::path>& objects,
                           const fs::path& program) const;
  ProcessResult link_probe(const Exercise& exercise, const std::vector<fs::path>& objects,
                           const fs::path& program) const;

 private:
  Settings settings_;
};

}  // namespace plainformer::course
