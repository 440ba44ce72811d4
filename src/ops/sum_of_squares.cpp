#include "ops/sum_of_squares.h"

#include "ops/fast/fast.h"
#include "ops/ways.h"

namespace plainformer {

double sum_of_squares(const Tensor& x) {
  if (ways.adam == Way::kFast) return fast::sum_of_squares(x);

  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += static_cast<double>(x(i)) * static_cast<double>(x(i));
  return sum;
}

}  // namespace plainformer
