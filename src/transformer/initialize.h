// Paper: 3 Model Architecture (the initial weights, which the paper leaves open)
#pragma once

#include <cstdint>
#include <vector>

#include "core/parameter.h"

namespace plainformer {

// A table of vectors [rows, d_model] and the standard deviation of its normally distributed weights.
struct EmbeddingTable {
  const Parameter* table;
  double deviation;
};

// The tokens' vectors have the variance 1 / d_model, because they are multiplied by sqrt(d_model). Those of
// learned positions have the variance of sines, 1 / 2.
EmbeddingTable token_table(const Parameter& table);
EmbeddingTable position_table(const Parameter& table);

// Draws the initial weights from `seed`: those of the tables as said there, and those of any other matrix
// [in, out] uniformly within 1 / sqrt(in). Vectors keep their values: gains 1, biases 0. Each parameter has
// its own stream of random numbers, so its weights depend only on the seed and its place in the list.
void initialize(const ParameterList& parameters, std::uint64_t seed,
                const std::vector<EmbeddingTable>& tables = {});

}  // namespace plainformer
