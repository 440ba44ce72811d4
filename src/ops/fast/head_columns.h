// The heads stand side by side in the columns of a tensor: head h is the h-th block.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/thread_pool.h"
#include "ops/fast/matmul.h"

namespace plainformer::fast {

// The fewest heads that repay waking a thread, which takes as long as some 100,000 multiply-adds.
//   products   the multiply-adds of one head. What a head does besides takes as long as some 2,000 more
inline Index head_grain(std::int64_t products) {
  return static_cast<Index>(std::max<std::int64_t>(1, 100'000 / (products + 2'000)));
}

// Calls body(element, head) for each head of each element of the batch, on several threads.
//   grain   the fewest heads that are worth waking a thread for
template <typename Body>
void for_each_head(Index batch, Index heads, Index grain, const Body& body) {
  parallel_for(batch * heads, grain, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) body(task / heads, task % heads);
  });
}

// Calls body likewise, where each head alone is worth a thread.
template <typename Body>
void for_each_head(Index batch, Index heads, const Body& body) {
  for_each_head(batch, heads, 1, body);
}

// The elements of x before the first one of that head.    x [batch, len, heads * width]
inline Index head_offset(const Tensor& x, Index element, Index head, Index heads) {
  const Index len = x.dim(1), row_stride = x.dim(2);
  return element * len * row_stride + head * (row_stride / heads);
}

// The columns of one head of one element of the batch.    x [batch, len, heads * width] -> [len, width]
inline MatrixView head_columns(const Tensor& x, Index element, Index head, Index heads) {
  const Index len = x.dim(1), row_stride = x.dim(2);
  return {x.data() + head_offset(x, element, head, heads), len, row_stride / heads, row_stride};
}

}  // namespace plainformer::fast
