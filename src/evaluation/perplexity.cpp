#include "evaluation/perplexity.h"

#include <cmath>

#include "core/check.h"

namespace plainformer {

double perplexity(double total_negative_log_probability, Index tokens) {
  CHECK(tokens >= 1, "tokens=", tokens);
  return std::exp(total_negative_log_probability / static_cast<double>(tokens));
}

}  // namespace plainformer
