// Section 3.2.2: a sentence through multi-head attention of the sizes of base. The columns of W^Q are the heads.
#include <algorithm>
#include <string>

#include "core/random.h"
#include "lab/pictures/diagram.h"
#include "lab/pictures/heat_map.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "ops/elementwise.h"
#include "ops/ways.h"
#include "transformer/initialize.h"
#include "transformer/multi_head_attention.h"

namespace plainformer {

namespace heads_of_columns_picture {

constexpr Index kWordsRead = 6, kModel = 512, kHeads = 8;
constexpr double kWidth = 480, kLeft = 20, kWide = 120;  // 512 columns
constexpr double kColumns = kWide / kHeads, kHigh = 36;  // a head's columns; six rows
constexpr double kHeadStep = 56, kSecond = kLeft + 160, kThird = kLeft + 320;
constexpr double kDarkest = 0.9;

std::string sizes(Index rows, Index columns) {
  return std::to_string(rows) + " × " + std::to_string(columns);
}

int color_of_head(Index head) {
  return static_cast<int>(head % kPictureColors);
}

// A matrix of 512 columns, cut into the columns of the heads.
std::string draw_cut(ChartPoint corner, double height) {
  std::string svg;
  for (Index head = 0; head < kHeads; ++head)
    svg += svg::rectangle("box" + color_class(color_of_head(head)),
                          {corner.x + kColumns * static_cast<double>(head), corner.y}, {kColumns, height});
  return svg;
}

std::string draw_whole(ChartPoint corner, double height) {
  return svg::rectangle("box" + color_class(kPictureInk), corner, {kWide, height});
}

std::string label(double x, double y, const std::string& name, const std::string& shape) {
  return svg::text("ink name", {x, y}, "middle", name) +
         svg::text("soft small", {x, y + 16}, "middle", shape);
}

// [rows, columns] of one head, of [1, heads, rows, columns]
Tensor of_head(const Tensor& x, Index head) {
  const Index rows = x.dim(2), columns = x.dim(3);
  Tensor result({rows, columns});
  std::copy_n(x.data() + head * rows * columns, rows * columns, result.mutable_data());
  return result;
}

// x W^Q = Q: all columns of x meet every column of W^Q.
std::string draw_projection(const MultiHeadAttention& attention, double top) {
  const double middle = top + kWide / 2, row_top = middle - kHigh / 2, below = top + kWide + 18;
  return draw_whole({kLeft, row_top}, kHigh) + draw_cut({kSecond, top}, kWide) +
         draw_cut({kThird, row_top}, kHigh) + svg::text("ink", {kSecond - 20, middle + 4}, "middle", "·") +
         svg::text("ink", {kThird - 20, middle + 4}, "middle", "=") +
         label(kLeft + kWide / 2, below, "x", sizes(kWordsRead, kModel)) +
         label(kSecond + kWide / 2, below, "W^Q",
               sizes(attention.w_q.value.dim(0), attention.w_q.value.dim(1))) +
         label(kThird + kWide / 2, below, "Q, and so K and V", sizes(kWordsRead, attention.w_q.value.dim(1)));
}

// A row of the heads: their columns, as boxes.
std::string draw_heads(double top) {
  std::string svg;
  for (Index head = 0; head < kHeads; ++head)
    svg += svg::rectangle("box" + color_class(color_of_head(head)),
                          {kLeft + 14 + kHeadStep * static_cast<double>(head), top}, {kColumns, kHigh});
  return svg;
}

// The weights of each head.    weights [1, heads, 6, 6]
std::string draw_weights(const Tensor& weights, double top) {
  const Real largest = *std::max_element(weights.data(), weights.data() + weights.size());
  std::string svg;
  for (Index head = 0; head < kHeads; ++head) {
    const ChartPoint corner = {kLeft + 4 + kHeadStep * static_cast<double>(head), top};
    svg += draw_heat_map({.top_left = corner, .cell = {6, 6}, .positive_color = color_of_head(head)},
                         scale(of_head(weights, head), static_cast<Real>(kDarkest) / largest));
    svg += svg::rectangle("arrow c6", corner, {kHigh, kHigh});
  }
  return svg;
}

std::string remark(double y, const std::string& text) {
  return svg::text("soft", {kLeft, y}, "start", text);
}

Tensor random_words() {
  Random random(random_stream(/*seed=*/1, 0, 0));
  Tensor x({1, kWordsRead, kModel});
  std::generate_n(x.mutable_data(), x.size(), [&] { return static_cast<Real>(random.normal()); });
  return x;
}

}  // namespace heads_of_columns_picture

std::string draw_heads_of_columns() {
  using namespace heads_of_columns_picture;
  MultiHeadAttention attention(kModel, kHeads);
  ParameterList parameters;
  attention.append_parameters("attention", parameters);
  initialize(parameters, /*seed=*/1);
  const Tensor x = random_words();
  MultiHeadAttention::Cache cache;
  Ways plain_attention = ways;  // whose cache keeps the heads and their weights
  plain_attention.attention = Way::kPlain;
  const WaysInScope in_scope(plain_attention);
  const Tensor output = attention.forward(x, x, x, {.key_lengths = {kWordsRead}}, cache);
  const Tensor &q = cache.attention.query, &weights = cache.attention.weights;

  std::string svg = remark(52, "Every head reads all 512 numbers of a word, by its own 64 columns.");
  svg += draw_projection(attention, 68);
  svg +=
      remark(252, "split_heads: " + std::to_string(q.dim(1)) + " heads, each " + sizes(q.dim(2), q.dim(3)));
  svg += draw_heads(262);
  svg += remark(328, "The weights of each head, " + sizes(weights.dim(2), weights.dim(3)) + " (untrained):");
  svg += draw_weights(weights, 338);
  svg += remark(404, "times V: again " + sizes(q.dim(2), q.dim(3)) + " for each head");
  svg += draw_heads(414);
  const double top = 486, middle = top + kWide / 2, row_top = middle - kHigh / 2, below = top + kWide + 18;
  svg += remark(476, "concatenate_heads, and the product with W^O, which mixes the heads");
  svg += draw_cut({kLeft, row_top}, kHigh) + draw_whole({kSecond, top}, kWide) +
         draw_whole({kThird, row_top}, kHigh);
  svg += svg::text("ink", {kSecond - 20, middle + 4}, "middle", "·") +
         svg::text("ink", {kThird - 20, middle + 4}, "middle", "=");
  svg += label(kLeft + kWide / 2, below, "the heads", sizes(cache.concat.dim(1), cache.concat.dim(2)));
  svg +=
      label(kSecond + kWide / 2, below, "W^O", sizes(attention.w_o.value.dim(0), attention.w_o.value.dim(1)));
  svg += label(kThird + kWide / 2, below, "output", sizes(output.dim(1), output.dim(2)));
  return framed(
      {.title = "Heads are columns of W^Q",
       .description = "The 6 by 512 matrix x times W^Q, 512 by 512 and cut into 8 blocks of 64 "
                      "columns, gives Q, cut into the same 8 blocks. Each block is a head, 6 by 64. "
                      "Each head has its own 6 by 6 weights and 6 by 64 output. Side by side they are "
                      "6 by 512 again, and the product with W^O mixes them.",
       .width = kWidth,
       .height = below + 32,
       .left = kLeft},
      svg);
}

}  // namespace plainformer
