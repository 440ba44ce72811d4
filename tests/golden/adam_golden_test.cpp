// 5.3 Optimizer: Adam alone and under the paper's learning rate, against torch.optim.Adam.
#include "golden/golden.h"
#include "ops/adam.h"
#include "training/training_options.h"

namespace plainformer::golden {
namespace {

// tests/golden/adam.safetensors: 7 numbers, with gradients of sizes from 100 to 1e-9, and 0; 100 steps.
TEST(AdamGolden, AfterOneTenAndAHundredSteps) {
  const GoldenCase golden("adam", "");
  Parameter x(golden.at("initial"));
  const ParameterList parameters = {{"x", &x}};
  const Tensor& gradients = golden.at("gradients");

  Adam adam(parameters, AdamOptions());
  for (Index step = 1; step <= 100; ++step) {
    for (Index i = 0; i < 7; ++i) x.mutable_grad().mutable_data()[i] = gradients.at({step - 1, i});
    adam.step(parameters, golden.number("learning_rate"), 1);
    if (step == 1 || step == 10 || step == 100) {
      const std::string name = "after_" + std::to_string(step);
      expect_near(name, golden.at(name), x.value, kForOnePart);
    }
  }
  golden.expect_all_read();
}

// tests/golden/adam_schedule.safetensors: 6 numbers of at least 1, with gradients of sizes from 100 to 1e-9.
TEST(AdamGolden, AHundredStepsUnderThePapersLearningRateToAMillionth) {
  const GoldenCase golden("adam_schedule", "");
  const LearningRateSchedule schedule = {.d_model = static_cast<Index>(golden.number("d_model")),
                                         .warmup_steps = static_cast<Index>(golden.number("warmup"))};
  Parameter x(golden.at("initial"));
  const ParameterList parameters = {{"x", &x}};
  const Tensor &gradients = golden.at("gradients"), &values = golden.at("values");
  const Tolerance tolerance = kDoubleBuild ? kForOnePart : Tolerance{1e-6, 0};

  Adam adam(parameters, AdamOptions());
  for (Index step = 1; step <= 100; ++step) {
    for (Index i = 0; i < 6; ++i) x.mutable_grad().mutable_data()[i] = gradients.at({step - 1, i});
    adam.step(parameters, schedule.at(step), 1);
    for (Index i = 0; i < 6; ++i) {
      expect_near("value " + std::to_string(i) + " after step " + std::to_string(step),
                  values.at({step - 1, i}), x.value.at({i}), tolerance);
    }
  }
  golden.expect_all_read();
}

}  // namespace
}  // namespace plainformer::golden
