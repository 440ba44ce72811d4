// Rows of a table, picked by their numbers.
#pragma once

#include <span>

#include "core/parameter.h"
#include "core/tensor.h"

namespace plainformer {

// y[i] = table[ids[i]].    ids in 0 .. entries - 1 (else std::logic_error), table [entries, d] -> y [ids, d]
Tensor embedding_lookup_forward(std::span<const int> ids, const Parameter& table);

// table.grad[ids[i]] += grad_y[i]: a row that was picked twice gets both gradients.
//   grad_y [..., d], a row for each id; ids in 0 .. entries - 1 (else std::logic_error)
void embedding_lookup_backward(const Tensor& grad_y, std::span<const int> ids, Parameter& table);

}  // namespace plainformer
