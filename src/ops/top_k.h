// The largest entries of each row, and their columns.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace plainformer {

struct TopK {
  Index k = 0;
  std::vector<int> columns;  // [rows, k]: of the largest entry first; of equal entries from left to right
  std::vector<Real> values;  // [rows, k]: the entries in those columns; minus infinity for a NaN
};

// The k largest entries of each row among the columns from first_column on.
//   x [..., columns], 1 <= k <= columns - first_column; a NaN counts as minus infinity
TopK top_k(const Tensor& x, Index first_column, Index k);

// What a search needs of its logits.
struct TopKAndLogSumExp {
  TopK top;
  Tensor log_sums;  // [rows]
};

// top_k, and log_sum_exp of the whole rows. The fast way reads them fewer times than both operations would.
TopKAndLogSumExp top_k_and_log_sum_exp(const Tensor& x, Index first_column, Index k);

}  // namespace plainformer
