// Heads, and the weights of equation (1), for tests.
#pragma once

#include "ops/heads.h"
#include "ops/scaled_dot_product_attention.h"

namespace plainformer {

// [batch, heads, len, d] -> [batch, len, heads * d]
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
