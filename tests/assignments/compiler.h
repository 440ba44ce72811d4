// The compiler that the tests call.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "process.h"

namespace plainformer::course {

// PLAINFORMER_TEST_COMPILER, or the one that compiled the tests, which an emulated processor cannot call.
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

}  // namespace plainformer::course
