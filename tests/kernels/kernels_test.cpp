// The choice of a table by name.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace plainformer {
namespace {

// What find_kernels says about a name, or "" if it finds the table.
std::string complaint(const std::string& name) {
  try {
    find_kernels(name);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Kernels, EveryNameFindsTheTableOfThatName) {
  for (const std::string& name : supported_kernels()) EXPECT_EQ(find_kernels(name).name, name);
}

TEST(Kernels, ScalarIsTheLastResortEverywhere) {
  EXPECT_EQ(known_kernels().back(), "scalar");
  EXPECT_EQ(supported_kernels().back(), "scalar");
}

TEST(Kernels, ThisBuildKnowsTheTablesOfItsArchitecture) {
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

TEST(Kernels, UseKernelsChangesTheTableInUse) {
  const std::string before = kernels().name;
  use_kernels("scalar");
  EXPECT_STREQ(kernels().name, "scalar");
  use_kernels(before);
  EXPECT_EQ(kernels().name, before);
}

// What default_kernels() says with PLAINFORMER_KERNELS set to `wish`.
std::string default_with(const std::string& wish) {
  const char* before = std::getenv("PLAINFORMER_KERNELS");
  const std::string restored = before ? before : "";
  setenv("PLAINFORMER_KERNELS", wish.c_str(), 1);
  std::string result;
  try {
    result = default_kernels().name;
  } catch (const std::runtime_error& error) {
    result = error.what();
  }
  before ? setenv("PLAINFORMER_KERNELS", restored.c_str(), 1) : unsetenv("PLAINFORMER_KERNELS");
  return result;
}

TEST(Kernels, TheEnvironmentForcesATable) {
  for (const std::string& name : supported_kernels()) EXPECT_EQ(default_with(name), name);
}

TEST(Kernels, AnUnknownNameInTheEnvironmentIsRefusedWithTheChoices) {
  for (const std::string wish : {"fastest", "", "AVX2", "scalar "}) {
    const std::string said = default_with(wish);
    EXPECT_NE(said.find("PLAINFORMER_KERNELS: there are no kernels \"" + wish + "\""), std::string::npos)
        << said;
    EXPECT_NE(said.find("scalar"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace plainformer
