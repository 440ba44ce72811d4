// Figure 2 with the names and shapes of the code: its right half, multi-head attention, and its left half, equation
// (1), as two pictures.
#include "lab/pictures/diagram.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"

namespace plainformer {

namespace attention_picture {

constexpr double kWidth = 560, kLeft = 12, kColumn = 181, kBoxWidth = 174, kBox = 52, kGap = 18;
constexpr double kFrameTop = 24;
constexpr int kLinear = 3, kHeads = 5, kMatMul = 0, kScale = 4, kMask = 1, kSoftmax = 2;

// A shape, and its numbers for six words and the sizes of base.
struct Result {
  std::string shape, sizes;
};

// Rows of boxes in three columns, from top to bottom.
class Rows {
 public:
  explicit Rows(double top) : y_(top) {}

  // A box in the current row, over one or more columns. `shape` is that of its result, `sizes` an example of it.
  void box(int column, int columns, int color, const std::string& name, const Result& result) {
    svg_ += draw_box(place(column, columns, color, name, result));
  }

  void input(int column, const std::string& name, const Result& result) {
    svg_ += draw_box_text(place(column, 1, kHeads, name, result));
  }

  // Ends the row, with arrows below the middles of these columns.
  void arrows(std::initializer_list<double> columns, double length = kGap) {
    y_ += kBox;
    for (const double column : columns) {
      const double x = kLeft + column * kColumn + kBoxWidth / 2;
      svg_ += draw_arrow({{x, y_}, {x, y_ + length}});
    }
    y_ += length;
  }

  // Writes a text at the right of the middle of a column.
  void text(int column, const std::string& classes, double y, const std::string& content) {
    svg_ += svg::text(classes, {kLeft + column * kColumn + kBoxWidth / 2 + 10, y}, "start", content);
  }

  void add(const std::string& svg) { svg_ += svg; }
  void skip(double height) { y_ += height; }
  double y() const { return y_; }
  const std::string& svg() const { return svg_; }

 private:
  DiagramBox place(int column, int columns, int color, const std::string& name, const Result& result) const {
    return {.top_left = {kLeft + column * kColumn, y_},
            .size = {(columns - 1) * kColumn + kBoxWidth, kBox},
            .name = name,
            .shape = result.shape,
            .remark = result.sizes,
            .color = color};
  }

  double y_;
  std::string svg_;
};

std::string draw_multi_head(double& bottom) {
  Rows rows(74);
  rows.input(0, "query", {"[query_len, d_model]", "6 × 512"});
  rows.input(1, "key", {"[key_len, d_model]", "6 × 512"});
  rows.input(2, "value", {"[key_len, d_model]", "6 × 512"});
  rows.arrows({0, 1, 2});
  rows.box(0, 1, kLinear, "linear_forward, w_q", {"[query_len, heads * d_k]", "6 × 512"});
  rows.box(1, 1, kLinear, "linear_forward, w_k", {"[key_len, heads * d_k]", "6 × 512"});
  rows.box(2, 1, kLinear, "linear_forward, w_v", {"[key_len, heads * d_v]", "6 × 512"});
  const double frame = rows.y() + kBox + kGap / 2;  // its names stand between the arrows
  rows.text(0, "ink code name", frame + 15, "attention_forward");
  rows.text(1, "soft small", frame + 15, "equation (1) in every head");
  rows.arrows({0, 1, 2}, kGap / 2 + kFrameTop + kGap / 2);
  rows.box(0, 1, kHeads, "split_heads", {"[heads, query_len, d_k]", "8 × 6 × 64"});
  rows.box(1, 1, kHeads, "split_heads", {"[heads, key_len, d_k]", "8 × 6 × 64"});
  rows.box(2, 1, kHeads, "split_heads", {"[heads, key_len, d_v]", "8 × 6 × 64"});
  rows.arrows({0, 1, 2});
  rows.box(0, 3, kMatMul, "softmax(Q K^T / sqrt(d_k)) V", {"[heads, query_len, d_v]", "8 × 6 × 64"});
  rows.arrows({1});
  rows.box(0, 3, kHeads, "concatenate_heads", {"[query_len, heads * d_v]", "6 × 512"});
  const double end = rows.y() + kBox + 7;
  rows.add(draw_frame({kLeft - 7, frame}, {kWidth - 2 * kLeft + 14, end - frame}));
  rows.arrows({1}, 7 + kGap);
  rows.box(0, 3, kLinear, "linear_forward, w_o", {"[query_len, d_model]", "6 × 512"});
  bottom = rows.y() + kBox;
  return rows.svg();
}

std::string draw_one_head(double& bottom) {
  Rows rows(74);
  rows.input(0, "Q", {"[query_len, d_k]", "6 × 64"});
  rows.input(1, "K", {"[key_len, d_k]", "6 × 64"});
  rows.input(2, "V", {"[key_len, d_v]", "6 × 64"});
  const double value = rows.y() + kBox;
  rows.arrows({0, 1});
  rows.box(0, 2, kMatMul, "1. MatMul: scores = Q K^T", {"[query_len, key_len]", "6 × 6"});
  rows.arrows({0.5});
  rows.box(0, 2, kScale, "2. Scale: scores / sqrt(d_k)", {"[query_len, key_len]", "6 × 6, divided by 8"});
  rows.arrows({0.5});
  rows.box(0, 2, kMask, "3. Mask: visible_keys_of_scores", {"[query_len]", "6 numbers"});
  rows.arrows({0.5});
  rows.box(0, 2, kSoftmax, "4. SoftMax: softmax_forward",
           {"[query_len, key_len]", "6 × 6, each row sums to 1"});
  rows.arrows({0.5});
  const double x = kLeft + 2 * kColumn + kBoxWidth / 2;
  rows.add(draw_arrow({{x, value}, {x, rows.y()}}));
  rows.box(0, 3, kMatMul, "5. MatMul: output = weights V", {"[query_len, d_v]", "6 × 64"});
  bottom = rows.y() + kBox;
  return rows.svg();
}

std::string note(const std::string& text) {
  return svg::text("soft", {kLeft, 50}, "start", text);
}

}  // namespace attention_picture

std::string draw_multi_head_attention() {
  using namespace attention_picture;
  double bottom = 0;
  const std::string svg =
      note("One sentence of six words, with the sizes of base. batch comes before each shape.") +
      draw_multi_head(bottom);
  return framed({.title = "Figure 2 (right): MultiHeadAttention::forward",
                 .description = "Query, key and value, six words of 512 numbers each, are projected by "
                                "linear_forward with w_q, w_k and w_v. attention_forward splits them into "
                                "eight heads of 64 columns, attends in every head, and concatenates the "
                                "heads to 512 columns. linear_forward with w_o projects the result.",
                 .width = kWidth,
                 .height = bottom + 16,
                 .left = kLeft},
                svg);
}

std::string draw_scaled_dot_product_attention() {
  using namespace attention_picture;
  double bottom = 0;
  const std::string svg = note("One head of base, for a sentence of six words.") + draw_one_head(bottom);
  return framed({.title = "Figure 2 (left): equation (1) in five steps",
                 .description = "One head with d_k = d_v = 64, for six words. MatMul of Q and K gives six "
                                "by six scores. Scale divides them by the root of d_k, which is 8. Mask "
                                "says how many keys each query sees. SoftMax makes each row sum to 1. "
                                "MatMul with V gives six rows of 64 numbers.",
                 .width = kWidth,
                 .height = bottom + 16,
                 .left = kLeft},
                svg);
}

}  // namespace plainformer
