// How many multiply-adds the plain loops make (core/multiply_adds.h).
#pragma once

#include <cstdint>

#include "core/parameter.h"
#include "ops/linear_attention.h"
#include "ops/neighbor_mask.h"

namespace plainformer::plain {

// Of x w: each row of x [..., in] meets each element of w, [in, out] or [out, in].
std::int64_t linear_products(const Tensor& x, const Parameter& w);

// Of equation (1), for all pairs of a query and a key: Q K^T, and the weights times V. Arguments as attention_forward's.
std::int64_t attention_products(const Tensor& query, const Tensor& key, const Tensor& value);

// The pairs of a query and a key that it sees, in all heads; without the queries of the global positions.
std::int64_t visible_pairs(const NeighborMask& mask, Index heads, Index len);

// Of linear attention. The cache is that of a plain forward pass.
std::int64_t forward_products(const LinearAttentionCache& cache);
std::int64_t backward_products(const LinearAttentionCache& cache);

}  // namespace plainformer::plain
