#include "lab/experiments/translator_charts.h"

#include <algorithm>

namespace plainformer {

namespace {

constexpr double kCap = 0.005;  // half the width of a bar's ends, as a share of the largest x

LineChart translator_chart(const std::string& x_label, const std::vector<std::string>& headings) {
  LineChart chart;
  chart.x_label = x_label;
  for (const std::string& heading : headings) {
    ChartPanel panel = {.heading = heading, .encloses = {0}};
    for (int color = 0; color < std::ssize(kTranslatorKinds); ++color)
      panel.series.push_back({.points = {}, .color = color, .line = ChartLine::kMarked});
    chart.panels.push_back(panel);
  }
  return chart;
}

void add_title(LineChart& chart, const std::string& title, const std::string& description) {
  chart.title = title;
  chart.description = description;
  for (std::size_t kind = 0; kind < kTranslatorKinds.size(); ++kind)
    chart.legend.push_back({name_of(kTranslatorKinds[kind]), static_cast<int>(kind), ChartLine::kMarked});
}

void add_bar(ChartPanel& panel, std::size_t kind, double x, const Spread& y, double largest_x) {
  const double cap = kCap * largest_x;
  const auto add_stroke = [&](ChartPoint from, ChartPoint to) {
    panel.series.push_back({.points = {from, to}, .color = static_cast<int>(kind), .line = ChartLine::kThin});
  };
  add_stroke({x, y.lowest}, {x, y.highest});
  for (const double end : {y.lowest, y.highest}) add_stroke({x - cap, end}, {x + cap, end});
}

}  // namespace

std::vector<LineChart> learning_charts(const std::vector<LearningPoint>& points) {
  LineChart by_steps =
      translator_chart("steps", {"Exact match (%), mean and range of the seeds", "BLEU, mean"});
  LineChart by_seconds = translator_chart("seconds of training on one core", {"Exact match (%)"});
  add_title(
      by_steps, "Three translators learn the same sentences",
      "Exact match and BLEU of held-out sentences of the built-in grammar against the steps of training, "
      "and exact match against its seconds, for the Transformer and for chains with and without "
      "attention: means of the seeds. The bars of exact match go from the lowest seed to the highest.");
  double most_steps = 0, most_seconds = 0;
  for (const LearningPoint& point : points) {
    most_steps = std::max(most_steps, point.steps);
    most_seconds = std::max(most_seconds, point.seconds);
  }
  for (const auto& [kind, steps, exact, bleu, seconds] : points) {
    by_steps.panels[0].series[kind].points.push_back({steps, exact.mean});
    by_steps.panels[1].series[kind].points.push_back({steps, bleu});
    by_seconds.panels[0].series[kind].points.push_back({seconds, exact.mean});
    add_bar(by_steps.panels[0], kind, steps, exact, most_steps);
    add_bar(by_seconds.panels[0], kind, seconds, exact, most_seconds);
  }
  return {by_steps, by_seconds};
}

std::vector<LineChart> distance_charts(const std::vector<RangePoint>& by_words,
                                       const std::vector<RangePoint>& by_places) {
  const std::string heading = "Exact match (%) at the end of training";
  LineChart words = translator_chart("words of the English sentence (the middle of three)", {heading});
  LineChart places = translator_chart("places that a verb moves (the last point: 5 to 14)", {heading});
  add_title(words, "Long sentences and far verbs",
            "Exact match at the end of training against the words of the English sentence, and against the "
            "most places that a verb moves, for the Transformer and for chains with and without attention.");
  const auto add = [](LineChart& chart, const std::vector<RangePoint>& points) {
    for (const auto& [kind, range, percent] : points)
      chart.panels[0].series[kind].points.push_back(
          {static_cast<double>(range.first + range.last) / 2, percent});
  };
  add(words, by_words);
  add(places, by_places);
  return {words, places};
}

}  // namespace plainformer
