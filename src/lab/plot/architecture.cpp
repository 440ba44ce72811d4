// Figure 1 with the names and shapes of the code, from top to bottom as the code runs.
#include "lab/pictures/diagram.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"

namespace plainformer {

namespace {

constexpr double kWidth = 480, kTop = 48, kDecoderTop = 202;
constexpr double kEncoderLeft = 26, kDecoderLeft = 250;  // of the boxes
constexpr double kBoxWidth = 206, kBox = 38, kHighBox = 52, kGap = 20;
constexpr double kFrameTop = 20, kFrameBottom = 8, kNear = 6, kFar = 15, kSide = 8;
constexpr int kEmbedding = 4, kPositions = 3, kAttention = 1, kFeedForward = 0, kNorm = 5, kSoftmax = 2;

// Boxes below each other, with arrows between.
class Column {
 public:
  Column(double left, double top) : left_(left), y_(top) {}

  // `shape` is that of the box's result. A third line makes the box higher.
  void box(const std::string& name, const std::string& shape, const std::string& remark, int color) {
    last_ = {.top_left = {left_, y_},
             .size = {kBoxWidth, shape.empty() || remark.empty() ? kBox : kHighBox},
             .name = name,
             .shape = shape,
             .remark = remark,
             .color = color};
    svg_ += draw_box(last_);
    y_ = last_.bottom().y;
  }

  void arrow(double length = kGap) {
    svg_ += draw_arrow({{middle(), y_}, {middle(), y_ + length}});
    y_ += length;
  }

  // An arrow to the name and the shape of a tensor.
  void tensor(const std::string& name, const std::string& shape) {
    arrow(16);
    svg_ += svg::text("ink code name", {middle(), y_ + 12}, "middle", name);
    svg_ += svg::text("soft code", {middle(), y_ + 26}, "middle", shape);
    y_ += 32;
  }

  // A sublayer and its norm, with the residual connection around the sublayer at x = `side`.
  void sublayer(const std::string& name, const std::string& type, int color, double side) {
    const double branch = y_ - kGap / 2;
    box(name, "", type, color);
    if (name == "encoder_decoder_attention") cross_attention_ = last_.left();
    arrow();
    box(name + "_norm", "", "ResidualLayerNorm (3.1)", kNorm);
    const ChartPoint end = side < left_ ? last_.left() : last_.right();
    svg_ += draw_arrow({{middle(), branch}, {side, branch}, {side, end.y}, end});
  }

  double middle() const { return left_ + kBoxWidth / 2; }
  double y() const { return y_; }
  ChartPoint cross_attention() const { return cross_attention_; }
  const std::string& svg() const { return svg_; }

 private:
  double left_, y_;
  DiagramBox last_ = {};
  ChartPoint cross_attention_ = {};
  std::string svg_;
};

// Draws the boxes from the tokens to the first layer. Returns the top of the layer's frame.
double input(Column& column, const std::string& tokens, const std::string& length) {
  column.box(tokens, "[batch, " + length + "]", "", kPictureInk);
  column.arrow();
  column.box("embedding_forward", "", "times the root of d_model (3.4)", kEmbedding);
  column.arrow();
  column.box("add_positions", "[batch, " + length + ", d_model]", "sines (3.5), then dropout (5.4)",
             kPositions);
  const double frame = column.y() + kGap / 2;
  column.arrow(kGap / 2 + kFrameTop + kGap);
  return frame;
}

// A frame around the boxes from `top` on, wider where the residual connections are.
std::string frame_around(const Column& column, double top, const std::string& layer, const std::string& times,
                         bool residuals_at_left) {
  const double left = column.middle() - kBoxWidth / 2 - (residuals_at_left ? kFar : kNear);
  const double width = kBoxWidth + kNear + kFar;
  return draw_frame({left, top}, {width, column.y() + kFrameBottom - top}) +
         svg::text("ink code name", {left + 10, top + 15}, "start", layer) +
         svg::text("soft small", {left + width - 8, top + 15}, "end", "× " + times);
}

std::string draw_encoder(Column& column) {
  const double top = input(column, "source", "source_len");
  const double side = column.middle() - kBoxWidth / 2 - kSide;
  column.sublayer("self_attention", "MultiHeadAttention (3.2.2)", kAttention, side);
  column.arrow();
  column.sublayer("feed_forward", "FeedForward (3.3)", kFeedForward, side);
  const std::string frame = frame_around(column, top, "EncoderLayer", "encoder_layers", true);
  column.tensor("memory", "[batch, source_len, d_model]");
  return column.svg() + frame;
}

std::string draw_decoder(Column& column) {
  const double top = input(column, "target_input", "target_len");
  const double side = column.middle() + kBoxWidth / 2 + kSide;
  column.sublayer("self_attention", "MultiHeadAttention, causal", kAttention, side);
  column.arrow();
  column.sublayer("encoder_decoder_attention", "MultiHeadAttention (3.2.2)", kAttention, side);
  column.arrow();
  column.sublayer("feed_forward", "FeedForward (3.3)", kFeedForward, side);
  std::string frame = frame_around(column, top, "DecoderLayer", "decoder_layers", false);
  column.tensor("decoder_output", "[batch, target_len, d_model]");
  column.arrow(14);
  column.box("output_projection_forward", "", "times embedding, transposed (3.4)", kEmbedding);
  column.tensor("logits", "[batch, target_len, vocab]");
  column.arrow(14);
  column.box("cross_entropy_forward", "", "softmax and loss; or a search", kSoftmax);
  return column.svg() + frame;
}

}  // namespace

std::string draw_architecture() {
  Column encoder(kEncoderLeft, kTop), decoder(kDecoderLeft, kDecoderTop);
  std::string svg = draw_encoder(encoder) + draw_decoder(decoder);
  const ChartPoint memory = {encoder.middle(), encoder.y()}, end = decoder.cross_attention();
  svg += draw_arrow({memory, {memory.x, end.y}, end});
  svg += draw_box({.top_left = {kDecoderLeft, kTop},
                   .size = {kBoxWidth, kHighBox},
                   .name = "embedding",
                   .shape = "[vocab, d_model]",
                   .remark = "one matrix in three places (3.4)",
                   .color = kEmbedding});
  return framed(
      {.title = "Figure 1 in the names of the code",
       .description = "From top to bottom. Left, the encoder: source tokens, embedding_forward, "
                      "add_positions, then encoder_layers times an EncoderLayer of self_attention and "
                      "feed_forward, each followed by a ResidualLayerNorm that adds the sublayer's "
                      "input. Its output is the memory. Right, the decoder: target_input, "
                      "embedding_forward, add_positions, then decoder_layers times a DecoderLayer of "
                      "causal self_attention, encoder_decoder_attention to the memory, and "
                      "feed_forward. Then output_projection_forward and the softmax.",
       .width = kWidth,
       .height = decoder.y() + 16},
      svg);
}

}  // namespace plainformer
