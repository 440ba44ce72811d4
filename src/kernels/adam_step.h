// The numbers of one update by Adam (5.3), rounded to Real.
#pragma once

#include "core/real.h"

namespace plainformer {

struct AdamStep {
  Real learning_rate, beta_1, beta_2, epsilon;
  Real one_minus_beta_1, one_minus_beta_2;    // rounded after the subtraction
  Real bias_correction_1, bias_correction_2;  // 1 - beta^t
  Real grad_scale;                            // multiplies each gradient first (clipping); 1 for none
};

}  // namespace plainformer
