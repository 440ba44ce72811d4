#include "lab/plot/gradient_norms.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "lab/pictures/line_chart.h"
#include "lab/plot/plots.h"
#include "ops/elementwise.h"
#include "transformer/initialize.h"

namespace plainformer {

namespace gradient_norms_picture {

constexpr Index kLayers = 12, kBatch = 4, kLen = 16;

// One layer of the stack. The paper's layer is EncoderLayer itself. The other variants leave out its residual
// connections, its layer normalizations, or both, so they connect its two sub-layers anew.
class VariantLayer {
 public:
  VariantLayer(EncoderLayer& layer, StackVariant variant) : layer_(layer), variant_(variant) {}

  Tensor forward(const Tensor& x) {
    const AttentionMask mask = {.key_lengths = std::vector<Index>(x.dim(0), x.dim(1))};
    if (is_the_papers()) return layer_.forward(x, mask, {}, cache_);

    // Step 1. Self-attention.
    Tensor attended = layer_.self_attention.forward(x, x, x, mask, cache_.self_attention);
    const Tensor y = connect(x, std::move(attended), layer_.self_attention_norm, cache_.self_attention_norm);
    // Step 2. Feed-forward.
    Tensor transformed = layer_.feed_forward.forward(y, cache_.feed_forward);
    return connect(y, std::move(transformed), layer_.feed_forward_norm, cache_.feed_forward_norm);
  }

  Tensor backward(const Tensor& grad_output) {
    if (is_the_papers()) return layer_.backward(grad_output, cache_);

    // Step 2 was: feed-forward.
    const Tensor grad_z = connect_backward(grad_output, layer_.feed_forward_norm, cache_.feed_forward_norm);
    Tensor grad_y = layer_.feed_forward.backward(grad_z, cache_.feed_forward);
    if (variant_.residual) grad_y = add(std::move(grad_y), grad_z);
    // Step 1 was: self-attention.
    const Tensor grad_attended =
        connect_backward(grad_y, layer_.self_attention_norm, cache_.self_attention_norm);
    const auto grad = layer_.self_attention.backward(grad_attended, cache_.self_attention);
    Tensor grad_x = add(add(grad.query, grad.key), grad.value);
    return variant_.residual ? add(std::move(grad_x), grad_attended) : grad_x;
  }

 private:
  bool is_the_papers() const { return variant_.residual && variant_.layer_norm; }

  // x + Sublayer(x), LayerNorm(Sublayer(x)) or Sublayer(x).
  Tensor connect(const Tensor& x, Tensor sublayer_output, const ResidualLayerNorm& norm,
                 ResidualLayerNorm::Cache& cache) const {
    if (variant_.residual) return add(std::move(sublayer_output), x);
    if (!variant_.layer_norm) return sublayer_output;
    return norm.forward(Tensor::zeros(x.shape()), std::move(sublayer_output), {}, cache);
  }

  // The gradient of the sub-layer's output. With a residual connection x has the same one besides.
  Tensor connect_backward(const Tensor& grad_output, ResidualLayerNorm& norm,
                          const ResidualLayerNorm::Cache& cache) const {
    return variant_.layer_norm ? norm.backward(grad_output, cache).sublayer_output : grad_output;
  }

