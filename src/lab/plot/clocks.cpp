// Section 3.5: positions as the hands of clocks, one for each pair of columns.
#include <cmath>
#include <numbers>
#include <string>

#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "report/number_format.h"
#include "transformer/positional_encoding.h"

namespace plainformer {

namespace clocks_picture {

constexpr Index kModel = 16, kClocks = 5;  // the slowest three hardly move
constexpr Index kPositions[] = {0, 1, 2, 3, 4, 20, 21};
constexpr double kWidth = 480, kLeft = 112, kTop = 96, kStep = 76, kRadius = 22, kRow = 56, kGap = 14;
constexpr const char* kCircle = "m-22 0a22 22 0 1 0 44 0a22 22 0 1 0-44 0z";

// The end of a hand that points up at angle 0 and turns to the right: its sine goes right, its cosine up.
ChartPoint hand(const Tensor& table, Index position, Index clock, ChartPoint center, double length) {
  return {center.x + length * double{table(position, 2 * clock)},
          center.y - length * double{table(position, 2 * clock + 1)}};
}

// A clock with its hand, and pale the hand of the position before.
std::string draw_clock(const Tensor& table, Index position, Index clock, ChartPoint center) {
  const int color = static_cast<int>(clock);
  const auto draw_hand = [&](const std::string& classes, Index of) {
    return svg::path(
        classes + color_class(color),
        svg::command('M', center) + svg::command('L', hand(table, of, clock, center, kRadius - 3)));
  };
  std::string svg = svg::path("arrow c6", svg::command('M', center) + kCircle);
  if (position > 0) {
    const ChartPoint from = hand(table, position - 1, clock, center, kRadius - 3),
                     to = hand(table, position, clock, center, kRadius - 3);
    const std::string radius = format_fixed(kRadius - 3, 1);
    svg += svg::path("box" + color_class(color), svg::command('M', center) + svg::command('L', from) + "A" +
                                                     radius + " " + radius + " 0 0 1 " +
                                                     svg::command(' ', to).substr(1) + "z");
  }
  return svg + draw_hand("line marked", position);
}

}  // namespace clocks_picture

std::string draw_clocks() {
  using namespace clocks_picture;
  const PositionalEncoding encoding(kPositions[6] + 1, kModel);
  const Tensor& table = encoding.table();
  const auto x_of = [](Index clock) { return kLeft + kStep * static_cast<double>(clock) + 24; };
  std::string svg = svg::text("soft", {16, 50}, "start",
                              "Filled: the turn since the position before, the same in each row");
  for (Index clock = 0; clock < kClocks; ++clock) {
    // One step from position 0: sine and cosine of the turn itself.
    const double turn =
        std::atan2(double{table(1, 2 * clock)}, double{table(1, 2 * clock + 1)}) * 180 / std::numbers::pi;
    svg += svg::text("ink small", {x_of(clock), kTop - 20}, "middle",
                     std::to_string(2 * clock) + ", " + std::to_string(2 * clock + 1));
    svg += svg::text("soft small", {x_of(clock), kTop - 5}, "middle",
                     format_fixed(turn, turn < 10 ? 1 : 0) + "°");
  }
  svg += svg::text("soft small", {kLeft - 16, kTop - 20}, "end", "columns");
  svg += svg::text("soft small", {kLeft - 16, kTop - 5}, "end", "a step turns by");
  double y = kTop + kRadius + 8;
  Index before = -1;
  for (const Index position : kPositions) {
    if (position > before + 1) y += kGap;
    svg += svg::text("ink", {kLeft - 16, y + 4}, "end", "position " + std::to_string(position));
    for (Index clock = 0; clock < kClocks; ++clock)
      svg += draw_clock(table, position, clock, {x_of(clock), y});
    before = position;
    y += kRow;
  }
  return framed({.title = "A position is the time on some clocks",
                 .description =
                     "A row of five clocks for each of the positions 0 to 4, 20 and 21, from the encoding "
                     "of width 16. Each clock shows a pair of columns, sine and cosine. From one position to "
                     "the next the first hand turns by 57 degrees, the second by 18, and so on, ever less. "
                     "The turn from 20 to 21 is the same as that from 0 to 1.",
                 .width = kWidth,
                 .height = y - kRow + kRadius + 22},
                svg);
}

}  // namespace plainformer
