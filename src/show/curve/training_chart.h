// Line charts as self-contained SVG files, with no script, no font and nothing to fetch. Their colors follow
// the reader's light or dark theme; printed without color, the lines differ by the shape of their marks.
// Panels are one above the other over a common x axis, which begins at 0.
#pragma once

#include <string>
#include <vector>

namespace plainformer {

struct ChartPoint {
  double x, y;
};

inline constexpr int kChartColors = 6;
inline constexpr int kChartInk = kChartColors;  // the color of the text

enum class ChartLine {
  kThin,   // for many points: a value at each step
  kMarked  // for few points: a mark at each, with a shape for each color
};

struct ChartSeries {
  // The points, in drawing order. The line is interrupted at points that are not finite or beyond 1e300, and
  // on a logarithmic axis at those outside 1e-9 to 1e9.
  std::vector<ChartPoint> points;
  int color = 0;  // 0 to kChartInk
  ChartLine line = ChartLine::kThin;
};

struct ChartPanel {
  std::string heading = {};  // the quantity and its unit
  std::string note = {};     // at the right of the heading
  std::vector<ChartSeries> series = {};
  bool logarithmic = false;  // the y axis
  int height = 160;          // the plot's, in pixels
};

struct ChartLegendEntry {
  std::string name;
  int color;
  ChartLine line;
};

struct LineChart {
  std::string title = {}, description = {};  // the description is for readers who cannot see the picture
  std::string x_label = {};
  std::vector<ChartLegendEntry> legend = {};  // a row for each
  std::vector<ChartPanel> panels = {};        // at least one
};

// The complete SVG document. Without any finite point: empty axes from 0 to 1.
std::string to_svg(const LineChart& chart);

// An axis of a chart: the position of a value on it, and the round numbers written beside it.
struct ChartAxis {
  double first = 0, last = 1;      // the values at its ends
  std::vector<double> ticks = {};  // within, ascending
  bool logarithmic = false;

  double share(double value) const;  // 0 at the first end, 1 at the last
};

// Begins and ends at a tick, and encloses low and high. Ticks are 1, 2 or 5 times a power of ten apart, and
// about `intervals` intervals lie between them. A constant (low = high) gets room on both sides. Without data
// (low > high) the axis runs from 0 to 1.
ChartAxis linear_axis(double low, double high, int intervals);

// A logarithmic axis for low > 0. It extends a little beyond low and high rather than to the next tick. Ticks
// that would be too close to each other are left out.
ChartAxis logarithmic_axis(double low, double high, int intervals);

// ---- the curves of training runs, read from log.jsonl; train/training_log.h writes it and lists its fields

// The log's values, in the order of the file, as points over the steps. A value that the log lacks, or that
// was not finite, is NaN.
struct TrainingHistory {
  std::string name;
  std::vector<ChartPoint> loss = {}, learning_rate = {};     // without the steps that were skipped
  std::vector<ChartPoint> valid_loss = {}, valid_bleu = {};  // without that of the average
};

// Reads an untrusted file: input_error with file and line. A last line without an end is ignored, because a
// run may still be writing it. A log without any step is an input_error.
TrainingHistory read_training_history(const std::string& name, const std::string& path);

// One chart has colors for this many runs.
inline constexpr int kMostCurves = kChartColors;

// Panels for the losses, BLEU (if there is any) and the learning rate, against steps. The training loss is
// drawn as at most 200 means, each of the same number of steps for all runs.
LineChart training_chart(const std::vector<TrainingHistory>& runs);

}  // namespace plainformer
