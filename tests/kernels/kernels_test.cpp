// The choice of a set of kernels by name.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "platform/compiler.h"
#include "system/system.h"

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

// A program may have tensors that are computed before main.
const std::vector<std::string> kKnownBeforeMain = known_kernels();

TEST(Kernels, AreThereBeforeMain) {
  EXPECT_EQ(kKnownBeforeMain, known_kernels());
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
#elif defined(HAS_TILE_REGISTERS)
  EXPECT_EQ(known_kernels(), (std::vector<std::string>{"avx512", "amx", "avx2", "scalar"}));
#elif defined(__x86_64__)
  EXPECT_EQ(known_kernels(), (std::vector<std::string>{"avx512", "avx2", "scalar"}));
#elif defined(__aarch64__)
  EXPECT_EQ(known_kernels(), (std::vector<std::string>{"neon", "scalar"}));
#elif defined(__wasm_simd128__)
  EXPECT_EQ(known_kernels(), (std::vector<std::string>{"wasm", "scalar"}));
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
  const EnvironmentVariable variable("PLAINFORMER_KERNELS");
  value ? variable.set(value) : variable.unset();
  try {
    return default_kernels().name;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(Kernels, TheEnvironmentForcesASet) {
  for (const std::string& name : supported_kernels()) EXPECT_EQ(default_with(name.c_str()), name);
}

TEST(Kernels, UnforcedTheWidestVectorsOfTheProcessorAreChosen) {
  const std::string chosen = default_with(nullptr);
#if defined(PLAINFORMER_DOUBLE)
  EXPECT_EQ(chosen, "scalar");
#elif defined(__x86_64__)
  const bool has_avx2 = CPU_SUPPORTS("avx2") && CPU_SUPPORTS("fma");
  const bool has_avx512 = has_avx2 && CPU_SUPPORTS("avx512f") && CPU_SUPPORTS("avx512dq") &&
                          CPU_SUPPORTS("avx512bw") && CPU_SUPPORTS("avx512vl") && CPU_SUPPORTS("bmi2");
  EXPECT_EQ(chosen, has_avx512 ? "avx512" : has_avx2 ? "avx2" : "scalar");
#elif defined(__aarch64__)
  EXPECT_EQ(chosen, "neon");
#elif defined(__wasm_simd128__)
  EXPECT_EQ(chosen, "wasm");
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

// The set in use after use_kernels_for_bf16() with PLAINFORMER_KERNELS set to `value`, or unset if that is null.
std::string for_bf16_with(const char* value) {
  const EnvironmentVariable variable("PLAINFORMER_KERNELS");
  value ? variable.set(value) : variable.unset();
  const std::string before = kernels().name;
  use_kernels(default_kernels().name);
  use_kernels_for_bf16();
  const std::string chosen = kernels().name;
  use_kernels(before);
  return chosen;
}

TEST(Kernels, HalfPrecisionPrefersTileRegistersUnlessASetIsForced) {
  const std::vector<std::string> supported = supported_kernels();
  const bool has_amx = std::find(supported.begin(), supported.end(), "amx") != supported.end();
  EXPECT_EQ(for_bf16_with(nullptr), has_amx ? "amx" : default_with(nullptr));
  for (const std::string& name : supported) EXPECT_EQ(for_bf16_with(name.c_str()), name);
}

// All kernels but the products in half precision are the same functions.
TEST(Kernels, AmxSharesTheOtherKernelsWithAvx512) {
  for (const std::string& name : supported_kernels()) {
    if (name != "amx") continue;
    const Kernels &amx = find_kernels("amx"), &avx512 = find_kernels("avx512");
    EXPECT_EQ(amx.micro_kernel, avx512.micro_kernel);
    EXPECT_EQ(amx.softmax, avx512.softmax);
    EXPECT_NE(amx.bf16, avx512.bf16);
    return;
  }
  GTEST_SKIP() << "no AMX here";
}

}  // namespace
}  // namespace plainformer
