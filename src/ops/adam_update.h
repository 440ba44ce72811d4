// One Adam step of one parameter, in one pass over its memory.
#pragma once

#include "core/parameter.h"
#include "kernels/kernels.h"

namespace plainformer {

// See AdamStep for the constants. All tensors have the parameter's shape.
void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment, const AdamStep& step);

}  // namespace plainformer
