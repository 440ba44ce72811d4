// A row, or a whole tensor, as one number or a few: the sum of squares, log(sum of exp), the largest entries.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace plainformer {

// The sum of x's squares, in double. It is NaN or infinite exactly if some element is (in the double build,
// also if it overflows), and the same for any number of threads.
double sum_of_squares(const Tensor& x);

// y = log(sum over k of exp x_k), row by row. It turns logits into log-probabilities: log p_k = x_k - y. The
// row is first shifted by its largest entry, so nothing overflows.
//   x [..., classes] -> y [rows]
Tensor log_sum_exp(const Tensor& x);

// One row's log(sum over k of exp x_k).
Real log_sum_exp_of_row(const Tensor& x, Index row);

struct TopK {
  std::vector<int> columns;  // [rows, k]: of the largest entry first; of equal entries from left to right
  std::vector<Real> values;  // [rows, k]: the entries in those columns; minus infinity for a NaN
};

// The k largest entries of each row among the columns from first_column on. It exists only in the plain way.
//   x [..., columns], 1 <= k <= columns - first_column; a NaN counts as minus infinity
TopK top_k(const Tensor& x, Index first_column, Index k);

// The results that a search needs of its logits.
struct TopKAndLogSumExp {
  TopK top;
  Tensor log_sums;  // [rows]
};

// top_k, and log_sum_exp of the whole rows.
TopKAndLogSumExp top_k_and_log_sum_exp(const Tensor& x, Index first_column, Index k);

}  // namespace plainformer
