// Equation (3): the learning rate for three widths, and for three warm-ups.
#include "training/learning_rate.h"
#include "lab/pictures/line_chart.h"
#include "lab/plot/plots.h"

namespace plainformer {

namespace learning_rate_picture {

constexpr Index kSteps = 20000, kStride = 100;

LearningRateSchedule schedule_of(Index d_model, Index warmup_steps) {
  return {.d_model = d_model, .warmup_steps = warmup_steps};
}

void add_line(ChartPanel& panel, const LearningRateSchedule& schedule, int color, const std::string& label,
              Index label_step) {
  ChartSeries series = {.points = {{1, schedule.at(1)}}, .color = color, .line = ChartLine::kMarked};
  for (Index step = kStride; step <= kSteps; step += kStride)
    series.points.push_back({static_cast<double>(step), schedule.at(step)});
  panel.series.push_back(std::move(series));
  panel.labels.push_back({{static_cast<double>(label_step), schedule.at(label_step)}, label, 4});
}

}  // namespace learning_rate_picture

std::string draw_learning_rate() {
  using namespace learning_rate_picture;
  ChartPanel widths = {.heading = "Three widths d_model, 4000 warm-up steps", .height = 220};
  ChartPanel warm_ups = {.heading = "Three warm-ups in steps, d_model 512", .height = 220};
  constexpr Index kWidths[] = {256, 512, 1024}, kWarmUps[] = {2000, 4000, 8000};
  constexpr int kColors[] = {1, 0, 2};  // the paper's base model has the same color in both
  for (int i = 0; i < 3; ++i) {
    add_line(widths, schedule_of(kWidths[i], 4000), kColors[i], std::to_string(kWidths[i]), 8700);
    add_line(warm_ups, schedule_of(512, kWarmUps[i]), kColors[i], std::to_string(kWarmUps[i]),
             kWarmUps[i] + 700);
  }
  return to_svg({.title = "The learning rate, equation (3)",
                 .description =
                     "The rate rises linearly during warm-up, and then falls with the inverse square "
                     "root of the step. A model of twice the width gets 0.71 times the rate. A "
                     "warm-up of twice the length makes the peak lower and later; after it the "
                     "curves are the same.",
                 .x_label = "step",
                 .panels = {widths, warm_ups},
                 .width = 480,
                 .mark_distance = 40});
}

}  // namespace plainformer
