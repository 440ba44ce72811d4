#include "ops/reductions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/rows.h"
#include "ops/ways.h"

namespace plainformer {

double sum_of_squares(const Tensor& x) {
  if (ways.adam == Way::kFast) return fast::sum_of_squares(x);

  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += static_cast<double>(x(i)) * static_cast<double>(x(i));
  return sum;
}

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

namespace {

void check_columns(const Tensor& x, Index first_column, Index k) {
  const Index columns = row_length(x);
  CHECK(first_column >= 0 && k >= 1 && k <= columns - first_column, "the ", k, " largest of ", columns,
        " columns from ", first_column, " on");
}

}  // namespace

TopK top_k(const Tensor& x, Index first_column, Index k) {
  const Index rows = row_count(x), columns = row_length(x);
  check_columns(x, first_column, k);

  constexpr Real kLowest = -std::numeric_limits<Real>::infinity();
  TopK top;
  for (Index row = 0; row < rows; ++row) {
    std::vector<bool> taken(columns);
    for (Index rank = 0; rank < k; ++rank) {
      // Find the largest remaining entry; of equal ones, the first.
      Index best = -1;
      Real best_value = kLowest;
      for (Index column = first_column; column < columns; ++column) {
        const Real value = std::isnan(x(row, column)) ? kLowest : x(row, column);
        if (taken[column] || (best >= 0 && value <= best_value)) continue;
        best = column;
        best_value = value;
      }
      taken[best] = true;
      top.columns.push_back(static_cast<int>(best));
      top.values.push_back(best_value);
    }
  }
  return top;
}

TopKAndLogSumExp top_k_and_log_sum_exp(const Tensor& x, Index first_column, Index k) {
  check_columns(x, first_column, k);
  if (ways.decoding == Way::kFast) return fast::top_k_and_log_sum_exp(x, first_column, k);

  return {top_k(x, first_column, k), log_sum_exp(x)};
}

}  // namespace plainformer
