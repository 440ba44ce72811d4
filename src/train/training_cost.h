// Paper: 5.2 Hardware and Schedule (the cost and the memory of a step) and 6.2 Model Variations (the
// parameters)
//
// Parameters, multiply-adds and memory of a training step, part by part, from the shapes alone: nothing is
// trained, and no memory is taken. All counts are doubles, which are exact up to 2^53 and never overflow.
#pragma once

#include <string>
#include <vector>

#include "data/batching.h"
#include "ops/ways.h"
#include "train/settings.h"
#include "transformer/token_batch.h"

namespace plainformer {

inline double as_double(Index count) {
  return static_cast<double>(count);
}

// The lengths of a batch's sentences, special symbols included: a source ends with </s>, and a target begins
// with <s>.
struct BatchShape {
  std::vector<Index> source_lengths, target_lengths;  // [batch]

  static BatchShape of(const TranslationBatch& batch);
  static BatchShape equal_lengths(Index sentences, Index source_len, Index target_len);

  Index batch() const { return static_cast<Index>(source_lengths.size()); }
  Index source_len() const;  // the length of the longest, to which the others are padded
  Index target_len() const;
  // The positions of the padded batch.
  double source_positions() const { return as_double(batch()) * as_double(source_len()); }
  double target_positions() const { return as_double(batch()) * as_double(target_len()); }
};

// How a step is computed, as far as its cost depends on it.
struct TrainingMethod {
  // Equation (1). The plain way multiplies every query by every key, masked or not, and keeps the weights.
  // The fast way multiplies as many queries together as make a tile, by the keys up to the last one that the
  // tile sees, and computes the scores again in its backward pass.
  Way attention = Way::kPlain;
  Index queries_of_tile = 1;

  // The loss. The plain way keeps all logits and their gradients, the fast way a block of rows.
  Way cross_entropy = Way::kPlain;
  Index rows_of_logits = 1;

  bool recompute = false;  // the backward pass repeats each layer's forward pass

  // The products that the equations write: whole squares of scores, and each product once. Forward takes mnk
  // multiply-adds for [m, k] times [k, n], and backward 2mnk: one such product for each factor's gradient.
  static TrainingMethod of_equations() { return {}; }

  // The ways, and the kernels, in use; `vocab` decides how many rows of logits are kept.
  static TrainingMethod in_use(Index vocab, bool recompute);
};

// The columns of W^Q and W^K, and those of W^V: all heads side by side.
inline double key_width(const ModelConfig& config) {
  return as_double(config.heads) * as_double(config.head_d_k());
}
inline double value_width(const ModelConfig& config) {
  return as_double(config.heads) * as_double(config.head_d_v());
}

// One part of the model, in all its layers.
struct PartCost {
  std::string name;  // "encoder self-attention: projections"
  double parameters = 0;
  double forward = 0, backward = 0;  // multiply-adds of matrix products

  double multiply_adds() const { return forward + backward; }
};

using TrainingCost = std::vector<PartCost>;  // in the order of the forward pass

PartCost total(const TrainingCost& cost);

// One step on one batch: forward with dropout, loss, backward, gradient norm, Adam. Without sentences, the
// parameters alone.
TrainingCost training_cost(const ModelConfig& config, const BatchShape& batch, const TrainingMethod& method);

// Multiplications and additions of one step's matrix products, as the equations write them: 2mnk forward and
// 4mnk backward for [m, k] times [k, n]. All projections count, the feed-forward networks, the output
// projection, and the two products of attention over the whole square, even if the mask is causal. A product
// that an implementation computes twice counts once.
double training_operations(const ModelConfig& config, const BatchShape& batch);

// The tensors that exist during a step. Left out: the program itself, the text and its batches, vectors of
// lengths and of masks, and what the storage keeps free for the next tensor (core/storage.h: at most an
// eighth of each block, and blocks of other sizes). All sizes are in bytes.
struct TrainingMemory {
  // These tensors exist all the time.
  double weights = 0, gradients = 0, moments = 0;  // moments: Adam's two
  double positions = 0;                            // the table of sines and cosines

  // The forward pass keeps these for the backward pass: all layers' caches; with `recompute` only the layers'
  // inputs.
  double activations = 0;

  // The loss: a block of logits (the plain way: all of them, and their gradients), and the gradient of the
  // decoder's output.
  double loss = 0;

  // The backward pass, after the loss: gradients between the layers and within one; with `recompute` also
  // what that layer keeps.
  double layer_again = 0, gradients_between = 0;

  // Packed factors and tiles: the first piece of each thread (core/storage.h). The system provides only the
  // pages of it that are touched.
  double scratch = 0;

  double of_model() const { return weights + gradients + moments; }
  double tensors_at_peak() const;  // without the scratch
};

TrainingMemory training_memory(const ModelConfig& config, const BatchShape& batch,
                               const TrainingMethod& method, int threads);

// ---- the memory of a training run

// That of a step on a full batch. `model` has its vocabulary.
TrainingMemory estimate_memory(const Settings& settings, const ModelConfig& model,
                               const std::vector<SentencePair>& train);

// Throws input_error, with the options to change, if the run needs more than `usable` bytes.
void require_memory(const Settings& settings, const TrainingMemory& needed, double usable);

// "about 213 MB of 25.2 GB", with the bytes that the program holds already.
std::string describe_memory(const TrainingMemory& needed, double held, double usable);

}  // namespace plainformer
