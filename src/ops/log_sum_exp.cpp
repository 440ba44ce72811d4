#include "ops/log_sum_exp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/rows.h"
#include "ops/ways.h"

namespace plainformer {

Real log_sum_exp_of_row(const Tensor& x, Index row) {
  const Index classes = x.dim(-1);
  Real largest = -std::numeric_limits<Real>::infinity();
  for (Index k = 0; k < classes; ++k) largest = std::max(largest, x(row, k));

  // exp(x) = exp(largest) exp(x - largest). The logarithm of the first factor is `largest`, and the second
  // factor cannot overflow.
  double sum = 0;
  for (Index k = 0; k < classes; ++k) sum += std::exp(static_cast<double>(x(row, k) - largest));
  return static_cast<Real>(static_cast<double>(largest) + std::log(sum));
}

Tensor log_sum_exp(const Tensor& x) {
  if (ways.decoding == Way::kFast) return fast::log_sum_exp(x);

  WritableTensor y({row_count(x)});
  for (Index row = 0; row < y.size(); ++row) y(row) = log_sum_exp_of_row(x, row);
  return y;
}

}  // namespace plainformer
