// The precision of the fast way's matrix products in linear.h and cross_entropy.h, forward, backward and in decoding.
// All else is computed in float: sums, softmax, attention, norms, losses, residuals, Adam, weights.
#pragma once

#include <string>

namespace plainformer {

enum class Precision { kFloat, kBf16 };

// The precision in use; kernels/bf16.h defines the products in bfloat16. Do not change it while another thread
// computes.
extern Precision product_precision;

// "float" or "bf16". std::runtime_error, which names `where`, for another name, and for "bf16" in the double
// build.
Precision find_precision(const std::string& name, const std::string& where);
std::string precision_name(Precision precision);

// Chooses another precision for as long as it lives.
class PrecisionInScope {
 public:
  explicit PrecisionInScope(Precision chosen) : before_(product_precision) { product_precision = chosen; }
  ~PrecisionInScope() { product_precision = before_; }
  PrecisionInScope(const PrecisionInScope&) = delete;
  PrecisionInScope& operator=(const PrecisionInScope&) = delete;

 private:
  Precision before_;
};

}  // namespace plainformer
