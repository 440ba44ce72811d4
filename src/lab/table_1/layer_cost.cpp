#include "lab/table_1/layer_cost.h"

#include "core/multiply_adds.h"
#include "core/operation_calls.h"
#include "lab/table_1/random_inputs.h"

namespace plainformer {

namespace {

LayerCost counted(const SequenceLayer& layer, const Tensor& x) {
  const std::int64_t products = multiply_adds(), calls = operation_calls();
  layer.forward(x);
  return {.multiply_adds = multiply_adds() - products, .operation_calls = operation_calls() - calls};
}

}  // namespace

LayerCost counted_cost(LayerKind kind, const LayerSizes& sizes, Index n) {
  return counted(make_bare_layer(kind, sizes, 0), random_input({1, n, sizes.d}, 1));
}

LayerCost counted_cost_with_projections(LayerKind kind, const LayerSizes& sizes, Index n) {
  return counted(make_layer(kind, sizes, 0), random_input({1, n, sizes.d}, 1));
}

std::int64_t formula_multiply_adds(LayerKind kind, const LayerSizes& sizes, Index length) {
  const std::int64_t n = length, d = sizes.d, k = sizes.kernel, r = sizes.neighbors, g = sizes.global;
  const std::int64_t h = r / 2;  // neighbors on each side
  switch (kind) {
    case LayerKind::kSelfAttention:
      return 2 * n * n * d;  // scores and averages
    case LayerKind::kRecurrent:
      return 2 * n * d * d;  // x W_x and h W_h
    case LayerKind::kConvolution:
    case LayerKind::kDilatedConvolution:
      return k * n * d * d;
    case LayerKind::kSeparableConvolution:
      return k * n * d - k * (k - 1) / 2 * d + n * d * d;  // the kernel does not multiply before the sequence
    case LayerKind::kNeighbors:
      return 2 * (r * n - h * (h + 1)) * d;  // the first and last h positions have fewer neighbors
    case LayerKind::kNeighborsAndGlobal:
      return 2 * (r * (n - g) - h * (h + 1) + g * n + g * (n - g)) * d;
  }
  return 0;
}

std::string formula_text(LayerKind kind) {
  switch (kind) {
    case LayerKind::kSelfAttention:
      return "2 n^2 d";
    case LayerKind::kRecurrent:
      return "2 n d^2";
    case LayerKind::kConvolution:
    case LayerKind::kDilatedConvolution:
      return "k n d^2";
    case LayerKind::kSeparableConvolution:
      return "k n d + n d^2 - edges";
    case LayerKind::kNeighbors:
      return "2 r n d - edges";
    case LayerKind::kNeighborsAndGlobal:
      return "2 (r + 2 g) n d - edges";
  }
  return "";
}

std::string paper_order(LayerKind kind) {
  switch (kind) {
    case LayerKind::kSelfAttention:
      return "n^2 d";
    case LayerKind::kRecurrent:
      return "n d^2";
    case LayerKind::kConvolution:
    case LayerKind::kDilatedConvolution:
      return "k n d^2";
    case LayerKind::kSeparableConvolution:
      return "k n d + n d^2";
    case LayerKind::kNeighbors:
      return "r n d";
    case LayerKind::kNeighborsAndGlobal:
      return "";
  }
  return "";
}

std::int64_t formula_operation_calls(LayerKind kind, Index n) {
  switch (kind) {
    case LayerKind::kRecurrent:
      return std::int64_t{n} + 1;  // all x_t W_x at once, then a position after the other
    case LayerKind::kSeparableConvolution:
      return 2;  // depthwise, then pointwise
    default:
      return 1;
  }
}

Exponents paper_exponents(LayerKind kind) {
  switch (kind) {
    case LayerKind::kSelfAttention:
      return {2, 1};
    case LayerKind::kNeighbors:
      return {1, 1};
    case LayerKind::kNeighborsAndGlobal:
      return {};
    default:
      return {1, 2};
  }
}

}  // namespace plainformer
