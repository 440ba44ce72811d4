// The choice of a set of kernels by name.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "platform/compiler.h"
#include "support/thrown_message.h"
#include "system/system.h"

namespace plainformer {
namespace {

std::string complaint(const std::string& name) {
  return error_of([&] { find_kernels(name); });
}

// A program may have tensors that are computed before main.
const std::vector<std::string> kSupportedBeforeMain = supported_kernels();

TEST(Kernels, AreThereBeforeMainAndFoundByTheirNames) {
  EXPECT_EQ(kSupportedBeforeMain, supported_kernels());
  EXPECT_EQ(supported_kernels().back(), "scalar");
  for (const std::string& name : supported_kernels()) EXPECT_EQ(find_kernels(name).name, name);
}

TEST(Kernels, ANameThatCannotRunHereIsRefusedWithTheChoices) {
  const std::vector<std::string> supported = supported_kernels();
  for (const std::string name : {"avx512", "avx2", "neon", "wasm", "scalar", "sse9", ""}) {
    const bool runs = std::find(supported.begin(), supported.end(), name) != supported.end();
    EXPECT_EQ(complaint(name).empty(), runs) << name << ": " << complaint(name);
  }
  EXPECT_TRUE(contains(complaint("sse9"), "there are no kernels \"sse9\"")) << complaint("sse9");
  for (const std::string& name : supported) EXPECT_TRUE(contains(complaint("sse9"), name));
}

// The name of default_kernels(), or its error, with PLAINFORMER_KERNELS set to `value`, or unset if that is
// null.
std::string default_with(const char* value) {
  const EnvironmentVariable variable("PLAINFORMER_KERNELS");
  value ? variable.set(value) : variable.unset();
  std::string name;
  const std::string error = error_of([&] { name = default_kernels().name; });
  return name + error;
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

TEST(Kernels, TheEnvironmentForcesASet) {
  for (const std::string& name : supported_kernels()) EXPECT_EQ(default_with(name.c_str()), name);
  for (const std::string name : {"fastest", "", "AVX2", "scalar "}) {
    const std::string error = default_with(name.c_str());
    EXPECT_TRUE(contains(error, "PLAINFORMER_KERNELS: there are no kernels \"" + name + "\"")) << error;
  }
}

// --- a processor's peak ---

// x = x / 2 + 1 has the fixed point 2. All lanes arrive there if each chain takes all its steps.
TEST(FmaChains, CountTwoOperationsForEachStepOfEachLane) {
  for (const std::string& name : supported_kernels()) {
    const auto after = [&](Index steps) { return find_kernels(name).fma_chains(steps); };
    const FmaRun run = after(1000);
    EXPECT_GT(run.sum, 0) << name;
    EXPECT_EQ(run.operations, run.sum * 1000) << name;
    EXPECT_EQ(after(1).sum, after(0).sum / 2 + run.sum / 2) << name;
    EXPECT_EQ(after(2).sum, after(1).sum / 2 + run.sum / 2) << name;
  }
}

}  // namespace
}  // namespace plainformer
