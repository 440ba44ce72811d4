// log(sum of exp) of each row. It turns logits into log-probabilities: log p_k = x_k - log_sum_exp(x).
#pragma once

#include "core/tensor.h"

namespace plainformer {

// y = log(sum over k of exp x_k), row by row. The row is first shifted by its largest entry, so nothing
// overflows.
//   x [..., classes] -> y [rows]
Tensor log_sum_exp(const Tensor& x);

// One row's log(sum over k of exp x_k).
Real log_sum_exp_of_row(const Tensor& x, Index row);

}  // namespace plainformer
