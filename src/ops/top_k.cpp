#include "ops/top_k.h"

#include <cmath>
#include <limits>

#include "core/check.h"
#include "ops/fast/fast.h"
#include "ops/log_sum_exp.h"
#include "ops/rows.h"
#include "ops/ways.h"

namespace plainformer {

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
  if (ways.decoding == Way::kFast) return fast::top_k(x, first_column, k);

  constexpr Real kLowest = -std::numeric_limits<Real>::infinity();
  TopK top = {.k = k, .columns = {}, .values = {}};
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
