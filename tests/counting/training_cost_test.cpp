// The account of a training step in the plain way has the multiply-adds that the loops of a step make.
#include "runs/costs/training_cost.h"

#include "counts.h"
#include "runs/costs/training_step.h"

namespace plainformer {
namespace {

TrainingCost cost_of(const CostExample& example, bool recompute) {
  return training_cost(example.config, BatchShape::of(example.batch()), {.recompute = recompute});
}

TEST(CountingTrainingStep, MakesWhatTheAccountSays) {
  for (const CostExample& example : cost_examples())
    for (const bool recompute : {false, true}) {
      Transformer model(example.config, 1);
      Adam adam(model.parameters(), {});
      EXPECT_TRUE(makes(cost_of(example, recompute).total().multiply_adds(),
                        [&] { train_steps(example, recompute, model, adam, 1); }))
          << example.name << recompute;
    }
}

TEST(CountingTrainingStep, MakesWhatTheAccountSaysOfForward) {
  for (const CostExample& example : cost_examples()) {
    const Transformer model(example.config, 1);
    EXPECT_TRUE(makes(cost_of(example, false).total().forward, [&] {
      evaluate(model, example.batch(), 0.1);
    })) << example.name;
  }
}

}  // namespace
}  // namespace plainformer
