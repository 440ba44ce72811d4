// Section 5.3: one weight of the preset nano in its first steps: gradient, moments, step and value.
#include <cmath>
#include <memory>

#include "core/check.h"
#include "data/batching.h"
#include "lab/pictures/line_chart.h"
#include "lab/plot/plots.h"
#include "lab/plot/toy_text.h"
#include "training/presets.h"
#include "training/training_loop.h"

namespace plainformer {

namespace adam_picture {

constexpr Index kSteps = 60;
constexpr const char* kWeight = "decoder.0.encoder_decoder_attention.w_v";  // its first element is drawn

Index number_of(const std::string& name, const ParameterList& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == name) return static_cast<Index>(i);
  CHECK(false, "no parameter ", name);
  return 0;
}

BatchSource nano_batches(const std::vector<SentencePair>& pairs, Index tokens, std::uint64_t seed) {
  auto batches = std::make_shared<std::vector<std::vector<Index>>>();
  return {.begin_epoch =
              [=, &pairs](Index epoch) {
                *batches = make_batches(pairs, tokens, seed, static_cast<std::uint64_t>(epoch));
                return std::ssize(*batches);
              },
          .batch = [=, &pairs](Index index) { return batch_of(pairs, (*batches)[index]); }};
}

TrainingOptions short_training(const Recipe& recipe) {
  TrainingOptions options = recipe.training;
  options.steps = kSteps;
  options.checkpoint_every = 0;
  options.learning_rate.d_model = recipe.model.d_model;
  return options;
}

ChartPanel panel(const std::string& heading, std::vector<ChartSeries> series) {
  return {.heading = heading, .series = std::move(series), .encloses = {0}, .height = 110};
}

}  // namespace adam_picture

std::string draw_adam() {
  using namespace adam_picture;
  Recipe recipe = preset_recipe("nano").value();
  const ToyText text = toy_text(recipe.toy_pairs);
  recipe.model.vocab = text.vocab;
  const TrainingOptions options = short_training(recipe);
  Transformer model(recipe.model, options.seed);
  const ParameterList parameters = model.parameters();
  const Index number = number_of(kWeight, parameters);
  const Parameter& parameter = *parameters[number].parameter;
  Adam adam(parameters, options.adam);

  ChartSeries gradient = {.points = {}, .color = 0}, mean = {.points = {}, .color = 1},
              size = {.points = {}, .color = 2}, step = {.points = {}, .color = 3},
              value = {.points = {}, .color = 4};
  double before = double{parameter.value.data()[0]};
  TrainingHooks hooks;
  hooks.after_step = [&](const StepReport& report) {
    const auto t = static_cast<double>(adam.steps()), after = double{parameter.value.data()[0]};
    gradient.points.push_back({t, double{parameter.grad.data()[0]}});
    mean.points.push_back(
        {t, double{adam.first_moments()[number].data()[0]} / (1 - std::pow(options.adam.beta_1, t))});
    size.points.push_back({t, std::sqrt(double{adam.second_moments()[number].data()[0]} /
                                        (1 - std::pow(options.adam.beta_2, t)))});
    step.points.push_back({t, (after - before) / report.learning_rate});
    value.points.push_back({t, after});
    before = after;
  };
  TrainingProgress progress;
  train(model, adam, progress, options, nano_batches(text.pairs, recipe.batch_tokens, options.seed), hooks);

  LineChart chart = {
      .title = "Adam on one weight",
      .description =
          "One weight of the smallest preset over 60 steps. Its gradient jumps from batch to batch. The "
          "running mean follows slowly, and the running size, the root of the mean square, more slowly "
          "still. The step is their quotient, between -1 and 1 learning rates; so the weight moves "
          "smoothly.",
      .x_label = "step",
      .legend = {{"gradient", 0, ChartLine::kThin},
                 {"mean m", 1, ChartLine::kThin},
                 {"size, the root of v", 2, ChartLine::kThin}},
      .panels = {panel("Gradient", {gradient, mean, size}),
                 panel("Step, in learning rates: minus mean over size", {step}), panel("Weight", {value})},
      .width = 480};
  chart.panels[0].height = 190;
  return to_svg(chart);
}

}  // namespace plainformer
