// The choice of a set of kernels by name.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace plainformer {
namespace {

// The error of find_kernels for a name, or "" if it finds that set.
std::string complaint(const std::string& name) {
  try {
    find_kernels(name);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Kernels, EveryNameFindsTheSetOfThatName) {
  for (const std::string& name : supported_kernels()) EXPECT_EQ(find_kernels(name).name, name);
}

TEST(Kernels, ScalarIsTheLastResortEverywhere) {
  EXPECT_EQ(known_kernels().back(), "scalar");
  EXPECT_EQ(supported_kernels().back(), "scalar");
}

TEST(Kernels, ThisBuildKnowsTheSetsOfItsArchitecture) {
#if defined(PLAINFORMER_DOUBLE)
  EXPECT_EQ(known_kernels(), (std::vector<std::string>{"scalar"}));
#elif defined(__x86_64__)
  EXPECT_EQ(known_kernels(), (std::vector<std::string>{"avx512", "avx2", "scalar"}));
#elif defined(__aarch64__)
  EXPECT_EQ(known_kernels(), (std::vector<std::string>{"neon", "scalar"}));
#endif
}

TEST(Kernels, AnUnknownNameIsRefusedWithTheChoices) {
  EXPECT_NE(complaint("sse9").find("there are no kernels \"sse9\""), std::string::npos) << complaint("sse9");
  for (const std::string& name : supported_kernels())
    EXPECT_NE(complaint("sse9").find(name), std::string::npos);
  EXPECT_NE(complaint(""), "");
}

TEST(Kernels, AKnownNameThatCannotRunHereIsRefused) {
  const std::vector<std::string> supported = supported_kernels();
  for (const std::string& name : known_kernels()) {
    const bool runs = std::find(supported.begin(), supported.end(), name) != supported.end();
    EXPECT_EQ(complaint(name).empty(), runs) << name << ": " << complaint(name);
  }
}

TEST(Kernels, UseKernelsChangesTheSetInUse) {
  const std::string before = kernels().name;
  use_kernels("scalar");
  EXPECT_STREQ(kernels().name, "scalar");
  use_kernels(before);
  EXPECT_EQ(kernels().name, before);
}

// The name of default_kernels(), or its error, with PLAINFORMER_KERNELS set to `value`, or unset if that is
// null.
std::string default_with(const char* value) {
  const char* before = std::getenv("PLAINFORMER_KERNELS");
  const std::string restored = before ? before : "";
  value ? setenv("PLAINFORMER_KERNELS", value, 1) : unsetenv("PLAINFORMER_KERNELS");
  std::string result;
  try {
    result = default_kernels().name;
  } catch (const std::runtime_error& error) {
    result = error.what();
  }
  before ? setenv("PLAINFORMER_KERNELS", restored.c_str(), 1) : unsetenv("PLAINFORMER_KERNELS");
  return result;
}

TEST(Kernels, TheEnvironmentForcesASet) {
  for (const std::string& name : supported_kernels()) EXPECT_EQ(default_with(name.c_str()), name);
}

TEST(Kernels, UnforcedTheWidestVectorsOfTheProcessorAreChosen) {
  const std::string chosen = default_with(nullptr);
#if defined(PLAINFORMER_DOUBLE)
  EXPECT_EQ(chosen, "scalar");
#elif defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2");
  EXPECT_EQ(chosen, has_avx512 ? "avx512" : has_avx2 ? "avx2" : "scalar");
#elif defined(__aarch64__)
  EXPECT_EQ(chosen, "neon");
#endif
}

TEST(Kernels, AnUnknownNameInTheEnvironmentIsRefusedWithTheChoices) {
  for (const std::string name : {"fastest", "", "AVX2", "scalar "}) {
    const std::string error = default_with(name.c_str());
    EXPECT_NE(error.find("PLAINFORMER_KERNELS: there are no kernels \"" + name + "\""), std::string::npos)
        << error;
    EXPECT_NE(error.find("scalar"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace plainformer
