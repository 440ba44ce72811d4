#include "core/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>

namespace plainformer {
namespace {

using Double = std::numeric_limits<double>;
using Float = std::numeric_limits<float>;

TEST(ShortestText, HasAsFewDigitsAsTheTypeNeeds) {
  EXPECT_EQ(shortest_text(0.1), "0.1");
  EXPECT_EQ(shortest_text(0.1f), "0.1");
  EXPECT_EQ(shortest_text(static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(shortest_text(1e-9), "1e-09");
  EXPECT_EQ(shortest_text(16000.0), "16000");
  EXPECT_EQ(shortest_text(-0.0), "-0");
  EXPECT_EQ(shortest_text(-Double::infinity()), "-inf");
  EXPECT_EQ(shortest_text(Double::quiet_NaN()), "nan");
}

TEST(RoundedText, IsThatOfPrintf) {
  EXPECT_EQ(fixed_text(-2.375, 2), "-2.38");
  EXPECT_EQ(scientific_text(12345, 2), "1.23e+04");
  EXPECT_EQ(general_text(0.00012345, 3), "0.000123");
  EXPECT_EQ(general_text(1234567, 3), "1.23e+06");
  EXPECT_EQ(fixed_text(-0.5, 0), "-0");
  EXPECT_EQ(fixed_text(1e300, 1).size(), 303u);
  EXPECT_EQ(fixed_text(Double::infinity(), 2), "inf");
  EXPECT_EQ(fixed_text(std::copysign(NAN, -1.0), 2), "nan") << "its sign depends on the processor";
}

template <typename Number, typename Bits>
void expect_read_back(Bits bits) {
  const auto number = std::bit_cast<Number>(bits);
  if (std::isnan(number)) return;
  const std::string text = shortest_text(number);
  ASSERT_EQ(std::bit_cast<Bits>(parse_number<Number>(text).value()), bits) << text;
}

TEST(ShortestText, IsReadBackAsTheSameNumber) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t bits = random(), power_of_two = bits >> 52 << 52;
    for (const std::uint64_t double_bits : {bits, bits & 0xfffffffffffff, power_of_two, power_of_two - 1}) {
      expect_read_back<double>(double_bits);
      expect_read_back<float>(static_cast<std::uint32_t>(double_bits >> 32));
    }
  }
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number<int>("-17"), -17);
  for (const char* const text : {"", " 1", "1 ", "1x", "+1", "1.5", "99999999999", "one"})
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  EXPECT_EQ(parse_number<double>("-2.5e-1"), -0.25);
  EXPECT_EQ(parse_number<double>(".5"), 0.5);
  EXPECT_EQ(parse_number<double>("5."), 5);
  EXPECT_EQ(parse_number<double>("1E+3"), 1000);
  EXPECT_EQ(parse_number<float>("-inf"), -Float::infinity());
  EXPECT_TRUE(std::isnan(parse_number<double>("nan").value()));
  for (const char* const text :
       {"", "-", ".", "+1", " 1", "1 ", "1,5", "1e", "1e+", "e5", "0x10", "infinite", "1.5.2", "1-2", "--1"})
    EXPECT_EQ(parse_number<double>(text), std::nullopt) << text;
}

TEST(ParseNumber, RefusesWhatTheTypeCannotHold) {
  for (const char* const text : {"1e999", "-1e999", "1e-999", "0.00001e-999"})
    EXPECT_EQ(parse_number<double>(text), std::nullopt) << text;
  EXPECT_EQ(parse_number<float>("1e39"), std::nullopt);
  EXPECT_EQ(parse_number<double>("0e999"), 0);
  EXPECT_EQ(parse_number<double>("4e-320"), 4e-320);
  EXPECT_EQ(parse_number<double>("1.7976931348623157e308"), Double::max());
}

}  // namespace
}  // namespace plainformer
