#include "ops/batched_matmul.h"

#include "core/thread_pool.h"

namespace plainformer {

Tensor batched_matmul(const Tensor& a, Transpose transpose_a, const Tensor& b, Transpose transpose_b) {
  CHECK(a.rank() == 4 && b.rank() == 4, a.shape().to_string(), " times ", b.shape().to_string());
  const Index outer = a.dim(0), inner = a.dim(1);
  const bool a_is_transposed = transpose_a == Transpose::kYes,
             b_is_transposed = transpose_b == Transpose::kYes;
  const Index m = a.dim(a_is_transposed ? 3 : 2), k = a.dim(a_is_transposed ? 2 : 3);
  const Index n = b.dim(b_is_transposed ? 2 : 3), b_k = b.dim(b_is_transposed ? 3 : 2);
  CHECK(b.dim(0) == outer && b.dim(1) == inner && b_k == k, a.shape().to_string(), " times ",
        b.shape().to_string());

  Tensor c({outer, inner, m, n});
  Real* c_data = c.mutable_data();
  parallel_for(outer * inner, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const MatrixView a_i = {a.data() + i * m * k, a.dim(2), a.dim(3), a.dim(3)};
      const MatrixView b_i = {b.data() + i * k * n, b.dim(2), b.dim(3), b.dim(3)};
      multiply(a_i, transpose_a, b_i, transpose_b, c_data + i * m * n, n, false);
    }
  });
  return c;
}

}  // namespace plainformer
