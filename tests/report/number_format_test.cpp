#include "report/number_format.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plainformer {
namespace {

TEST(NumberFormat, Fixed) {
  EXPECT_EQ(format_fixed(2.31, 3), "2.310");
  EXPECT_EQ(format_fixed(-0.5, 0), "-0");
  EXPECT_EQ(format_fixed(1e300, 1).size(), 303u);
  EXPECT_EQ(format_fixed(NAN, 2), "nan");
  EXPECT_EQ(format_fixed(std::copysign(NAN, -1.0), 2), "nan") << "its sign depends on the processor";
  EXPECT_EQ(format_fixed(-INFINITY, 2), "-inf");
}

TEST(NumberFormat, CountHasThreeDigitsAndAUnit) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1.00k");
  EXPECT_EQ(format_count(1234), "1.23k");
  EXPECT_EQ(format_count(41234), "41.2k");
  EXPECT_EQ(format_count(412345), "412k");
  EXPECT_EQ(format_count(2571264), "2.57M");
  EXPECT_EQ(format_count(3e15), "3000T");
  EXPECT_EQ(format_count(-41234), "-41.2k");
}

TEST(NumberFormat, CountRoundsIntoTheNextUnit) {
  EXPECT_EQ(format_count(999.9), "1.00k");
  EXPECT_EQ(format_count(9996), "10.0k");
  EXPECT_EQ(format_count(99960), "100k");
  EXPECT_EQ(format_count(999600), "1.00M");
}

TEST(NumberFormat, CountOf) {
  EXPECT_EQ(count_of(0, "pair"), "0 pairs");
  EXPECT_EQ(count_of(1, "pair"), "1 pair");
  EXPECT_EQ(count_of(2, "batch", "batches"), "2 batches");
}

TEST(NumberFormat, Duration) {
  EXPECT_EQ(format_duration(0), "0:00");
  EXPECT_EQ(format_duration(59.99), "0:59");
  EXPECT_EQ(format_duration(92), "1:32");
  EXPECT_EQ(format_duration(3723), "1:02:03");
  EXPECT_EQ(format_duration(2 * 86400 + 3723), "2 d 01:02:03");
  EXPECT_EQ(format_duration(-1), "-:--");
  EXPECT_EQ(format_duration(NAN), "-:--");
  EXPECT_EQ(format_duration(INFINITY), "-:--");
}

TEST(NumberFormat, RoughDuration) {
  EXPECT_EQ(format_rough_duration(0.2), "1 second");
  EXPECT_EQ(format_rough_duration(42.4), "42 seconds");
  EXPECT_EQ(format_rough_duration(130), "2 minutes");
  EXPECT_EQ(format_rough_duration(14 * 60), "14 minutes");
  EXPECT_EQ(format_rough_duration(3.5 * 3600), "3.5 hours");
  EXPECT_EQ(format_rough_duration(30 * 3600), "30 hours");
  EXPECT_EQ(format_rough_duration(12 * 86400), "12 days");
  EXPECT_EQ(format_rough_duration(INFINITY), "an unknown time");
}

TEST(NumberFormat, TickHidesTheErrorOfBinaryFractions) {
  EXPECT_EQ(format_tick(3 * 0.1), "0.3");
  EXPECT_EQ(format_tick(2000), "2000");
  EXPECT_EQ(format_tick(100000), "100000");
  EXPECT_EQ(format_tick(10000002), "10000002");
  EXPECT_EQ(format_tick(1e-5), "1e-05");
}

}  // namespace
}  // namespace plainformer
