// Figure 2 with the names and shapes of the code: its right half above, and its left half, equation (1), below.
#include "lab/pictures/diagram.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"

namespace plainformer {

namespace {

constexpr double kWidth = 512, kLeft = 11, kColumn = 164, kBoxWidth = 162, kBox = 38, kGap = 18;
constexpr double kFrameTop = 24, kSection = 34;
constexpr int kLinear = 3, kHeads = 5, kMatMul = 0, kScale = 4, kMask = 1, kSoftmax = 2;

// Rows of boxes in three columns, from top to bottom.
class Rows {
 public:
  explicit Rows(double top) : y_(top) {}

  void heading(const std::string& figure, const std::string& code) {
    svg_ += svg::text("ink heading", {kLeft, y_ + 12}, "start", figure);
    svg_ += svg::text("ink code name", {kLeft + 120, y_ + 12}, "start", code);
    y_ += 18;
  }

  // A box in the current row, over one or more columns. `shape` is that of its result.
  void box(int column, int columns, int color, const std::string& name, const std::string& shape) {
    svg_ += draw_box(place(column, columns, color, name, shape));
  }

  void input(int column, const std::string& name, const std::string& shape) {
    svg_ += draw_box_text(place(column, 1, kHeads, name, shape));
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
  DiagramBox place(int column, int columns, int color, const std::string& name,
                   const std::string& shape) const {
    return {.top_left = {kLeft + column * kColumn, y_},
            .size = {(columns - 1) * kColumn + kBoxWidth, kBox},
            .name = name,
            .shape = shape,
            .color = color};
  }

  double y_;
  std::string svg_;
};

void draw_multi_head(Rows& rows) {
  rows.heading("Figure 2, right:", "MultiHeadAttention::forward");
  rows.input(0, "query", "[query_len, d_model]");
  rows.input(1, "key", "[key_len, d_model]");
  rows.input(2, "value", "[key_len, d_model]");
  rows.arrows({0, 1, 2});
  rows.box(0, 1, kLinear, "linear_forward, w_q", "[query_len, heads * d_k]");
  rows.box(1, 1, kLinear, "linear_forward, w_k", "[key_len, heads * d_k]");
  rows.box(2, 1, kLinear, "linear_forward, w_v", "[key_len, heads * d_v]");
  const double frame = rows.y() + kBox + kGap / 2;  // its names stand between the arrows
  rows.text(0, "ink code name", frame + 15, "attention_forward");
  rows.text(1, "soft small", frame + 15, "equation (1) in every head");
  rows.arrows({0, 1, 2}, kGap / 2 + kFrameTop + kGap / 2);
  rows.box(0, 1, kHeads, "split_heads", "[heads, query_len, d_k]");
  rows.box(1, 1, kHeads, "split_heads", "[heads, key_len, d_k]");
  rows.box(2, 1, kHeads, "split_heads", "[heads, key_len, d_v]");
  rows.arrows({0, 1, 2});
  rows.box(0, 3, kMatMul, "softmax(Q K^T / sqrt(d_k)) V", "[heads, query_len, d_v]");
  rows.arrows({1});
  rows.box(0, 3, kHeads, "concatenate_heads", "[query_len, heads * d_v]");
  const double bottom = rows.y() + kBox + 6;
  rows.add(draw_frame({kLeft - 5, frame}, {kWidth - 2 * kLeft + 10, bottom - frame}));
  rows.arrows({1}, 6 + kGap);
  rows.box(0, 3, kLinear, "linear_forward, w_o", "[query_len, d_model]");
  rows.skip(kBox);
}

void draw_one_head(Rows& rows) {
  rows.heading("Figure 2, left:", "softmax(Q K^T / sqrt(d_k)) V");
  rows.input(0, "Q", "[query_len, d_k]");
  rows.input(1, "K", "[key_len, d_k]");
  rows.input(2, "V", "[key_len, d_v]");
  const double value = rows.y() + kBox;
  rows.arrows({0, 1});
  rows.box(0, 2, kMatMul, "1. MatMul: scores = Q K^T", "[query_len, key_len]");
  rows.arrows({0.5});
  rows.box(0, 2, kScale, "2. Scale: scores / sqrt(d_k)", "[query_len, key_len]");
  rows.arrows({0.5});
  rows.box(0, 2, kMask, "3. Mask: visible_keys_of_scores", "[query_len]");
  rows.arrows({0.5});
  rows.box(0, 2, kSoftmax, "4. SoftMax: softmax_forward", "[query_len, key_len]");
  rows.arrows({0.5});
  const double x = kLeft + 2 * kColumn + kBoxWidth / 2;
  rows.add(draw_arrow({{x, value}, {x, rows.y()}}));
  rows.box(0, 3, kMatMul, "5. MatMul: output = weights V", "[query_len, d_v]");
  rows.skip(kBox);
}

}  // namespace

std::string draw_attention() {
  Rows rows(64);
  rows.add(
      svg::text("soft", {kLeft, 48}, "start", "Each shape is that of one sentence: batch comes before it."));
  draw_multi_head(rows);
  rows.skip(kSection);
  draw_one_head(rows);
  return framed(
      {.title = "Figure 2 in the names of the code",
       .description = "Above, MultiHeadAttention::forward: query, key and value are projected by "
                      "linear_forward with w_q, w_k and w_v. attention_forward splits them into heads, "
                      "attends in every head, and concatenates the heads. linear_forward with w_o "
                      "projects the result. Below, one head: MatMul of Q and K gives the scores, Scale, "
                      "Mask, SoftMax, and MatMul with V.",
       .width = kWidth,
       .height = rows.y() + 16,
       .left = kLeft},
      rows.svg());
}

}  // namespace plainformer
