#include "transformer/initialize.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace plainformer {

namespace {

// As in torch.nn.Linear. At first a sub-layer's output is small compared with its input (of variance 1), and
// the attention weights are nearly equal. The model learns sooner than with the larger weights of
// Glorot & Bengio 2010 (docs/lab/multi30k.md).
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

EmbeddingTable token_table(const Parameter& table) {
  return {&table, 1 / std::sqrt(static_cast<double>(table.value.dim(1)))};
}

EmbeddingTable position_table(const Parameter& table) {
  return {&table, std::sqrt(0.5)};
}

void initialize(const ParameterList& parameters, std::uint64_t seed,
                const std::vector<EmbeddingTable>& tables) {
  std::uint64_t site = random_site::kFirstWeight;
  for (const NamedParameter& p : parameters) {
    const Random random(random_stream(seed, 0, site++));
    Tensor& value = p.parameter->value;
    if (value.rank() != 2) continue;
    const auto table =
        std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.table == p.parameter; });
    if (table != tables.end())
      initialize_normal(value, table->deviation, random);
    else
      initialize_uniform(value, random);
  }
}

}  // namespace plainformer
