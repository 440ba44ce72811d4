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

TEST(Bar, GrowsByEighthsOfABlock) {
  EXPECT_EQ(render_bar(0, 2), "");
  EXPECT_EQ(render_bar(1.0 / 16, 2), "▏");
  EXPECT_EQ(render_bar(0.75, 2), "█▌");
  EXPECT_EQ(render_bar(15.0 / 16, 2), "█▉");
  EXPECT_EQ(render_bar(1, 2), "██");
}

TEST(Bar, StaysInsideItsWidth) {
  EXPECT_EQ(render_bar(1.7, 2), "██");
  EXPECT_EQ(render_bar(-1, 2), "");
  EXPECT_EQ(render_bar(std::numeric_limits<double>::infinity(), 2), "██");
  EXPECT_EQ(render_bar(std::numeric_limits<double>::quiet_NaN(), 2), "");
}

TEST(Table, AsCommaSeparatedValues) {
  const Table table = {.columns = {{"n", "n"}, {"series", "attention"}, {"loss", "loss"}},
                       .rows = {{4.0, std::string("softmax, d_k = 8"), 0.1}, {8.0, std::string("b"), {}}}};
  EXPECT_EQ(to_csv(table), "n,series,loss\n4,\"softmax, d_k = 8\",0.1\n8,b,\n");
  EXPECT_EQ(to_csv({.columns = {{"x", "x"}}, .rows = {{"a \"b\""}, {"a\nb"}}}),
            "x\n\"a \"\"b\"\"\"\n\"a\nb\"\n");
}

}  // namespace
}  // namespace plainformer
