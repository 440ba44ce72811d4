// Tables for people.
#include "report/table.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace plainformer {
namespace {

Table shapes() {
  using Kind = TableColumn::Kind;
  return {.columns = {{"name", "shape"},
                      {"rate", "GFLOP/s", Kind::kNumber, 1},
                      {"share", "of peak", Kind::kShare}},
          .rows = {{"größe", 251.26, 0.5}, {"b", 7.0, std::monostate()}}};
}

TEST(Table, AlignsTextLeftAndNumbersRight) {
  EXPECT_EQ(render_table(shapes(), /*with_bars=*/false),
            "shape  GFLOP/s  of peak\n"
            "größe    251.3     50 %\n"
            "b          7.0        -\n");
}

TEST(Table, DrawsSharesAsBars) {
  EXPECT_EQ(render_table(shapes(), /*with_bars=*/true),
            "shape  GFLOP/s  of peak\n"
            "größe    251.3     50 % ██████████\n"
            "b          7.0        -\n");
}

TEST(Table, WhatFollowsABarStaysAligned) {
  Table table = shapes();
  table.columns.push_back({"note", "note"});
  table.rows[0].push_back("x");
  table.rows[1].push_back("y");
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

TEST(Table, ABarGrowsByEighthsOfABlockInsideItsWidth) {
  const auto bar = [](double share) {
    const Table table = {.columns = {{"share", "s", TableColumn::Kind::kShare}}, .rows = {{share}}};
    const std::string text = render_table(table, /*with_bars=*/true), line = text.substr(text.find('\n') + 1);
    return line.find("% ") == std::string::npos ? "" : line.substr(line.find("% ") + 2);
  };
  const std::string full = "████████████████████";
  EXPECT_EQ(bar(0), "");
  EXPECT_EQ(bar(-1), "");
  EXPECT_EQ(bar(std::numeric_limits<double>::quiet_NaN()), "");
  EXPECT_EQ(bar(1.0 / 160), "▏\n");
  EXPECT_EQ(bar(0.075), "█▌\n");
  EXPECT_EQ(bar(15.0 / 160), "█▉\n");
  EXPECT_EQ(bar(1), full + "\n");
  EXPECT_EQ(bar(1.7), full + "\n");
  EXPECT_EQ(bar(std::numeric_limits<double>::infinity()), full + "\n");
}

}  // namespace
}  // namespace plainformer
