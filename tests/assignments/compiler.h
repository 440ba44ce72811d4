// The compiler that the tests call.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "process.h"

namespace plainformer::course {

// PLAINFORMER_TEST_COMPILER, or the one that compiled the tests: built on Linux for Windows, they cannot call
// it.
inline std::string test_compiler() {
  const char* const other = std::getenv("PLAINFORMER_TEST_COMPILER");
  return other ? other : PLAINFORMER_CXX;
}

inline bool runs_here(const std::string& compiler) {
  try {
    const ProcessResult result = run_process({compiler, "--version"});
    return result.succeeded() && !result.output.empty();
  } catch (const std::runtime_error&) {
    return false;
  }
}

inline constexpr const char* kNoCompiler =
    "the compiler of this build does not run here: PLAINFORMER_TEST_COMPILER";

// On Windows, a student's program must not need the compiler's libraries.
inline std::vector<std::string> test_link_flags() {
  if (program_name("tests") == "tests") return {};
  return {"-static"};
}

// Not every user of Windows may make links. False if this one may not.
inline bool make_link(const std::filesystem::path& target, const std::filesystem::path& link) {
  std::error_code error;
  std::filesystem::create_symlink(target, link, error);
  return !error;
}

inline constexpr const char* kNoLinks = "this user may make no links";

}  // namespace plainformer::course
