#include "lab/table_1/sequence_layer.h"

#include <memory>

#include "beyond/convolution_layer.h"
#include "beyond/neighbor_self_attention.h"
#include "beyond/recurrent_layer.h"
#include "beyond/separable_convolution_layer.h"
#include "core/check.h"
#include "ops/elementwise.h"
#include "transformer/multi_head_attention.h"

namespace plainformer {

namespace {

AttentionMask full_mask(const Tensor& x) {
  return {.key_lengths = std::vector<Index>(x.dim(0), x.dim(1)), .causal = false};
}

NeighborMask neighbor_mask(const Tensor& x, Index neighbors, Index global) {
  return {.key_lengths = std::vector<Index>(x.dim(0), x.dim(1)),
          .neighbors = neighbors,
          .causal = false,
          .global = global};
}

// Query, key and value were one tensor, so their gradients add up.
Tensor sum_of(const Tensor& grad_query, const Tensor& grad_key, const Tensor& grad_value) {
  return add(add(grad_query, grad_key), grad_value);
}

struct FullAttention {
  using Cache = MultiHeadAttention::Cache;
  MultiHeadAttention layer;

  Tensor forward(const Tensor& x, Cache& cache) const { return layer.forward(x, x, x, full_mask(x), cache); }
  Tensor backward(const Tensor& grad_output, const Cache& cache) {
    const auto grad = layer.backward(grad_output, cache);
    return sum_of(grad.query, grad.key, grad.value);
  }
  void append_parameters(const std::string& prefix, ParameterList& list) {
    layer.append_parameters(prefix, list);
  }
};

struct RestrictedAttention {
  using Cache = NeighborSelfAttention::Cache;
  NeighborSelfAttention layer;
  Index neighbors, global;

  Tensor forward(const Tensor& x, Cache& cache) const {
    return layer.forward(x, neighbor_mask(x, neighbors, global), cache);
  }
  Tensor backward(const Tensor& grad_output, const Cache& cache) {
    return layer.backward(grad_output, cache);
  }
  void append_parameters(const std::string& prefix, ParameterList& list) {
    layer.append_parameters(prefix, list);
  }
};

struct BareFullAttention {
  using Cache = AttentionCache;
  Index heads;

  Tensor forward(const Tensor& x, Cache& cache) const {
    return attention_forward(x, x, x, full_mask(x), heads, cache);
  }
  Tensor backward(const Tensor& grad_output, const Cache& cache) {
    const AttentionGradients grad = attention_backward(grad_output, cache);
    return sum_of(grad.query, grad.key, grad.value);
  }
  void append_parameters(const std::string&, ParameterList&) {}
};

struct BareRestrictedAttention {
  using Cache = NeighborAttentionCache;
  Index heads, neighbors, global;

  Tensor forward(const Tensor& x, Cache& cache) const {
    return neighbor_attention_forward(x, x, x, neighbor_mask(x, neighbors, global), heads, cache);
  }
  Tensor backward(const Tensor& grad_output, const Cache& cache) {
    const AttentionGradients grad = neighbor_attention_backward(grad_output, cache);
    return sum_of(grad.query, grad.key, grad.value);
  }
  void append_parameters(const std::string&, ParameterList&) {}
};

// Any of these layers, with the cache that it needs.
constexpr auto with_cache = [](auto layer) {
  struct State {
    decltype(layer) kept;
    typename decltype(layer)::Cache cache = {};
  };
  const auto state = std::make_shared<State>(State{std::move(layer)});
  SequenceLayer result = {
      .forward = [state](const Tensor& x) { return state->kept.forward(x, state->cache); },
      .backward = [state](const Tensor& grad) { return state->kept.backward(grad, state->cache); },
      .parameters = {}};
  state->kept.append_parameters("layer", result.parameters);
  return result;
};

Index power(Index base, Index exponent) {
  Index result = 1;
  for (Index i = 0; i < exponent; ++i) result *= base;
  return result;
}

}  // namespace

const std::vector<LayerKind>& layer_kinds() {
  static const std::vector<LayerKind> kinds = {
      LayerKind::kSelfAttention,        LayerKind::kRecurrent,
      LayerKind::kConvolution,          LayerKind::kDilatedConvolution,
      LayerKind::kSeparableConvolution, LayerKind::kNeighbors,
      LayerKind::kNeighborsAndGlobal};
  return kinds;
}

std::string name_of(LayerKind kind) {
  switch (kind) {
    case LayerKind::kSelfAttention:
      return "self-attention";
    case LayerKind::kRecurrent:
      return "recurrent";
    case LayerKind::kConvolution:
      return "convolution";
    case LayerKind::kDilatedConvolution:
      return "dilated convolution";
    case LayerKind::kSeparableConvolution:
      return "separable convolution";
    case LayerKind::kNeighbors:
      return "attention to neighbors";
    case LayerKind::kNeighborsAndGlobal:
      return "neighbors and global";
  }
  return "";
}

bool is_attention(LayerKind kind) {
  return kind == LayerKind::kSelfAttention || kind == LayerKind::kNeighbors ||
         kind == LayerKind::kNeighborsAndGlobal;
}

SequenceLayer make_layer(LayerKind kind, const LayerSizes& sizes, Index depth) {
  const auto& [d, heads, kernel, neighbors, global] = sizes;
  switch (kind) {
    case LayerKind::kSelfAttention:
      return with_cache(FullAttention{MultiHeadAttention(d, heads)});
    case LayerKind::kRecurrent:
      return with_cache(RecurrentLayer(d));
    case LayerKind::kConvolution:
      return with_cache(ConvolutionLayer(d, kernel, 1));
    case LayerKind::kDilatedConvolution:
      return with_cache(ConvolutionLayer(d, kernel, power(kernel, depth)));
    case LayerKind::kSeparableConvolution:
      return with_cache(SeparableConvolutionLayer(d, kernel));
    case LayerKind::kNeighbors:
      return with_cache(RestrictedAttention{NeighborSelfAttention(d, heads), neighbors, 0});
    case LayerKind::kNeighborsAndGlobal:
      return with_cache(RestrictedAttention{NeighborSelfAttention(d, heads), neighbors, global});
  }
  return {};
}

SequenceLayer make_bare_layer(LayerKind kind, const LayerSizes& sizes, Index depth) {
  const Index global = kind == LayerKind::kNeighborsAndGlobal ? sizes.global : 0;
  if (kind == LayerKind::kSelfAttention) return with_cache(BareFullAttention{sizes.heads});
  if (is_attention(kind)) return with_cache(BareRestrictedAttention{sizes.heads, sizes.neighbors, global});
  return make_layer(kind, sizes, depth);
}

}  // namespace plainformer
