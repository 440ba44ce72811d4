#include "core/number_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

namespace plainformer {
namespace {

TEST(ShortestText, HasAsFewDigitsAsTheTypeNeeds) {
  EXPECT_EQ(shortest_text(0.1), "0.1");
  EXPECT_EQ(shortest_text(0.1f), "0.1");
  EXPECT_EQ(shortest_text(static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(shortest_text(1e-9), "1e-09");
  EXPECT_EQ(shortest_text(16000.0), "16000");
  EXPECT_EQ(shortest_text(-std::numeric_limits<double>::infinity()), "-inf");
}

template <typename Number>
void expect_read_back(const std::vector<Number>& numbers) {
  for (const Number number : numbers) {
    const std::string text = shortest_text(number);
    EXPECT_EQ(parse_number<Number>(text), number) << text;
  }
}

TEST(ShortestText, IsReadBackAsTheSameNumber) {
  using DoubleLimits = std::numeric_limits<double>;
  using FloatLimits = std::numeric_limits<float>;
  expect_read_back<double>(
      {0, 1.0 / 3, 0.1 + 0.2, -DoubleLimits::max(), DoubleLimits::min(), -DoubleLimits::denorm_min()});
  expect_read_back<float>(
      {0, 1.0f / 3, 0.1f + 0.2f, -FloatLimits::max(), FloatLimits::min(), -FloatLimits::denorm_min()});
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number<int>("-17"), -17);
  EXPECT_EQ(parse_number<double>("2.5e-1"), 0.25);
  for (const char* const text : {"", " 1", "1 ", "1x", "+1", "1.5", "99999999999", "one"})
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  for (const char* const text : {"", " 1", "1,5", "+1", "1e999"})
    EXPECT_EQ(parse_number<double>(text), std::nullopt) << text;
}

}  // namespace
}  // namespace plainformer
