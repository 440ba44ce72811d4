#include "decoding/search_options.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

std::string complaint(const SearchOptions& options) {
  return thrown_message<std::runtime_error>([&] { options.check("--"); });
}

TEST(SearchOptions, TheDefaultsAndTheirLimitsAreValid) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_EQ(complaint({.beam = 1, .length_penalty = 0, .n_best = 1, .limits = {0}, .batch = 1}), "");
  EXPECT_EQ(complaint({.beam = 5, .n_best = 5}), "");
}

TEST(SearchOptions, NameTheValueThatDoesNotFit) {
  EXPECT_EQ(complaint({.beam = 0}), "--beam: 0 is out of range (hint: choose 1 to 1000)");
  EXPECT_EQ(complaint({.beam = 3, .n_best = 4}),
            "--n-best: 4 is more than the beam, 3 (hint: choose a beam of at least 4)");
  EXPECT_EQ(complaint({.n_best = 0}), "--n-best: 0 is out of range (hint: choose at least 1)");
  EXPECT_EQ(complaint({.limits = {-1}}), "--extra-length: -1 is out of range (hint: choose 0 to 1000000)");
  EXPECT_EQ(complaint({.batch = 0}), "--batch: 0 is out of range (hint: choose 1 to 100000)");
  const std::string penalty =
      " is out of range (hint: choose 0 to 10; the paper uses 0.6 to translate, and 0.3 to parse)";
  EXPECT_EQ(complaint({.length_penalty = Real(-0.1)}), "--length-penalty: -0.1" + penalty);
  EXPECT_EQ(complaint({.length_penalty = std::numeric_limits<Real>::quiet_NaN()}),
            "--length-penalty: nan" + penalty);
}

TEST(SearchLimits, AllowSomeMoreTokensThanTheSourceHasButNoMoreThanTheDecoderReads) {
  EXPECT_EQ(SearchLimits{.extra_length = 50}.output_limit(7, 1024), 57);
  EXPECT_EQ(SearchLimits{.extra_length = 50}.output_limit(7, 40), 39);
  EXPECT_EQ(SearchLimits{.extra_length = 0}.output_limit(0, 40), 0);
}

}  // namespace
}  // namespace plainformer
