#include "report/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace plainformer {
namespace {

TEST(NumberFormat, CountHasThreeDigitsAndAUnit) {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},         {999, "999"},     {1000, "1.00k"},    {1234, "1.23k"},
      {41234, "41.2k"}, {412345, "412k"}, {2571264, "2.57M"}, {3e15, "3000T"},
      {999.9, "1.00k"}, {9996, "10.0k"},  {99960, "100k"},    {999600, "1.00M"},
  };
  for (const auto& [count, text] : cases) EXPECT_EQ(format_count(count), text);
  EXPECT_EQ(count_of(0, "pair"), "0 pairs");
  EXPECT_EQ(count_of(1, "pair"), "1 pair");
}

TEST(NumberFormat, Durations) {
  const std::pair<double, const char*> cases[] = {
      {0, "0:00"},
      {59.99, "0:59"},
      {92, "1:32"},
      {3723, "1:02:03"},
      {2 * 86400 + 3723, "2 d 01:02:03"},
      {-1, "-:--"},
      {NAN, "-:--"},
      {INFINITY, "-:--"},
  };
  for (const auto& [seconds, text] : cases) EXPECT_EQ(format_duration(seconds), text);
}

// ---- tables

Table shapes() {
  return {.columns = {{"shape"}, {"GFLOP/s", ColumnKind::kNumber, 1}, {"of peak", ColumnKind::kShare}},
          .rows = {{"größe", 251.26, 0.5}, {"b", 7.0, std::monostate()}}};
}

TEST(Table, AlignsTextLeftAndNumbersRightAndDrawsSharesAsBars) {
  Table table = shapes();
  table.columns.push_back({"note"});
  table.rows[0].push_back("x");
  table.rows[1].push_back("y");
  EXPECT_EQ(render_table(table, /*with_bars=*/false),
            "shape  GFLOP/s  of peak  note\n"
            "größe    251.3     50 %  x\n"
            "b          7.0        -  y\n");
  EXPECT_EQ(render_table(table, /*with_bars=*/true),
            "shape  GFLOP/s  of peak                       note\n"
            "größe    251.3     50 % ██████████            x\n"
            "b          7.0        -                       y\n");
}

TEST(Table, RefusesARowOfAnotherLength) {
  Table table = shapes();
  table.rows.push_back({"too short", 1.0});
  EXPECT_THROW(render_table(table, false), std::logic_error);
}

TEST(Table, ABarGrowsByBlocksInsideItsWidth) {
  const auto bar = [](double share) {
    const Table table = {.columns = {{"s", ColumnKind::kShare}}, .rows = {{share}}};
    const std::string text = render_table(table, /*with_bars=*/true), line = text.substr(text.find('\n') + 1);
    return line.find("% ") == std::string::npos ? "" : line.substr(line.find("% ") + 2);
  };
  const std::string full = "████████████████████";
  EXPECT_EQ(bar(0), "");
  EXPECT_EQ(bar(-1), "");
  EXPECT_EQ(bar(std::numeric_limits<double>::quiet_NaN()), "");
  EXPECT_EQ(bar(0.08), "██\n");
  EXPECT_EQ(bar(1), full + "\n");
  EXPECT_EQ(bar(1.7), full + "\n");
  EXPECT_EQ(bar(std::numeric_limits<double>::infinity()), full + "\n");
}

}  // namespace
}  // namespace plainformer