  EncoderLayer& layer_;
  StackVariant variant_;
  EncoderLayer::Cache cache_;
};

double norm(const Tensor& x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += double{x.data()[i]} * double{x.data()[i]};
  return std::sqrt(sum);
}

double dot(const Tensor& x, Index sentence, Index i, Index j) {
  double sum = 0;
  for (Index p = 0; p < x.dim(2); ++p) sum += double{x(sentence, i, p)} * double{x(sentence, j, p)};
  return sum;
}

double mean_cosine(const Tensor& x) {
  double sum = 0, pairs = 0;
  for (Index b = 0; b < x.dim(0); ++b) {
    for (Index i = 0; i < x.dim(1); ++i) {
      for (Index j = 0; j < i; ++j, ++pairs)
        sum += dot(x, b, i, j) / std::sqrt(dot(x, b, i, i) * dot(x, b, j, j));
    }
  }
  return sum / pairs;
}

Tensor normal_tensor(const Shape& shape, std::uint64_t site) {
  Random random(random_stream(/*seed=*/1, 0, site));
  Tensor x(shape);
  std::generate_n(x.mutable_data(), x.size(), [&] { return static_cast<Real>(random.normal()); });
  return x;
}

std::vector<ChartPoint> points_of(const std::vector<double>& values) {
  std::vector<ChartPoint> points;
  for (const double value : values) points.push_back({static_cast<double>(points.size() + 1), value});
  return points;
}

}  // namespace gradient_norms_picture

StackTrace trace_stack(Encoder& encoder, StackVariant variant, const Tensor& x, const Tensor& grad_output) {
  using namespace gradient_norms_picture;
  ParameterList parameters;
  encoder.append_parameters("encoder", parameters);
  zero_gradients(parameters);
  std::vector<VariantLayer> layers;
  for (EncoderLayer& layer : encoder.layers) layers.emplace_back(layer, variant);
  StackTrace trace;
  Tensor hidden = x, grad = grad_output;
  for (VariantLayer& layer : layers) {
    hidden = layer.forward(hidden);
    trace.similarity.push_back(mean_cosine(hidden));
  }
  for (std::size_t i = layers.size(); i-- > 0;) {
    grad = layers[i].backward(grad);
    trace.gradient_norms.insert(trace.gradient_norms.begin(), norm(grad));
  }
  return trace;
}

std::string draw_gradient_norms() {
  using namespace gradient_norms_picture;
  ModelConfig config = {.d_model = 64, .d_ff = 256, .heads = 4, .encoder_layers = kLayers};
  Encoder encoder(config, /*first_site=*/0);
  ParameterList parameters;
  encoder.append_parameters("encoder", parameters);
  initialize(parameters, /*seed=*/1);
  const Tensor x = normal_tensor({kBatch, kLen, config.d_model}, 0);
  const Tensor grad_output = normal_tensor({kBatch, kLen, config.d_model}, 1);

  struct Line {
    const char* name;
    StackVariant variant;
    Index layer;  // from which its name stands beside the line
    double up;    // pixels from the line to its name
  };
  const Line lines[] = {{"x + and LayerNorm (the paper's)", {true, true}, 3, 12},
                        {"only x +", {true, false}, 0, 11},
                        {"only LayerNorm", {false, true}, 5, -14},
                        {"neither", {false, false}, 5, -10}};
  LineChart chart = {
      .title = "12 encoder layers at initialization",
      .description =
          "A stack with residual connections and LayerNorm, and the same without one or both. With residual "
          "connections the gradient has nearly the same norm at every layer. Without both it becomes about "
          "twelve times smaller in each layer. LayerNorm alone keeps it from vanishing, but after two layers "
          "all positions of a sentence have the same direction.",
      .x_label = "layer",
      .panels = {{.heading = "Norm of the gradient of each layer's input",
                  .logarithmic = true,
                  .encloses = {10000},
                  .height = 240},
                 {.heading = "Mean cosine of two positions, after each layer"}},
      .width = 480};
  for (int i = 3; i >= 0; --i) {  // the paper's on top
    const StackTrace trace = trace_stack(encoder, lines[i].variant, x, grad_output);
    chart.panels[0].series.push_back({points_of(trace.gradient_norms), i, ChartLine::kMarked});
    chart.panels[1].series.push_back({points_of(trace.similarity), i, ChartLine::kMarked});
  }
  const auto at = [&](int line) { return chart.panels[0].series[3 - line].points[lines[line].layer]; };
  for (int i = 0; i < 4; ++i) chart.panels[0].labels.push_back({at(i), lines[i].name, lines[i].up, i});
  chart.panels[1].labels = {{{3, 1}, "both without x +", -18}, {{7, 0.2}, "both with x +", -20}};
  return to_svg(chart);
}

}  // namespace plainformer
