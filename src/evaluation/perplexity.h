// Paper: 6.2 Model Variations, Table 3 (its measure).
//
// Perplexity per word piece: exp(-1/N * sum of log p(token)), over the N tokens of the target's byte-pair
// encoding, end of sentence included. "Should not be compared to per-word perplexities", as Table 3 says:
// another vocabulary gives another N.
#pragma once

#include <cmath>

#include "core/real.h"

namespace plainformer {

//   total_negative_log_probability   nats, summed over the corpus without label smoothing
//   tokens                           >= 1
inline double perplexity(double total_negative_log_probability, Index tokens) {
  return std::exp(total_negative_log_probability / static_cast<double>(tokens));
}

}  // namespace plainformer
