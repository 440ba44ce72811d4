// Paper: 4 Why Self-Attention, Table 1 (complexity per layer, sequential operations)
//
// The cost of a layer, counted while it runs, beside the formula.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/table_1/sequence_layer.h"

namespace plainformer {

struct LayerCost {
  std::int64_t multiply_adds = 0;    // of a forward pass over one sequence
  std::int64_t operation_calls = 0;  // operations that wait for each other
};

// Runs the bare layer forward over one sequence of length n, and counts.
LayerCost counted_cost(LayerKind kind, const LayerSizes& sizes, Index n);

// The cost that counted_cost counts, with the projections of attention, W^Q, W^K, W^V and W^O.
LayerCost counted_cost_with_projections(LayerKind kind, const LayerSizes& sizes, Index n);

// Table 1's formula with its constants and borders, for the bare layer; n >= k, and n - global >= r.
std::int64_t formula_multiply_adds(LayerKind kind, const LayerSizes& sizes, Index n);

// "2 r n d - edges", which formula_multiply_adds computes, and the paper's order, "r n d"; "" if it gives none.
std::string formula_text(LayerKind kind);
std::string paper_order(LayerKind kind);

// How many operations wait for each other in one layer, by arithmetic.
std::int64_t formula_operation_calls(LayerKind kind, Index n);

// The exponents of n and of d in the paper's order; empty if it gives none.
struct Exponents {
  std::optional<double> n, d;
};
Exponents paper_exponents(LayerKind kind);

}  // namespace plainformer
