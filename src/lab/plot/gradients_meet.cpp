// Section 3.1: an encoder layer as a graph. Where a value is used several times, its gradients add up.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/random.h"
#include "lab/pictures/diagram.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "ops/elementwise.h"
#include "report/number_format.h"
#include "transformer/encoder_layer.h"
#include "transformer/initialize.h"

namespace plainformer {

namespace gradients_meet_picture {

constexpr double kWidth = 480, kLeft = 40, kRight = 440, kInner = 180, kBox = 42, kGap = 46, kTop = 84;
constexpr double kResidual = 100, kQuery = 226, kKey = 310, kValue = 400, kMiddle = 310, kCenter = 240;
constexpr int kForward = kPictureInk, kBackward = 1;

// Lengths of gradients, as shares of that of grad_output.
struct Norms {
  double y_residual, y_transformed, y, attended, x_residual, query, key, value, x, transformed;
};

double length_of(const Tensor& x) {
  double squares = 0;
  for (Index i = 0; i < x.size(); ++i) squares += double{x.data()[i]} * double{x.data()[i]};
  return std::sqrt(squares);
}

Tensor normal_input(const Shape& shape, std::uint64_t site) {
  Random random(random_stream(/*seed=*/1, 0, site));
  Tensor x(shape);
  std::generate_n(x.mutable_data(), x.size(), [&] { return static_cast<Real>(random.normal()); });
  return x;
}

// EncoderLayer::backward, with the length of each gradient on the way.
Norms measure() {
  const ModelConfig config = {.d_model = 128, .d_ff = 256, .heads = 4};
  EncoderLayer layer(config, /*first_site=*/0);
  ParameterList parameters;
  layer.append_parameters("layer", parameters);
  initialize(parameters, /*seed=*/1);
  const Shape shape = {4, 12, config.d_model};
  EncoderLayer::Cache cache;
  layer.forward(normal_input(shape, 0), {.key_lengths = {12, 12, 12, 12}}, DropoutState{}, cache);
  const Tensor grad_output = normal_input(shape, 1);
  const double whole = length_of(grad_output);
  const auto share = [whole](const Tensor& grad) { return length_of(grad) / whole; };

  const auto feed_forward = layer.feed_forward_norm.backward(grad_output, cache.feed_forward_norm);
  const Tensor through = layer.feed_forward.backward(feed_forward.sublayer_output, cache.feed_forward);
  const Tensor grad_y = add(Tensor(feed_forward.x), through);
  const auto norm = layer.self_attention_norm.backward(grad_y, cache.self_attention_norm);
  const auto self = layer.self_attention.backward(norm.sublayer_output, cache.self_attention);
  const Tensor grad_x = add(add(add(Tensor(norm.x), self.query), self.key), self.value);
  return {.y_residual = share(feed_forward.x),
          .y_transformed = share(through),
          .y = share(grad_y),
          .attended = share(norm.sublayer_output),
          .x_residual = share(norm.x),
          .query = share(self.query),
          .key = share(self.key),
          .value = share(self.value),
          .x = share(grad_x),
          .transformed = share(feed_forward.sublayer_output)};
}

// Boxes below each other, and the lines between them: a value downward, its gradient upward with its length.
class Graph {
 public:
  void box(double left, const std::string& name, const std::string& remark, int color) {
    svg_ += draw_box({.top_left = {left, y_},
                      .size = {kRight - left, kBox},
                      .name = name,
                      .remark = remark,
                      .color = color});
    y_ += kBox;
  }

  // At `x`, from the box above to the one below.
  void edge(double x, const std::string& name, double gradient) { edge(x, name, gradient, y_, y_ + kGap); }

  void edge(double x, const std::string& name, double gradient, double top, double bottom) {
    const double middle = bottom - kGap / 2;
    svg_ += draw_arrow({{x - 4, top}, {x - 4, bottom}});
    svg_ += svg::path("line thin" + color_class(kBackward),
                      svg::command('M', {x + 4, bottom}) + svg::command('L', {x + 4, top}));
    svg_ += svg::path("fill" + color_class(kBackward), svg::command('M', {x + 4, top}) + "l3.5 7h-7z");
    if (!name.empty()) svg_ += svg::text("soft small", {x - 9, middle + 4}, "end", name);
    svg_ += svg::text("fill small" + color_class(kBackward), {x + 12, middle + 4}, "start",
                      format_fixed(gradient, 2));
  }

  void skip() { y_ += kGap; }
  double y() const { return y_; }
  const std::string& svg() const { return svg_; }

 private:
  double y_ = kTop;
  std::string svg_;
};

std::string sum_of(const std::string& gradients, double length) {
  return gradients + " add up: " + format_fixed(length, 2);
}

}  // namespace gradients_meet_picture

std::string draw_gradients_meet() {
  using namespace gradients_meet_picture;
  const Norms norms = measure();
  Graph graph;
  graph.box(kLeft, "x", sum_of("four gradients", norms.x), kForward);
  const double x_bottom = graph.y();
  graph.edge(kQuery, "query", norms.query);
  graph.edge(kKey, "key", norms.key);
  graph.edge(kValue, "value", norms.value);
  graph.skip();
  graph.box(kInner, "self_attention", "MultiHeadAttention", 1);
  graph.edge(kMiddle, "", norms.attended);
  graph.edge(kResidual, "x", norms.x_residual, x_bottom, graph.y() + kGap);
  graph.skip();
  graph.box(kLeft, "self_attention_norm", "LayerNorm(x + Dropout(...))", 5);
  graph.edge(kCenter, "", norms.y);
  graph.skip();
  graph.box(kLeft, "y", sum_of("two gradients", norms.y), kForward);
  const double y_bottom = graph.y();
  graph.edge(kMiddle, "", norms.y_transformed);
  graph.skip();
  graph.box(kInner, "feed_forward", "FeedForward", 0);
  graph.edge(kMiddle, "", norms.transformed);
  graph.edge(kResidual, "y", norms.y_residual, y_bottom, graph.y() + kGap);
  graph.skip();
  graph.box(kLeft, "feed_forward_norm", "LayerNorm(y + Dropout(...))", 5);
  graph.edge(kCenter, "output", 1);
  graph.skip();
  const std::string svg = svg::text("soft", {kLeft, 50}, "start",
                                    "Down: the values. Up, in color: the length of each gradient,") +
                          svg::text("soft", {kLeft, 67}, "start",
                                    "as a share of grad_output. Each use of a value gives it a gradient.") +
                          graph.svg();
  return framed(
      {.title = "An encoder layer, and its gradients",
       .description = "A graph from top to bottom. x goes to self_attention three times, as query, key and "
                      "value, and around it to self_attention_norm; so four gradients come back to x and add "
                      "up. y goes to feed_forward and around it to feed_forward_norm; so two gradients add "
                      "up. The gradient around each sublayer is the longest; those of query and key are the "
                      "shortest.",
       .width = kWidth,
       .height = graph.y() + 14,
       .left = kLeft},
      svg);
}

}  // namespace plainformer
