// The fast ways of operations that the paper does not use. Each has the type of the operation in beyond/ that leaves for
// it.
#pragma once

#include "beyond/attention_regularization.h"
#include "beyond/linear_attention.h"
#include "beyond/neighbor_attention.h"
#include "beyond/r_drop.h"

namespace plainformer::fast {

decltype(plainformer::drop_weights) drop_weights;
decltype(plainformer::linear_attention_forward) linear_attention_forward;
decltype(plainformer::linear_attention_backward) linear_attention_backward;
decltype(plainformer::neighbor_attention_forward) neighbor_attention_forward;
decltype(plainformer::neighbor_attention_backward) neighbor_attention_backward;
decltype(plainformer::r_drop_forward_backward) r_drop_forward_backward;

}  // namespace plainformer::fast
