#include "ops/log_sum_exp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elements.h"
#include "ops/plain/plain.h"
#include "ops/rows.h"

namespace plainformer::plain {

Tensor log_sum_exp(const Tensor& x) {
  const Index rows = row_count(x), classes = x.dim(-1);
  Tensor output({rows});
  Elements y(output);
  for (Index row = 0; row < rows; ++row) {
    Real largest = -std::numeric_limits<Real>::infinity();
    for (Index k = 0; k < classes; ++k) largest = std::max(largest, x(row, k));

    // exp(x) = exp(largest) exp(x - largest). The logarithm of the first factor is `largest`, and the second
    // factor cannot overflow.
    double sum = 0;
    for (Index k = 0; k < classes; ++k) sum += std::exp(static_cast<double>(x(row, k) - largest));
    y(row) = static_cast<Real>(static_cast<double>(largest) + std::log(sum));
  }
  return output;
}

}  // namespace plainformer::plain
