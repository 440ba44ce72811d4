// Section 3.2.1: the five words of examples/five_words.cpp through equation (1), as heat maps.
#include <cmath>
#include <string>
#include <vector>

#include "core/check.h"
#include "lab/pictures/heat_map.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "ops/elementwise.h"
#include "ops/linear.h"
#include "ops/softmax.h"
#include "report/number_format.h"

namespace plainformer {

namespace five_words_picture {

constexpr double kWidth = 480, kLeft = 16, kLabel = 38, kCellWidth = 37, kCellHeight = 26;
constexpr double kStageWidth = 234, kStageTop = 84, kStageHeight = 214;
constexpr double kDarkest = 0.6;  // so that the numbers stay readable
const std::vector<std::string> kWords = {"猫", "在", "桌子", "上", "睡觉"};

struct Stage {
  std::string heading, remark;
  Tensor values;                     // [5, columns]
  double full;                       // the value of the darkest cell
  std::vector<std::string> columns;  // their names
  std::string (*text)(double value);
};

std::string whole(double value) {
  return format_fixed(value, 0);
}

std::string one_decimal(double value) {
  return format_fixed(value, 1);
}

std::string two_decimals(double value) {
  return format_fixed(value, 2);
}

// A weight: those that would print as 0.00 are a dot.
std::string weight_text(double value) {
  return value < 0.005 ? "·" : format_fixed(value, 2);
}

std::string draw_stage(const Stage& stage, ChartPoint corner) {
  const HeatMap map = {.top_left = {corner.x + kLabel, corner.y + 44}, .cell = {kCellWidth, kCellHeight}};
  const auto factor = static_cast<Real>(kDarkest / stage.full);
  std::string svg = svg::text("ink heading", corner, "start", stage.heading) +
                    svg::text("soft small", {corner.x, corner.y + 16}, "start", stage.remark) +
                    draw_heat_map(map, scale(stage.values, factor));
  const auto middle = [&](Index column) {
    return map.top_left.x + (static_cast<double>(column) + 0.5) * kCellWidth;
  };
  for (Index column = 0; column < stage.values.dim(1); ++column)
    svg += svg::text("ink", {middle(column), map.top_left.y - 8}, "middle", stage.columns[column]);
  for (Index row = 0; row < stage.values.dim(0); ++row) {
    const double y = map.top_left.y + (static_cast<double>(row) + 0.5) * kCellHeight + 4;
    svg += svg::text("ink", {map.top_left.x - 8, y}, "end", kWords[row]);
    for (Index column = 0; column < stage.values.dim(1); ++column)
      svg += svg::text("ink small", {middle(column), y}, "middle",
                       stage.text(double{stage.values(row, column)}));
  }
  return svg;
}

}  // namespace five_words_picture

std::string draw_five_words() {
  using namespace five_words_picture;
  const Tensor x = Tensor::from({5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const std::vector<Index> all_visible(5, 5);
  const Tensor scores = linear_transposed_forward(x, Parameter(x));
  const Tensor scaled = scale(scores, 1 / std::sqrt(Real{2}));
  const Tensor weights = softmax_forward(scaled, all_visible);
  const Tensor output = linear_forward(weights, Parameter(x));
  const double largest = double{scores(4, 4)};
  const Stage stages[] = {
      {"1. Scores", "Q Kᵀ: rows ask, columns answer", scores, largest, kWords, whole},
      {"2. Scaled", "divided by the root of d_k = 2", scaled, largest, kWords, one_decimal},
      {"4. Weights", "softmax of each row; · is below 0.005", weights, 1, kWords, weight_text},
      {"5. Output", "weights V: averages of the values", output, 10, {"", ""}, two_decimals}};
  std::string svg = svg::text("soft", {kLeft, 50}, "start", "Q = K = V = (1 2), (3 4), (5 6), (7 8), (9 10)");
  for (int i = 0; i < 4; ++i)
    svg += draw_stage(stages[i], {kLeft + (i % 2) * kStageWidth, kStageTop + (i / 2) * kStageHeight});
  return framed({.title = "Five words through equation (1)",
                 .description = "Four heat maps. The scores of five words grow from 5 to 181, toward the "
                                "corner of the longest vectors. Divided by the root of 2 they are paler. "
                                "After the softmax each row has nearly all its weight on the last word, and "
                                "only the first row gives the word before it 0.01. So each output is nearly "
                                "the last word's value, (9, 10).",
                 .width = kWidth,
                 .height = kStageTop + 2 * kStageHeight - 22,
                 .left = kLeft},
                svg);
}

}  // namespace plainformer
