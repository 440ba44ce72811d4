// plainformer plot cost: multiply-adds, memory and traffic of a training step of base, by part.
#include <algorithm>

#include "lab/pictures/bar_chart.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "ops/fast/block_sizes.h"
#include "report/number_format.h"
#include "runs/costs/training_cost.h"
#include "runs/costs/training_memory.h"
#include "runs/train_settings.h"

namespace plainformer {

namespace cost_picture {

constexpr Index kSentences = 1000, kLen = 25;  // the paper's 25,000 source and 25,000 target tokens
constexpr double kWidth = 480, kBetween = 18;
constexpr int kAttention = 1, kFeedForward = 0, kOutput = 4, kOther = 5;

// The fast way's memory and traffic. The size of attention's tiles changes neither.
TrainingMethod fast_method(Index vocab, bool recompute) {
  return {.attention = Way::kFast,
          .queries_of_tile = kLen,
          .cross_entropy = Way::kFast,
          .rows_of_logits = rows_of_logits_block(vocab),
          .recompute = recompute};
}

ChartBar bar(const char* name, std::int64_t figure, const char* unit, int color) {
  const auto length = static_cast<double>(figure);
  return {.name = name, .length = length, .value = format_count(length) + unit, .color = color};
}

BarChart chart_of(const std::string& heading, std::int64_t total, const char* unit,
                  std::vector<ChartBar> bars) {
  BarChart chart = {.heading = heading + ": " + format_count(static_cast<double>(total)) + unit,
                    .bars = std::move(bars),
                    .longest = 0};
  for (const ChartBar& each : chart.bars) chart.longest = std::max(chart.longest, each.length);
  return chart;
}

BarChart products_chart(const TrainingCost& cost) {
  const auto row = [&](const char* name, std::initializer_list<Part> parts, int color) {
    return bar(name, cost.sum_of(parts).multiply_adds(), "", color);
  };
  return chart_of(
      "Multiply-adds", cost.total().multiply_adds(), "",
      {row("encoder: projections", {Part::kEncoderProjections}, kAttention),
       row("encoder: feed-forward", {Part::kEncoderFeedForward}, kFeedForward),
       row("decoder: projections", {Part::kDecoderProjections, Part::kEncoderDecoderProjections}, kAttention),
       row("decoder: feed-forward", {Part::kDecoderFeedForward}, kFeedForward),
       row("scores, averages",
           {Part::kEncoderAttention, Part::kDecoderAttention, Part::kEncoderDecoderAttention}, kAttention),
       row("output projection", {Part::kOutputProjection}, kOutput)});
}

BarChart traffic_chart(const TrainingCost& cost) {
  const auto row = [&](const char* name, std::initializer_list<Part> parts, int color) {
    return bar(name, cost.sum_of(parts).bytes, "B", color);
  };
  return chart_of(
      "Bytes moved", cost.total().bytes, "B",
      {row("projections",
           {Part::kEncoderProjections, Part::kDecoderProjections, Part::kEncoderDecoderProjections},
           kAttention),
       row("scores, averages",
           {Part::kEncoderAttention, Part::kDecoderAttention, Part::kEncoderDecoderAttention}, kAttention),
       row("feed-forward", {Part::kEncoderFeedForward, Part::kDecoderFeedForward}, kFeedForward),
       row("residuals, norms", {Part::kEncoderNorms, Part::kDecoderNorms}, kOther),
       row("output projection, loss", {Part::kOutputProjection}, kOutput),
       row("embedding, optimizer", {Part::kEmbedding, Part::kOptimizer}, kOther)});
}

BarChart memory_chart(const std::string& heading, const TrainingMemory& memory) {
  return chart_of(
      heading, memory.tensors_at_peak(), "B",
      {bar("weights", memory.weights, "B", kOutput), bar("gradients", memory.gradients, "B", kOutput),
       bar("Adam's moments", memory.moments, "B", kOutput),
       bar("activations", memory.activations, "B", kFeedForward),
       bar("backward pass", memory.layer_again + memory.gradients_between, "B", kAttention)});
}

std::vector<BarChart> charts() {
  const TrainSettings base = preset_settings("base");
  ModelConfig config = base.model;
  config.vocab = base.merges;
  const BatchShape batch = BatchShape::equal_lengths(kSentences, kLen, kLen);
  const auto memory = [&](bool recompute) {
    return training_memory(config, batch, fast_method(config.vocab, recompute), /*threads=*/1);
  };
  std::vector<BarChart> result = {
      products_chart(training_cost(config, batch, TrainingMethod::of_equations())),
      traffic_chart(training_cost(config, batch, fast_method(config.vocab, false))),
      memory_chart("Memory", memory(false)), memory_chart("Memory with --recompute", memory(true))};
  result[3].longest = result[2].longest;  // side by side
  return result;
}

}  // namespace cost_picture

std::string draw_cost() {
  using namespace cost_picture;
  std::string svg =
      svg::text("soft", {16, 50}, "start", "base, 1,000 sentences of 25 source and 25 target tokens");
  std::string description;
  double top = 66;
  for (const BarChart& chart : charts()) {
    svg += draw_bars(chart, {.left = 16, .top = top, .axis = 180, .longest_end = 400, .right = 464});
    top += height_of(chart) + kBetween;
    description += (description.empty() ? "" : " ") + chart.heading;
    for (const ChartBar& each : chart.bars) description += "; " + each.name + " " + each.value;
    description += ".";
  }
  return framed(
      {.title = "Cost of a training step", .description = description, .width = kWidth, .height = top}, svg);
}

}  // namespace plainformer
