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

// Each death test runs in a process of its own, where nothing has asked for kernels() yet.
class KernelsFromEnvironment : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  static void name_table_in_use(const char* wish) {
    setenv("PLAINFORMER_KERNELS", wish, 1);
    try {
      std::exit(std::string(kernels().name) == wish ? 0 : 3);
    } catch (const std::runtime_error& error) {
      std::fputs(error.what(), stderr);
      std::exit(1);
    }
  }
};

TEST_F(KernelsFromEnvironment, TheVariableForcesATable) {
  for (const std::string& name : supported_kernels())
    EXPECT_EXIT(name_table_in_use(name.c_str()), testing::ExitedWithCode(0), "");
}

TEST_F(KernelsFromEnvironment, AnUnknownNameInTheVariableIsRefused) {
  EXPECT_EXIT(name_table_in_use("fastest"), testing::ExitedWithCode(1),
              "PLAINFORMER_KERNELS.*fastest.*scalar");
}

}  // namespace
}  // namespace plainformer
