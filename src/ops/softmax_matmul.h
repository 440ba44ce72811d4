// softmax(scale a b^T) c without the matrix between: tile by tile, in memory that grows with the rows only.
//
// A row's softmax needs its largest score and the sum of its exponentials, and both are known only at the end
// of the row. But they can be corrected on the way: when a tile brings a new largest score m' > m, all that
// was summed up so far was exp(score - m) and must become exp(score - m'), that is, be multiplied by exp(m -
// m'). (Milakov & Gimelshein 2018, "Online normalizer calculation for softmax"; Dao et al. 2022,
// "FlashAttention".) Backward computes the scores again, with the sums that are known by then.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace plainformer {

struct SoftmaxMatmulCache {
  Tensor a = {};         // [batch, m, blocks * k]
  Tensor b = {};         // [batch, n, blocks * k]
  Tensor c = {};         // [batch, n, blocks * l]
  Tensor y = {};         // [batch, m, blocks * l]
  Tensor log_sums = {};  // [batch, blocks, m]: log(sum of exp(score)) of each row; 0 where nothing is visible
  std::vector<Index> visible = {};  // [batch * m]
  Index blocks = 1;
  Real scale = 1;
};

// For each batch element, and each of `blocks` blocks of columns by itself:
//   y = softmax(scale a b^T) c
// Row i of a sees the first visible[element * m + i] rows of b and c. The others have weight exactly 0; some
// of them are multiplied by it, so they must be finite. A row that sees nothing has y = 0. The cache's
// visible, blocks and scale are set by the caller; the rest is filled here.
Tensor softmax_matmul_forward(const Tensor& a, const Tensor& b, const Tensor& c, SoftmaxMatmulCache& cache);

struct SoftmaxMatmulGradients {
  Tensor a, b, c;
};

// With p = softmax(scale a b^T): grad_c = p^T grad_y; grad_p = grad_y c^T; with the softmax's Jacobian,
// grad_s = p (grad_p - sum(grad_p p)), where the sum is also the dot product of grad_y's row and y's row;
// grad_a = scale grad_s b; grad_b = scale grad_s^T a.
SoftmaxMatmulGradients softmax_matmul_backward(const Tensor& grad_y, const SoftmaxMatmulCache& cache);

}  // namespace plainformer
