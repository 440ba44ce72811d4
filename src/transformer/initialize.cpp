#include "transformer/initialize.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "core/random_streams.h"

namespace plainformer {

namespace {

// As in torch.nn.Linear. At first a sub-layer's output is small compared with its input (of variance 1), and
// the attention weights are nearly equal. The model learns sooner than with the larger weights of
// Glorot & Bengio 2010 (docs/6.1-machine-translation.md).
void initialize_uniform(Tensor& w, Random random) {
  const double bound = 1 / std::sqrt(static_cast<double>(w.dim(0)));
  std::generate_n(w.mutable_data(), w.size(),
                  [&] { return static_cast<Real>(bound * (2 * random.uniform() - 1)); });
}

void initialize_normal(Tensor& table, double deviation, Random random) {
  std::generate_n(table.mutable_data(), table.size(),
                  [&] { return static_cast<Real>(deviation * random.normal()); });
}

}  // namespace

void initialize(const ParameterList& parameters, std::uint64_t seed) {
  std::uint64_t site = random_site::kFirstWeight;
  for (const auto& [name, parameter] : parameters) {
    const Random random(random_stream(seed, 0, site++));
    Tensor& value = parameter->value;
    if (value.rank() != 2) continue;
    if (name == "embedding") {
      initialize_normal(value, 1 / std::sqrt(static_cast<double>(value.dim(1))), random);
    } else if (name == "position_embedding") {
      initialize_normal(value, std::sqrt(0.5), random);
    } else {
      initialize_uniform(value, random);
    }
  }
}

}  // namespace plainformer
