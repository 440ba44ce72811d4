// Table 2: the hours of the paper's GPUs, and how many of them the products of the model need.
#include <algorithm>
#include <string>

#include "lab/accounts/paper_training.h"
#include "lab/pictures/bar_chart.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "report/number_format.h"
#include "runs/costs/training_cost.h"
#include "runs/train_settings.h"

namespace plainformer {

namespace gpu_hours_picture {

constexpr Index kSentences = 1000, kLen = 25;  // the paper's 25,000 source and 25,000 target tokens
constexpr double kWidth = 480, kBetween = 20;
constexpr int kFeedForward = 0, kAttention = 1, kOutput = 4, kRest = 6;

ChartBar bar(const char* name, double hours, double all, int color) {
  return {.name = name,
          .length = hours,
          .value = format_fixed(hours, 2) + " h (" +
                   (hours < 0.01 * all ? "< 1" : format_fixed(100 * hours / all, 0)) + " %)",
          .color = color};
}

// At the GPUs' capacity, two operations for each multiply-add.
BarChart chart_of(const char* preset, const PaperTraining& paper) {
  const TrainSettings settings = preset_settings(preset);
  ModelConfig config = settings.model;
  config.vocab = settings.merges;
  const TrainingCost cost = training_cost(config, BatchShape::equal_lengths(kSentences, kLen, kLen),
                                          TrainingMethod::of_equations());
  const auto hours = [&](const PartCost& sum) {
    return 2 * static_cast<double>(sum.multiply_adds()) * static_cast<double>(settings.training.steps) /
           (paper.gpus * paper.operations_a_second) / 3600;
  };
  const double all = paper.seconds / 3600;
  const auto part = [&](const char* name, std::initializer_list<Part> parts, int color) {
    return bar(name, hours(cost.sum_of(parts)), all, color);
  };
  return {
      .heading = std::string(preset) + ": " + format_fixed(all, 0) + " hours",
      .note = format_fixed(100 * hours(cost.total()) / all, 0) + " % products",
      .bars = {part("feed-forward", {Part::kEncoderFeedForward, Part::kDecoderFeedForward}, kFeedForward),
               part("projections",
                    {Part::kEncoderProjections, Part::kDecoderProjections, Part::kEncoderDecoderProjections},
                    kAttention),
               part("output projection", {Part::kOutputProjection}, kOutput),
               part("scores, averages",
                    {Part::kEncoderAttention, Part::kDecoderAttention, Part::kEncoderDecoderAttention},
                    kAttention),
               bar("everything else", all - hours(cost.total()), all, kRest)},
      .longest = all};
}

}  // namespace gpu_hours_picture

std::string draw_gpu_hours() {
  using namespace gpu_hours_picture;
  std::string svg =
      svg::text("soft", {16, 50}, "start", "8 GPUs at 9.5 TFLOPS; the whole width is all hours");
  std::string description;
  double top = 68;
  for (const auto& [preset, paper] : {std::pair{"base", kPaperBase}, std::pair{"big", kPaperBig}}) {
    const BarChart chart = chart_of(preset, paper);
    svg += draw_bars(chart, {.left = 16, .top = top, .axis = 140, .longest_end = 464, .right = 464});
    top += height_of(chart) + kBetween;
    description += (description.empty() ? "" : " ") + chart.heading;
    for (const ChartBar& each : chart.bars) description += "; " + each.name + " " + each.value;
    description += ".";
  }
  return framed({.title = "Where the paper's GPU hours go",
                 .description = description,
                 .width = kWidth,
                 .height = top - 8},
                svg);
}

}  // namespace plainformer
