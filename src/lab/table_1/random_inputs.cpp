#include "lab/table_1/random_inputs.h"

#include <algorithm>

#include "core/random.h"

namespace plainformer {

Tensor random_input(const Shape& shape, std::uint64_t seed) {
  Tensor x(shape);
  Random random(random_stream(seed, 0, 0));
  std::generate_n(x.mutable_data(), x.size(), [&] { return static_cast<Real>(random.normal()); });
  return x;
}

}  // namespace plainformer
