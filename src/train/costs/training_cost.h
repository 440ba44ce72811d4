// Paper: 5.2 Hardware and Schedule (the cost of a step) and 6.2 Model Variations (the parameters)
//
// Parameters, multiply-adds and bytes of a training step, part by part, from the shapes alone: nothing is
// trained, and no memory is taken.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "train/costs/batch_shape.h"
#include "train/costs/training_method.h"
#include "transformer/config.h"

namespace plainformer {

// One part of the model, in all its layers.
struct PartCost {
  std::int64_t parameters = 0;
  // Multiply-adds of matrix products: those that core/multiply_adds counts when the step runs.
  std::int64_t forward = 0, backward = 0;
  // Bytes that go to and from memory if every operation reads its inputs once and writes its result once, and
  // no cache holds anything from one operation to the next. Steps that are fused count as one operation. A
  // machine moves more where a product reads a factor again, and less where a tensor stays in a cache.
  std::int64_t bytes = 0;

  std::int64_t multiply_adds() const { return forward + backward; }
};

PartCost operator+(const PartCost& a, const PartCost& b);

enum class Part {
  kEmbedding,  // source and target, with their positions; the table is also that of the output projection
  kEncoderProjections,  // W^Q, W^K, W^V and W^O
  kEncoderAttention,    // scores Q K^T, and averages of V
  kEncoderFeedForward,
  kEncoderNorms,  // residual dropout, addition, layer norm
  kDecoderProjections,
  kDecoderAttention,
  kEncoderDecoderProjections,
  kEncoderDecoderAttention,
  kDecoderFeedForward,
  kDecoderNorms,
  kOutputProjection,  // with the softmax and the loss; its table is counted with the embedding
  kOptimizer,         // zeroing the gradients, their norm, Adam
};
inline constexpr int kParts = static_cast<int>(Part::kOptimizer) + 1;

std::string name_of(Part part);  // "encoder self-attention: projections"

struct TrainingCost {
  std::array<PartCost, kParts> parts = {};

  const PartCost& operator[](Part part) const { return parts[static_cast<std::size_t>(part)]; }
  PartCost& operator[](Part part) { return parts[static_cast<std::size_t>(part)]; }
  PartCost sum_of(std::initializer_list<Part> some) const;
  PartCost total() const;
};

// One step on one batch: forward with dropout, loss, backward, gradient norm, Adam.
TrainingCost training_cost(const ModelConfig& config, const BatchShape& batch, const TrainingMethod& method);

// The part of it that depends on no batch: `parameters` of each part.
TrainingCost parameter_cost(const ModelConfig& config);

// Multiplications and additions of one step's matrix products, as the equations write them: 2mnk forward and
// 4mnk backward for [m, k] times [k, n]. All projections count, the feed-forward networks, the output
// projection, and the two products of attention over the whole square, even if the mask is causal. A product
// that an implementation computes twice counts once.
double training_operations(const ModelConfig& config, const BatchShape& batch);

}  // namespace plainformer
