// BLEU: the scores of a thousand resampled texts as a histogram, with the interval that `bleu --interval` prints.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/text.h"
#include "evaluation/bleu.h"
#include "evaluation/bootstrap.h"
#include "lab/pictures/chart_axis.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "report/number_format.h"

namespace plainformer {

namespace bootstrap_picture {

constexpr double kWidth = 480, kLeft = 52, kRight = 20, kTop = 106, kBottom = 316;
constexpr double kBin = 1;  // BLEU

struct Resampled {
  double score;                // of the whole text
  std::vector<double> scores;  // of the resampled ones
  Interval interval;
};

// The ten sentences of docs/appendix-bleu.md.
Resampled resampled(const std::string& fixtures) {
  const std::vector<BleuCounts> segments =
      bleu_segments(read_lines(fixtures + "/three_figures.output.raw"),
                    {read_lines(fixtures + "/three_figures.reference.raw")});
  Resampled result = {
      .score = bleu_score(segments, BleuSmoothing::kExponential).score, .scores = {}, .interval = {}};
  const ScoreOfSentences score = score_of_sum(segments, [](const BleuCounts& counts) {
    return bleu_score(counts, BleuSmoothing::kExponential).score;
  });
  result.interval = bootstrap_interval(std::ssize(segments), [&](const std::vector<Index>& sentences) {
    result.scores.push_back(score(sentences));
    return result.scores.back();
  });
  return result;
}

// The place of a value, and the number of texts in each bin.
struct Histogram {
  ChartAxis x, y;
  double first;
  std::vector<int> counts;

  double pixel_x(double value) const { return kLeft + x.share(value) * (kWidth - kRight - kLeft); }
  double pixel_y(double value) const { return kBottom - y.share(value) * (kBottom - kTop); }
};

Histogram histogram_of(const std::vector<double>& scores) {
  const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
  Histogram histogram = {
      .x = linear_axis(*low, *high, 6), .y = {}, .first = std::floor(*low / kBin) * kBin, .counts = {}};
  histogram.counts.resize(static_cast<std::size_t>((*high - histogram.first) / kBin) + 1);
  for (const double score : scores)
    ++histogram.counts[static_cast<std::size_t>((score - histogram.first) / kBin)];
  histogram.y = linear_axis(0, *std::max_element(histogram.counts.begin(), histogram.counts.end()), 4);
  return histogram;
}

std::string draw_axes(const Histogram& histogram) {
  std::string svg;
  for (const double tick : histogram.y.ticks) {
    const double y = histogram.pixel_y(tick);
    svg += svg::line("grid", {kLeft, y}, {kWidth - kRight, y}) +
           svg::text("ink", {kLeft - 8, y + 4}, "end", format_tick(tick));
  }
  for (const double tick : histogram.x.ticks)
    svg += svg::text("ink", {histogram.pixel_x(tick), kBottom + 18}, "middle", format_tick(tick));
  return svg + svg::line("axis", {kLeft, kBottom}, {kWidth - kRight, kBottom}) +
         svg::text("ink", {(kLeft + kWidth - kRight) / 2, kBottom + 38}, "middle",
                   "BLEU of a resampled text");
}

std::string draw_columns(const Histogram& histogram, const Interval& interval) {
  std::string svg;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const double from = histogram.first + kBin * static_cast<double>(i);
    const double left = histogram.pixel_x(from), right = histogram.pixel_x(from + kBin);
    const double top = histogram.pixel_y(histogram.counts[i]);
    const bool is_inside = from + kBin > interval.low && from < interval.high;
    if (histogram.counts[i] > 0)
      svg += svg::rectangle(is_inside ? "fill c0" : "fill c6", {left + 0.5, top},
                            {right - left - 1, kBottom - top});
  }
  return svg;
}

// A line through the plot with a text above it.
std::string draw_mark(const Histogram& histogram, double value, int color, double y) {
  const double x = histogram.pixel_x(value);
  return svg::path("line marked dashed" + color_class(color),
                   svg::command('M', {x, y + 6}) + svg::command('L', {x, kBottom})) +
         svg::text("fill" + color_class(color), {x, y}, "middle", format_fixed(value, 2));
}

}  // namespace bootstrap_picture

std::string draw_bootstrap(const std::string& folder) {
  using namespace bootstrap_picture;
  const Resampled text = resampled(folder + "/../../tests/evaluation/fixtures");
  const Histogram histogram = histogram_of(text.scores);
  return framed(
      {.title = "The bootstrap: a score and its interval",
       .description = "A histogram of the BLEU of " + std::to_string(text.scores.size()) +
                      " texts, each drawn with replacement from the same ten sentences. The whole text has " +
                      format_fixed(text.score, 2) + ". The middle 95 % lie between " +
                      format_fixed(text.interval.low, 2) + " and " + format_fixed(text.interval.high, 2) +
                      ".",
       .width = kWidth,
       .height = kBottom + 50},
      svg::text("soft", {16, 50}, "start",
                std::to_string(text.scores.size()) +
                    " texts of ten sentences drawn from ten. Blue: the middle 95 %.") +
          draw_axes(histogram) + draw_columns(histogram, text.interval) +
          draw_mark(histogram, text.interval.low, 1, 92) + draw_mark(histogram, text.interval.high, 1, 92) +
          draw_mark(histogram, text.score, kPictureInk, 92));
}

}  // namespace plainformer
