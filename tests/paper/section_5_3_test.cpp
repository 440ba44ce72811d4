// Paper: 5.3 Optimizer. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include <cmath>

#include "train/settings.h"
#include "training/tiny_training.h"

namespace plainformer {
namespace {

// The weight after updates with these gradients, from 0, at learning rate 1.
double weight_after(const std::vector<double>& gradients) {
  Parameter weight(Tensor::zeros({1}));
  const ParameterList parameters = {{"w", &weight}};
  Adam adam(parameters, TrainingOptions().adam);
  for (const double gradient : gradients) {
    weight.mutable_grad().mutable_data()[0] = static_cast<Real>(gradient);
    adam.step(parameters, /*learning_rate=*/1, /*grad_scale=*/1);
  }
  return weight.value.at({0});
}

// "We used the Adam optimizer with beta_1 = 0.9, beta_2 = 0.98 and epsilon = 10^-9." Each of the three shows
// in updates worked out by hand.
TEST(Section53, WeUsedTheAdamOptimizerWithBeta109Beta2098AndEpsilon1em9) {
  // The first step is -g / (|g| + epsilon), whatever the betas.
  EXPECT_NEAR(weight_after({3}), -1, 1e-6);
  EXPECT_NEAR(weight_after({1e-9}), -0.5, 1e-6);
  // Then the gradient is 0: m = 0.9 * 0.1 over 1 - 0.9^2, and v = 0.98 * 0.02 over 1 - 0.98^2.
  const double m = 0.9 * 0.1 / (1 - 0.9 * 0.9), v = 0.98 * 0.02 / (1 - 0.98 * 0.98);
  EXPECT_NEAR(weight_after({1, 0}), -1 - m / std::sqrt(v), 1e-5);
}

// lrate = d_model^-0.5 min(step_num^-0.5, step_num warmup_steps^-1.5): equation (3).
TEST(Section53, WeVariedTheLearningRateAccordingToTheFormula) {
  for (const char* preset : {"base", "big"}) {
    const Settings settings = preset_settings(preset);
    const LearningRateSchedule& schedule = settings.training.learning_rate;
    const double d_model = static_cast<double>(settings.model.d_model);
    for (const Index step : {1, 100, 3999, 4000, 4001, 100'000}) {
      const double s = static_cast<double>(step);
      const double rate = std::min(1 / std::sqrt(s), s / (4000 * std::sqrt(4000.0))) / std::sqrt(d_model);
      EXPECT_NEAR(schedule.at(step) / rate, 1, 1e-12) << preset << ", step " << step;
    }
  }
}

// "This corresponds to increasing the learning rate linearly for the first warmup_steps training steps, and
// decreasing it thereafter proportionally to the inverse square root of the step number. We used warmup_steps
// = 4000."
TEST(Section53, IncreasingLinearlyForTheFirst4000StepsAndDecreasingByTheInverseSquareRoot) {
  const LearningRateSchedule schedule = preset_settings("base").training.learning_rate;
  EXPECT_NEAR(schedule.at(4000), 6.98771e-4, 1e-9);  // 1 / sqrt(512 * 4000)
  for (const Index step : {1, 500, 2000})
    EXPECT_NEAR(schedule.at(2 * step) / schedule.at(step), 2, 1e-12) << step;
  for (const Index step : {4000, 10'000, 25'000})
    EXPECT_NEAR(schedule.at(4 * step) / schedule.at(step), 0.5, 1e-12) << step;
}

// "We varied the learning rate over the course of training": the loop asks the formula at each step, from 1.
TEST(Section53, WeVariedTheLearningRateOverTheCourseOfTraining) {
  Transformer model(tiny_config(), 1);
  StepwiseTraining training(model, tiny_options(0));
  const double peak = 1 / std::sqrt(8.0 * 20);  // d_model 8, 20 steps of warm-up
  for (int step = 1; step <= 40; ++step) {
    const double rate = training.step({tiny_batch()}).learning_rate;
    EXPECT_NEAR(rate, peak * std::min(step / 20.0, std::sqrt(20.0 / step)), 1e-12) << step;
  }
}

}  // namespace
}  // namespace plainformer
