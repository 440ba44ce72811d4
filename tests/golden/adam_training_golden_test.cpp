// 5 Training: ten steps of the whole model with Adam and the paper's learning rate, against PyTorch's.
#include "golden/golden_model.h"
#include "training/tiny_training.h"

namespace plainformer::golden {
namespace {

// tests/golden/adam_training.safetensors: the model of transformer.safetensors, two batches in turn.
TEST(AdamTrainingGolden, LossesLearningRatesAndFinalParametersOfTenSteps) {
  const GoldenCase golden("adam_training", "");
  Transformer model(golden_config(), 1);
  golden.load(model.parameters(), "initial.");
  const TranslationBatch batches[] = {golden_batch(golden, "batch_0."), golden_batch(golden, "batch_1.")};

  TrainingOptions options;
  options.dropout = 0;
  options.label_smoothing = 0.1;
  options.learning_rate = {.d_model = 12, .warmup_steps = static_cast<Index>(golden.number("warmup"))};
  StepwiseTraining training(model, options);
  for (Index step = 0; step < 10; ++step) {
    const StepReport report = training.step({batches[step % 2]});
    const std::string when = " of step " + std::to_string(step + 1);
    expect_near("loss" + when, golden.at("losses").at({step}), report.loss, kForWholeModel);
    expect_near("learning rate" + when, golden.at("learning_rates").at({step}), report.learning_rate,
                kForOnePart);
  }

  for (const NamedParameter& each : model.parameters())
    expect_near("final." + each.name, golden.at("final." + each.name), each.parameter->value, kForWholeModel);
  golden.expect_all_read();
}

}  // namespace
}  // namespace plainformer::golden
