// The fast way of equation (1) with a hook on its weights.
#pragma once

#include "ops/scaled_dot_product_attention.h"

namespace plainformer::fast {

decltype(plainformer::attention_forward) hooked_attention_forward;
decltype(plainformer::attention_backward) hooked_attention_backward;

}  // namespace plainformer::fast
