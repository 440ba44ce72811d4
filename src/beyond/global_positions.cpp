#include "beyond/global_positions.h"

#include <algorithm>

#include "ops/elementwise.h"

namespace plainformer {

namespace {

// The first `count` positions of x.    [batch, len, d] -> [batch, count, d]
Tensor first_positions(const Tensor& x, Index count) {
  const Index batch = x.dim(0), len = x.dim(1), d = x.dim(2);
  Tensor first({batch, count, d});
  Real* to = first.mutable_data();
  for (Index b = 0; b < batch; ++b) std::copy_n(x.data() + b * len * d, count * d, to + b * count * d);
  return first;
}

// Overwrites the first positions of x and leaves the others alone.
void write_first_positions(const Tensor& first, Tensor& x) {
  const Index batch = x.dim(0), len = x.dim(1), d = x.dim(2), count = first.dim(1);
  Real* to = x.mutable_data();
  for (Index b = 0; b < batch; ++b) std::copy_n(first.data() + b * count * d, count * d, to + b * len * d);
}

}  // namespace

Tensor global_positions_forward(Tensor output, NeighborAttentionCache& cache) {
  const Index count = std::min(cache.mask.global, cache.query.dim(1));
  if (count == 0) return output;
  const AttentionMask mask = {.key_lengths = cache.mask.key_lengths, .causal = cache.mask.causal};
  write_first_positions(attention_forward(first_positions(cache.query, count), cache.key, cache.value, mask,
                                          cache.heads, cache.global),
                        output);
  return output;
}

AttentionGradients global_positions_backward(const Tensor& grad_output, const NeighborAttentionCache& cache,
                                             AttentionGradients grad) {
  const Index count = std::min(cache.mask.global, cache.query.dim(1));
  if (count == 0) return grad;
  const AttentionGradients global = attention_backward(first_positions(grad_output, count), cache.global);
  write_first_positions(global.query, grad.query);  // their queries take part in nothing else
  return {.query = std::move(grad.query),
          .key = add(std::move(grad.key), global.key),
          .value = add(std::move(grad.value), global.value)};
}

}  // namespace plainformer
