#include "core/check.h"

#include <gtest/gtest.h>

#include "core/tensor.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

// The message after "file:line: ", which differs from machine to machine.
std::string without_location(const std::string& message) {
  const std::string file = "check_test.cpp:";
  const std::size_t line = message.find(file);
  EXPECT_NE(line, std::string::npos) << message;
  const std::size_t text = message.find(": ", line);
  const std::string number = message.substr(line + file.size(), text - line - file.size());
  EXPECT_FALSE(number.empty());
  EXPECT_EQ(number.find_first_not_of("0123456789"), std::string::npos) << message;
  return message.substr(text + 2);
}

TEST(Check, PassesSilently) {
  EXPECT_NO_THROW(CHECK(1 + 1 == 2, "arithmetic"));
}

TEST(Check, ThrowsALogicErrorWithTheConditionAndTheValues) {
  const int heads = 3, d_model = 8;
  const std::string message = thrown_message<std::logic_error>(
      [&] { CHECK(d_model % heads == 0, heads, " heads do not divide d_model ", d_model); });
  EXPECT_EQ(without_location(message), "check failed: d_model % heads == 0: 3 heads do not divide d_model 8");
}

TEST(Check, NeedsNoMessage) {
  const std::string message = thrown_message<std::logic_error>([] { CHECK(1 > 2); });
  EXPECT_EQ(without_location(message), "check failed: 1 > 2");
}

TEST(Check, IsOneStatement) {
  bool reached_else = false;
  if (false)
    CHECK(false);
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

TEST(CheckShape, PassesSilently) {
  const Tensor x({2, 3});
  const Index rows = 2;
  EXPECT_NO_THROW(CHECK_SHAPE(x, rows, 3));
}

TEST(CheckShape, NamesEveryExtent) {
  const Tensor scores({2, 8, 9, 7});
  const Index batch = 2, heads = 8, query_len = 7, key_len = 9;
  const std::string message =
      thrown_message<std::logic_error>([&] { CHECK_SHAPE(scores, batch, heads, query_len, key_len); });
  EXPECT_EQ(without_location(message),
            "scores: expected [batch=2, heads=8, query_len=7, key_len=9], got [2, 8, 9, 7]");
}

TEST(CheckShape, ShowsTheRankThatItGot) {
  const Tensor x({6});
  const Index d_model = 6, heads = 2;
  const std::string message =
      thrown_message<std::logic_error>([&] { CHECK_SHAPE(x, heads, d_model / heads, 5); });
  EXPECT_EQ(without_location(message), "x: expected [heads=2, d_model / heads=3, 5], got [6]");
}

TEST(CheckShape, SplitsItsArgumentsAtTopLevelCommasOnly) {
  const Tensor x({1});
  const std::string message =
      thrown_message<std::logic_error>([&] { CHECK_SHAPE(x, std::max(Index{2}, Index{3}), x.dim(0)); });
  EXPECT_EQ(without_location(message), "x: expected [std::max(Index{2}, Index{3})=3, x.dim(0)=1], got [1]");
}

}  // namespace
}  // namespace plainformer
