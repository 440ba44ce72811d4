// Section 5.4: the smoothed target, and the loss against the probability of the right token.
#include <algorithm>
#include <cmath>

#include "lab/pictures/bar_chart.h"
#include "lab/pictures/line_chart.h"
#include "lab/plot/plots.h"
#include "ops/cross_entropy.h"
#include "report/number_format.h"

namespace plainformer {

namespace label_smoothing_picture {

constexpr Index kVocab = 5;
constexpr int kTarget = 1;
constexpr double kSmoothing = 0.1;
constexpr double kWidth = 480;

// The target distribution. The gradient is p - q, and with equal logits p = 1 / vocab.
std::vector<double> target_distribution(double smoothing) {
  const int target[] = {kTarget};
  const Tensor gradient = cross_entropy_backward(1, Tensor::zeros({1, kVocab}), target, smoothing);
  std::vector<double> q;
  for (Index k = 0; k < kVocab; ++k) q.push_back(1.0 / kVocab - double{gradient(0, k)});
  return q;
}

// The loss if the target has this probability and the others share the rest equally.
double loss_at(double probability, double smoothing) {
  const double other = std::max(std::log((1 - probability) / (kVocab - 1)), -1e4);  // finite also for 1
  Tensor logits = Tensor::filled({1, kVocab}, static_cast<Real>(other));
  logits.mutable_data()[kTarget] = static_cast<Real>(std::log(probability));
  const int target[] = {kTarget};
  return cross_entropy_forward(logits, target, smoothing).loss;
}

ChartSeries losses(double smoothing, int color) {
  ChartSeries series = {.points = {}, .color = color, .line = ChartLine::kMarked};
  for (int hundredth = 2; hundredth <= 100; ++hundredth) {
    const double probability = std::min(hundredth / 100.0, smoothing > 0 ? 0.999 : 1);
    series.points.push_back({probability, loss_at(probability, smoothing)});
  }
  return series;
}

BarChart target_bars() {
  BarChart chart = {.heading = "The target, smoothed by 0.1", .note = "a vocabulary of 5"};
  const std::vector<double> q = target_distribution(kSmoothing);
  for (Index k = 0; k < kVocab; ++k) {
    chart.bars.push_back({.name = (k == kTarget ? "the right token" : "token " + std::to_string(k)),
                          .length = q[k],
                          .value = format_fixed(q[k], 2),
                          .color = k == kTarget ? 1 : kPictureInk});
  }
  return chart;
}

LineChart loss_lines() {
  LineChart chart = {.x_label = "probability of the right token", .width = static_cast<int>(kWidth)};
  chart.legend = {{"smoothed by 0.1", 1, ChartLine::kMarked}, {"not smoothed", 0, ChartLine::kMarked}};
  chart.panels = {
      {.heading = "The loss (nats)", .series = {losses(0, 0), losses(kSmoothing, 1)}, .height = 220}};
  chart.mark_distance = 40;
  return chart;
}

}  // namespace label_smoothing_picture

std::string draw_label_smoothing() {
  using namespace label_smoothing_picture;
  const BarChart bars = target_bars();
  const BarPlace place = {
      .left = kChartLeft, .top = 48, .axis = 164, .longest_end = kWidth - 56, .right = kWidth - 24};
  const DrawnChart lines = draw(loss_lines(), place.top + height_of(bars) + 24);
  return framed(
      {.title = "Label smoothing",
       .description = "Above: the right token gets 0.92 of the target, each of the four others 0.02. "
                      "Below: the loss against the probability that the model gives to the right "
                      "token. Without smoothing it falls to 0 at 1. With smoothing it is lowest at "
                      "0.92 and rises steeply beyond.",
       .width = kWidth,
       .height = lines.bottom,
       .left = kChartLeft},
      draw_bars(bars, place) + lines.svg);
}

}  // namespace plainformer
