#include "ops/sum_of_squares.h"

#include "ops/plain/plain.h"

namespace plainformer::plain {

double sum_of_squares(const Tensor& x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += static_cast<double>(x(i)) * static_cast<double>(x(i));
  return sum;
}

}  // namespace plainformer::plain
