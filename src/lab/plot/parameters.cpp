// plainformer plot parameters: parameters and operations of a model, by part.
#include <algorithm>

#include "lab/pictures/bar_chart.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "lab/plot/toy_text.h"
#include "report/number_format.h"
#include "runs/costs/training_cost.h"
#include "runs/train_settings.h"

namespace plainformer {

namespace parameters_picture {

constexpr Index kLen = 32;
constexpr double kWidth = 480, kBetween = 18;

struct Bar {
  const char* name;
  std::int64_t count;
  int color;
};

std::string percent(double share) {
  return share < 0.01 ? "< 1 %" : format_fixed(100 * share, 0) + " %";
}

BarChart bars_of(const std::string& heading, const std::vector<Bar>& parts) {
  std::int64_t total = 0, longest = 0;
  for (const Bar& part : parts) {
    total += part.count;
    longest = std::max(longest, part.count);
  }
  BarChart chart = {.heading = heading + ": " + format_count(static_cast<double>(total)),
                    .longest = static_cast<double>(longest)};
  for (const Bar& part : parts) {
    const double share = static_cast<double>(part.count) / static_cast<double>(total);
    chart.bars.push_back(
        {.name = part.name,
         .length = static_cast<double>(part.count),
         .value = format_count(static_cast<double>(part.count)) + " (" + percent(share) + ")",
         .color = part.color});
  }
  return chart;
}

std::vector<BarChart> charts_of(const std::string& preset, Index vocab) {
  ModelConfig config = preset_settings(preset).model;
  config.vocab = vocab;
  const BatchShape sentence = BatchShape::equal_lengths(1, kLen, kLen);
  const TrainingCost cost = training_cost(config, sentence, TrainingMethod::of_equations());
  const PartCost projections =
      cost.sum_of({Part::kEncoderProjections, Part::kDecoderProjections, Part::kEncoderDecoderProjections});
  const PartCost scores_and_sums =
      cost.sum_of({Part::kEncoderAttention, Part::kDecoderAttention, Part::kEncoderDecoderAttention});
  const PartCost feed_forward = cost.sum_of({Part::kEncoderFeedForward, Part::kDecoderFeedForward});
  const PartCost norms = cost.sum_of({Part::kEncoderNorms, Part::kDecoderNorms});
  return {bars_of(preset + ", parameters", {{"embedding", cost[Part::kEmbedding].parameters, 4},
                                            {"attention", projections.parameters, 1},
                                            {"feed-forward", feed_forward.parameters, 0},
                                            {"norms", norms.parameters, 5}}),
          bars_of(preset + ", operations", {{"output projection", cost[Part::kOutputProjection].forward, 4},
                                            {"attention: w_q to w_o", projections.forward, 1},
                                            {"attention: scores, sums", scores_and_sums.forward, 1},
                                            {"feed-forward", feed_forward.forward, 0}})};
}

}  // namespace parameters_picture

std::string draw_parameters() {
  using namespace parameters_picture;
  std::vector<BarChart> charts = charts_of("toy", toy_text(5000).vocab);
  for (BarChart& chart : charts_of("base", preset_settings("base").merges))
    charts.push_back(std::move(chart));
  std::string svg = svg::text("soft", {16, 50}, "start",
                              "Operations: multiply-adds of matrix products, forward, " +
                                  std::to_string(kLen) + " tokens in and out");
  std::string description;
  double top = 66;
  for (const BarChart& chart : charts) {
    svg += draw_bars(chart, {.left = 16, .top = top, .axis = 190, .longest_end = 372, .right = 464});
    top += height_of(chart) + kBetween;
    description += (description.empty() ? "" : " ") + chart.heading;
    for (const ChartBar& bar : chart.bars) description += "; " + bar.name + " " + bar.value;
    description += ".";
  }
  return framed(
      {.title = "Parameters and operations", .description = description, .width = kWidth, .height = top},
      svg);
}

}  // namespace plainformer
