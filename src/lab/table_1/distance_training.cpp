#include "lab/table_1/distance_training.h"

#include <algorithm>
#include <cmath>

#include "ops/sum_of_squares.h"
#include "training/adam.h"

namespace plainformer {

namespace {

constexpr Index kWarmUp = 50;           // steps in which the learning rate rises
constexpr Index kStepsPerTest = 50;     // how often the held-out sequences are tried
constexpr Index kHeldOut = 256;         // sequences
constexpr double kLongestGradient = 1;  // a longer one is scaled down to this (recurrent layers need it)

// Rises, stays for half of the steps, then falls to 0 in a line, so that the last weights do not jitter.
double learning_rate_at(Index step, const DistanceTrainingOptions& options) {
  const double rise = static_cast<double>(step) / kWarmUp;
  const double fall = 1 - static_cast<double>(step - 1) / static_cast<double>(options.steps);
  return options.learning_rate * std::min({1.0, rise, 2 * fall});
}

double length_of_gradients(const ParameterList& parameters) {
  double sum = 0;
  for (const NamedParameter& p : parameters) sum += sum_of_squares(p.parameter->mutable_grad());
  return std::sqrt(sum);
}

}  // namespace

DistanceResult train_over_distance(DistanceTask task, LayerKind kind, Index distance,
                                   const DistanceTrainingOptions& options) {
  Random draws(random_stream(options.seed, 1, 0)), held_out_draws(random_stream(options.seed, 2, 0));
  const TaskBatch held_out = draw_task(task, distance, kHeldOut, /*nearer_too=*/false, held_out_draws);
  DistanceModel model(kind, options.sizes, options.layers, held_out.tokens.len, options.seed);
  const ParameterList parameters = model.parameters();
  Adam adam(parameters, {});
  DistanceResult result;
  for (Index step = 1; step <= options.steps; ++step) {
    zero_gradients(parameters);
    const double loss =
        model.forward_backward(draw_task(task, distance, options.batch, /*nearer_too=*/true, draws));
    const double length = length_of_gradients(parameters);
    adam.step(parameters, learning_rate_at(step, options), std::min(1.0, kLongestGradient / length));
    if (step % kStepsPerTest == 0 || step == options.steps) {
      result = {.accuracy = model.accuracy(held_out), .steps = step, .loss = loss};
      if (result.accuracy == 1) break;
    }
  }
  return result;
}

}  // namespace plainformer
