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
