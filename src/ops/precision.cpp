#include "ops/precision.h"

#include "core/input_error.h"

namespace plainformer {

constinit Precision product_precision = Precision::kFloat;

Precision find_precision(const std::string& name, const std::string& where) {
  if (name == "float") return Precision::kFloat;
  if (name != "bf16")
    throw input_error(where, "there is no precision \"" + name + "\"", "choose float or bf16");
#ifdef PLAINFORMER_DOUBLE
  throw input_error(where, "bf16 rounds floats, but this build computes in double", "use another build");
#else
  return Precision::kBf16;
#endif
}

std::string precision_name(Precision precision) {
  return precision == Precision::kBf16 ? "bf16" : "float";
}

}  // namespace plainformer
