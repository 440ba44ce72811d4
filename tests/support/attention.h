// Heads, and the weights of equation (1), for tests.
#pragma once

#include "ops/scaled_dot_product_attention.h"

namespace plainformer {

// [batch, len, heads * d] -> [batch, heads, len, d], and back.
inline Tensor split_heads(const Tensor& x, Index heads) {
  const Index batch = x.dim(0), len = x.dim(1), d = x.dim(2) / heads;
  Tensor split({batch, heads, len, d});
  Real* to = split.mutable_data();
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < len; ++i)
        for (Index p = 0; p < d; ++p) *to++ = x.at({b, i, h * d + p});
  return split;
}
inline Tensor merge_heads(const Tensor& x) {
  const Index batch = x.dim(0), heads = x.dim(1), len = x.dim(2), d = x.dim(3);
  Tensor merged({batch, len, heads * d});
  Real* to = merged.mutable_data();
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index h = 0; h < heads; ++h)
        for (Index p = 0; p < d; ++p) *to++ = x.at({b, h, i, p});
  return merged;
}

// The ways in use, but the attention that keeps its weights.
inline Ways with_plain_attention() {
  Ways chosen = ways;
  chosen.attention = Way::kPlain;
  return chosen;
}

// What the plain way keeps of a forward pass, its weights among it.
inline AttentionCache plain_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                      const AttentionMask& mask, Index heads = 1) {
  const WaysInScope plain(with_plain_attention());
  AttentionCache cache;
  attention_forward(query, key, value, mask, heads, cache);
  return cache;
}

}  // namespace plainformer
