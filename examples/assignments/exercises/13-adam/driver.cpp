#include "driver.h"

#include "ops/adam.h"
#include "training/training_options.h"

namespace plainformer::course {

namespace {

void show_one_update() {
  Parameter x(random_input({2, 3}, 1'000));
  x.grad = random_input({2, 3}, 2'000);
  Tensor first_moment = random_input({2, 3}, 3'000), second_moment = Tensor::filled({2, 3}, 2);
  const AdamOptions options = {.beta_1 = 0.5, .beta_2 = 0.75, .epsilon = 0.5};
  adam_update(x, first_moment, second_moment, options, {.t = 2, .learning_rate = 0.1, .grad_scale = 0.5});
  show("first moment", first_moment);
  show("second moment", second_moment);
  show("value", x.value);
}

void show_first_updates() {
  Parameter x(random_input({2, 3}, 4'000));
  const ParameterList parameters = {{"x", &x}};
  Adam adam(parameters, AdamOptions());
  for (unsigned seed : {5'000u, 6'000u, 7'000u}) {
    x.grad = random_input({2, 3}, seed);
    adam.step(parameters, 0.1, 1);
    show("after an update", x.value);
  }
}

void show_rates() {
  const LearningRateSchedule schedule = {.d_model = 64, .warmup_steps = 9, .scale = 1.5};
  for (const Index step : {1, 5, 9, 10, 100}) show("learning rate", schedule.at(step));
}

}  // namespace

std::vector<Stage> stages() {
  return {{"adam_update", show_one_update},
          {"several updates", show_first_updates},
          {"LearningRateSchedule::at", show_rates}};
}

}  // namespace plainformer::course
