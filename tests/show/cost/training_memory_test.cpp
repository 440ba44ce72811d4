// The account of a step's memory, by hand, and against the tensors that a step really holds.
#include "show/cost/training_cost.h"

#include <gtest/gtest.h>

#include "core/storage.h"
#include "show/cost/training_step.h"

namespace plainformer {
namespace {

constexpr std::int64_t kBytes = sizeof(Real);

std::int64_t used_bytes() {
  return static_cast<std::int64_t>(storage_statistics().used_bytes);
}

TrainingMemory account_of(const CostExample& example, bool recompute) {
  return training_memory(example.config, BatchShape::of(example.batch()),
                         TrainingMethod::in_use(example.config.vocab, recompute), /*threads=*/1);
}

// 2 sentences of 3 and 5 positions, one layer in each stack, d_model 4 in 2 heads, d_ff 7.
TEST(TrainingMemory, ByHand) {
  const ModelConfig config = {.d_model = 4,
                              .d_ff = 7,
                              .heads = 2,
                              .encoder_layers = 1,
                              .decoder_layers = 1,
                              .vocab = 11,
                              .max_length = 9};
  const TrainingMethod fast = {
      .attention = Way::kFast, .queries_of_tile = 32, .cross_entropy = Way::kFast, .rows_of_logits = 8};
  const TrainingMemory memory = training_memory(config, BatchShape::equal_lengths(2, 3, 5), fast, 3);
  const std::int64_t parameters = 11 * 4 + 3 * 4 * 16 + 2 * (2 * 4 * 7 + 7 + 4) + 5 * 2 * 4;
  EXPECT_EQ(memory.weights, parameters * kBytes);
  EXPECT_EQ(memory.gradients, parameters * kBytes);
  EXPECT_EQ(memory.moments, 2 * parameters * kBytes);
  EXPECT_EQ(memory.positions, 9 * 4 * kBytes);
  // A position of the encoder: x, q, k, v, the heads, a sum of each head, two sums with mean and deviation,
  // y, the hidden layer. The memory.
  const std::int64_t encoder = 6 * ((1 + 4 + 2 + 1) * 4 + 2 + 2 * 2 + 7 + 4);
  // The decoder's have a q, the heads and their sums, a sum with its mean and deviation, and z besides; a
  // position of the source has k and v. The decoder's output.
  const std::int64_t decoder = 10 * ((1 + 4 + 2 + 3 + 2) * 4 + 2 * 2 + 3 * 2 + 7 + 4) + 6 * 2 * 4;
  EXPECT_EQ(memory.activations, (encoder + decoder) * kBytes);
  EXPECT_EQ(memory.loss, (8 * 11 + 10 * 4) * kBytes);
  EXPECT_EQ(memory.layer_again, 0);
  EXPECT_EQ(memory.scratch, 3 * (std::int64_t{1} << 22) * kBytes);

  TrainingMethod again = fast;
  again.recompute = true;
  EXPECT_EQ(training_memory(config, BatchShape::equal_lengths(2, 3, 5), again, 3).activations,
            (6 * 2 * 4 + 10 * 2 * 4) * kBytes);
}

// To the byte: weights, gradients, moments, and all that the forward pass keeps.
TEST(TrainingMemory, IsThatOfTheTensorsThatAStepKeeps) {
  for (const CostExample& example : cost_examples())
    for (const auto& method : all_methods()) {
      const WaysInScope in_scope(method.first);
      SCOPED_TRACE(description(example, method));
      const TrainingMemory account = account_of(example, method.second);
      const TranslationBatch batch = example.batch();
      { Transformer(example.config, 1); }  // the first use of a thread's scratch
      const std::int64_t before = used_bytes();
      Transformer model(example.config, 1);
      EXPECT_EQ(used_bytes() - before, account.weights + account.positions);
      zero_gradients(model.parameters());
      EXPECT_EQ(used_bytes() - before, account.weights + account.positions + account.gradients);
      const Adam adam(model.parameters(), {});
      const std::int64_t model_bytes = used_bytes();
      EXPECT_EQ(model_bytes - before,
                account.weights + account.positions + account.gradients + account.moments);
      RecomputingTransformer recomputing(model);
      Transformer::Cache cache;
      evaluate(model, batch, 0.1);  // takes scratch, and keeps nothing
      const std::int64_t scratch = used_bytes() - model_bytes;
      const DropoutState dropout = {.probability = Real{0.5}};
      if (method.second)
        recomputing.forward(batch.source, batch.target_input, dropout, cache);
      else
        model.forward(batch.source, batch.target_input, dropout, cache);
      EXPECT_EQ(used_bytes() - model_bytes - scratch, account.activations);
    }
}

// The most that exists at one moment of a step. The account takes each moment by itself, and has no gaps.
TEST(TrainingMemory, HasThePeakOfAStep) {
  for (const CostExample& example : cost_examples())
    for (const auto& method : all_methods()) {
      const WaysInScope in_scope(method.first);
      const TrainingMemory account = account_of(example, method.second);
      {
        Transformer model(example.config, 1);
        Adam adam(model.parameters(), {});
        train_steps(example, method.second, model, adam, 1);
      }
      const std::int64_t before = used_bytes();
      Transformer model(example.config, 1);
      Adam adam(model.parameters(), {});
      restart_storage_peak();
      train_steps(example, method.second, model, adam, 3);
      const std::int64_t peak = static_cast<std::int64_t>(storage_statistics().peak_used_bytes) - before;
      EXPECT_EQ(peak, account.tensors_at_peak()) << description(example, method);
    }
}

}  // namespace
}  // namespace plainformer
