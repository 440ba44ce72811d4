// Paper: 6.3 English Constituency Parsing. A test for each sentence about decoding.
#include <gtest/gtest.h>

#include "support/program.h"

namespace plainformer {
namespace {

std::string help_of_parse() {
  return run_program({"parse", "--help"}).out;
}

// "During inference, we increased the maximum output length to input length + 300."
TEST(Section63, WeIncreasedTheMaximumOutputLengthToInputLengthPlus300) {
  EXPECT_TRUE(contains(help_of_parse(), "at most this many tokens longer than its input [300]"));
}

// "We used a beam size of 21 and alpha = 0.3 for both WSJ only and the semi-supervised setting."
TEST(Section63, WeUsedABeamSizeOf21AndAlpha03) {
  EXPECT_TRUE(contains(help_of_parse(), "the paper uses 21 [21]"));
  EXPECT_TRUE(contains(help_of_parse(), "ranks by probability only [0.3]"));
}

}  // namespace
}  // namespace plainformer
