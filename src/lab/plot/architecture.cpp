// Figure 1 with the names and shapes of the code, from top to bottom as the code runs.
#include <vector>

#include "lab/pictures/diagram.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"

namespace plainformer {

namespace architecture_picture {

constexpr double kWidth = 492, kTop = 48, kDecoderTop = 202;
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

  // A sublayer, with what its mask hides, if it has one; and its norm, with the residual connection around the sublayer at x = `side`.
  void sublayer(const std::string& name, const std::string& type, const std::string& mask, int color,
                double side) {
    const double branch = y_ - kGap / 2;
    box(name, mask.empty() ? "" : type, mask.empty() ? type : mask, color);
    if (name == "encoder_decoder_attention") cross_attention_ = last_.left();
    arrow();
    box(name + "_norm", "ResidualLayerNorm (3.1)", "dropout (5.4), add x, LayerNorm", kNorm);
    const ChartPoint end = side < left_ ? last_.left() : last_.right();
    svg_ += draw_arrow({{middle(), branch}, {side, branch}, {side, end.y}, end});
  }

  double middle() const { return left_ + kBoxWidth / 2; }
  double y() const { return y_; }
  const DiagramBox& last() const { return last_; }
  ChartPoint cross_attention() const { return cross_attention_; }
  const std::string& svg() const { return svg_; }

 private:
  double left_, y_;
  DiagramBox last_ = {};
  ChartPoint cross_attention_ = {};
  std::string svg_;
};

using Uses = std::vector<DiagramBox>;  // of the embedding

// Draws the boxes from the tokens to the first layer. Returns the top of the layer's frame.
double input(Column& column, const std::string& tokens, const std::string& length, Uses& uses) {
  column.box(tokens, "[batch, " + length + "]", "", kPictureInk);
  column.arrow();
  column.box("embedding_forward", "", "times the root of d_model (3.4)", kEmbedding);
  uses.push_back(column.last());
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

std::string draw_encoder(Column& column, Uses& uses) {
  const double top = input(column, "source", "source_len", uses);
  const double side = column.middle() - kBoxWidth / 2 - kSide;
  column.sublayer("self_attention", "MultiHeadAttention (3.2.2)", "mask: padding of the source", kAttention,
                  side);
  column.arrow();
  column.sublayer("feed_forward", "FeedForward (3.3)", "", kFeedForward, side);
  const std::string frame = frame_around(column, top, "EncoderLayer", "encoder_layers", true);
  column.tensor("memory", "[batch, source_len, d_model]");
  return column.svg() + frame;
}

std::string draw_decoder(Column& column, Uses& uses) {
  const double top = input(column, "target_input", "target_len", uses);
  const double side = column.middle() + kBoxWidth / 2 + kSide;
  column.sublayer("self_attention", "MultiHeadAttention (3.2.2)", "mask: padding, later positions",
                  kAttention, side);
  column.arrow();
  column.sublayer("encoder_decoder_attention", "MultiHeadAttention (3.2.2)", "mask: padding of the source",
                  kAttention, side);
  column.arrow();
  column.sublayer("feed_forward", "FeedForward (3.3)", "", kFeedForward, side);
  std::string frame = frame_around(column, top, "DecoderLayer", "decoder_layers", false);
  column.tensor("decoder_output", "[batch, target_len, d_model]");
  column.arrow(14);
  column.box("output_projection_forward", "", "times embedding, transposed (3.4)", kEmbedding);
  uses.push_back(column.last());
  column.tensor("logits", "[batch, target_len, vocab]");
  column.arrow(14);
  column.box("cross_entropy_forward", "", "softmax and loss; or a search", kSoftmax);
  return column.svg() + frame;
}

// The matrix, and a dashed line to each of its three uses: in the encoder, in the decoder, after it.
std::string draw_embedding(const Uses& uses) {
  const DiagramBox box = {.top_left = {kDecoderLeft, kTop},
                          .size = {kBoxWidth, kHighBox},
                          .name = "embedding",
                          .shape = "[vocab, d_model]",
                          .remark = "one matrix in three places (3.4)",
                          .color = kEmbedding};
  const auto line = [](std::vector<ChartPoint> corners) {
    std::string commands = svg::command('M', corners[0]);
    for (std::size_t i = 1; i < corners.size(); ++i) commands += svg::command('L', corners[i]);
    return svg::path("frame" + color_class(kEmbedding), commands);
  };
  const double between = (uses[0].right().x + box.left().x) / 2, outside = kWidth - 8;
  return draw_box(box) +
         line({box.left(), {between, box.left().y}, {between, uses[0].right().y}, uses[0].right()}) +
         line({box.right(), {outside, box.right().y}, {outside, uses[2].right().y}, uses[2].right()}) +
         line({{outside, uses[1].right().y}, uses[1].right()});
}

}  // namespace architecture_picture

std::string draw_architecture() {
  using namespace architecture_picture;
  Column encoder(kEncoderLeft, kTop), decoder(kDecoderLeft, kDecoderTop);
  Uses uses;
  std::string svg = draw_encoder(encoder, uses);
  svg += draw_decoder(decoder, uses);
  const ChartPoint memory = {encoder.middle(), encoder.y()}, end = decoder.cross_attention();
  svg += draw_arrow({memory, {memory.x, end.y}, end});
  svg += svg::text("soft small", {memory.x + 8, end.y - 6}, "start", "keys and values");
  svg += draw_embedding(uses);
  return framed(
      {.title = "Figure 1 in the names of the code",
       .description =
           "From top to bottom. Left, the encoder: source tokens, embedding_forward, "
           "add_positions, then encoder_layers times an EncoderLayer of self_attention and "
           "feed_forward, each followed by a ResidualLayerNorm: dropout, the sum with the "
           "sublayer's input, and LayerNorm. Its output is the memory. Right, the decoder: target_input, "
           "embedding_forward, add_positions, then decoder_layers times a DecoderLayer of "
           "causal self_attention, encoder_decoder_attention with keys and values from the "
           "memory, and feed_forward. Then output_projection_forward and the softmax. Dashed "
           "lines join both embedding_forward and the projection to one matrix, embedding.",
       .width = kWidth,
       .height = decoder.y() + 16},
      svg);
}

}  // namespace plainformer
