#include "ops/precision.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

TEST(Precision, IsFloatUnlessChosenOtherwise) {
  EXPECT_EQ(product_precision, Precision::kFloat);
  {
    const PrecisionInScope chosen(Precision::kBf16);
    EXPECT_EQ(product_precision, Precision::kBf16);
  }
  EXPECT_EQ(product_precision, Precision::kFloat);
}

TEST(Precision, HasTwoNames) {
  EXPECT_EQ(find_precision("float", "here"), Precision::kFloat);
  EXPECT_EQ(precision_name(Precision::kFloat), "float");
  EXPECT_EQ(precision_name(Precision::kBf16), "bf16");
  for (const std::string name : {"", "half", "fp16", "BF16"})
    EXPECT_EQ(thrown_message<std::runtime_error>([&] { find_precision(name, "--precision"); }),
              "--precision: there is no precision \"" + name + "\" (hint: choose float or bf16)");
}

#ifdef PLAINFORMER_DOUBLE
TEST(Precision, Bf16IsRefusedInTheDoubleBuild) {
  EXPECT_EQ(thrown_message<std::runtime_error>([] { find_precision("bf16", "--precision"); }),
            "--precision: bf16 rounds floats, but this build computes in double (hint: use another build)");
}
#else
TEST(Precision, Bf16IsKnown) {
  EXPECT_EQ(find_precision("bf16", "here"), Precision::kBf16);
}
#endif

}  // namespace
}  // namespace plainformer
