#include "lab/table_1/layer_path.h"

#include <algorithm>

#include "lab/table_1/random_inputs.h"
#include "transformer/initialize.h"

namespace plainformer {

namespace {

// Random weights. A recurrent layer's W_h is the identity, and its inputs are small: with other weights its
// gradient shrinks at each position, and over some hundred of them to 0.
void initialize_for_signals(LayerKind kind, SequenceLayer& layer) {
  initialize(layer.parameters, 1);
  if (kind != LayerKind::kRecurrent) return;
  for (const NamedParameter& p : layer.parameters) {
    Tensor& value = p.parameter->value;
    if (value.rank() != 2) continue;
    const bool is_recurrent = p.name == "layer.w_h";
    for (Index i = 0; i < value.size(); ++i) {
      const bool diagonal = i / value.dim(1) == i % value.dim(1);
      Real& weight = value.mutable_data()[i];
      weight = is_recurrent ? Real(diagonal ? 1 : 0) : weight / 1000000;
    }
  }
}

std::vector<bool> positions_with_gradient(const Tensor& grad) {
  const Index n = grad.dim(1), d = grad.dim(2);
  std::vector<bool> found(n);
  for (Index t = 0; t < n; ++t) {
    const Real* begin = grad.data() + t * d;
    found[t] = std::any_of(begin, begin + d, [](Real g) { return g != 0; });
  }
  return found;
}

// A gradient of random numbers at these positions, and 0 elsewhere.
Tensor gradient_at(const std::vector<bool>& positions, Index d, std::uint64_t seed) {
  const auto n = static_cast<Index>(positions.size());
  Tensor grad = random_input({1, n, d}, seed);
  for (Index t = 0; t < n; ++t)
    if (!positions[t]) std::fill_n(grad.mutable_data() + t * d, d, Real{0});
  return grad;
}

Index divide_up(Index x, Index y) {
  return (x + y - 1) / y;
}

}  // namespace

std::vector<bool> positions_heard(LayerKind kind, const LayerSizes& sizes, const std::vector<bool>& by,
                                  Index depth) {
  SequenceLayer layer = make_bare_layer(kind, sizes, depth);
  initialize_for_signals(kind, layer);
  layer.forward(random_input({1, std::ssize(by), sizes.d}, 2));
  return positions_with_gradient(layer.backward(gradient_at(by, sizes.d, 3 + depth)));
}

Index layers_until_all_is_heard(LayerKind kind, const LayerSizes& sizes, Index n, Index most) {
  std::vector<bool> heard(n);
  heard[n - 1] = true;
  for (Index layers = 1; layers <= most; ++layers) {
    // Layers with other dilations reach other positions, and each reaches as far in any order. So the top
    // layer may be the one of dilation 1.
    heard = positions_heard(kind, sizes, heard, layers - 1);
    if (std::all_of(heard.begin(), heard.end(), [](bool is) { return is; })) return layers;
  }
  return most + 1;
}

Index formula_layers(LayerKind kind, const LayerSizes& sizes, Index n) {
  const Index k = sizes.kernel, h = sizes.neighbors / 2, global = sizes.global;
  switch (kind) {
    case LayerKind::kSelfAttention:
    case LayerKind::kRecurrent:
      return 1;
    case LayerKind::kConvolution:
    case LayerKind::kSeparableConvolution:
      return std::max<Index>(1, divide_up(n - 1, k - 1));
    case LayerKind::kDilatedConvolution: {
      Index layers = 1;
      for (Index reach = k; reach < n; reach *= k) ++layers;
      return layers;
    }
    case LayerKind::kNeighbors:
      return std::max<Index>(1, divide_up(n - 1, h));
    case LayerKind::kNeighborsAndGlobal:
      return n - 1 - global <= h ? 1 : 2;
  }
  return 0;
}

std::string paper_path(LayerKind kind) {
  switch (kind) {
    case LayerKind::kSelfAttention:
      return "1";
    case LayerKind::kRecurrent:
      return "n";
    case LayerKind::kConvolution:
      return "n / k";
    case LayerKind::kDilatedConvolution:
      return "log_k(n)";
    case LayerKind::kNeighbors:
      return "n / r";
    case LayerKind::kSeparableConvolution:
    case LayerKind::kNeighborsAndGlobal:
      return "";
  }
  return "";
}

}  // namespace plainformer
