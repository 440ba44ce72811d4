// The page break-it: the validation losses of the toy with each bug, over those of the sound program.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "lab/pictures/chart_axis.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/broken_runs.h"
#include "lab/plot/plots.h"
#include "ops/cross_entropy.h"
#include "report/number_format.h"

namespace plainformer {

namespace break_it_picture {

// Pixels.
constexpr double kWidth = 480, kLeft = 20, kColumn = 226, kRow = 134;
constexpr double kPlotLeft = 26, kPlotWidth = 182, kPlotTop = 36, kPlotHeight = 68;
constexpr int kColumns = 2;

constexpr int kSoundColor = kPictureInk, kBrokenColor = 1;
constexpr double kLowest = 0.88, kHighest = 10;  // losses
constexpr Index kVocab = 285;                    // of the toy
constexpr double kSmoothing = 0.1;               // epsilon_ls of the toy
constexpr int kSteps = kBrokenValidations * kBrokenValidateEvery;

struct Panel {
  ChartPoint corner;  // top left, with the name
  ChartAxis losses = logarithmic_axis(kLowest, kHighest, 4);

  double left() const { return corner.x + kPlotLeft; }
  double bottom() const { return corner.y + kPlotTop + kPlotHeight; }
  double x(double step) const { return left() + kPlotWidth * step / kSteps; }
  double y(double loss) const { return bottom() - kPlotHeight * losses.share(std::min(loss, kHighest)); }
};

// The least loss of an honest model: the loss of logits whose softmax is the smoothed target (5.4).
double floor_of_the_loss() {
  const double other = kSmoothing / kVocab, right = 1 - kSmoothing + other;
  Tensor logits = Tensor::filled({1, kVocab}, static_cast<Real>(std::log(other)));
  logits.mutable_data()[0] = static_cast<Real>(std::log(right));
  const int target[] = {0};
  return cross_entropy_forward(logits, target, kSmoothing).loss;
}

std::string draw_floor(const Panel& panel) {
  const double y = panel.y(floor_of_the_loss());
  return svg::path("line thin dotted c2",
                   svg::command('M', {panel.left(), y}) + svg::command('L', {panel.left() + kPlotWidth, y}));
}

std::string draw_grid(const Panel& panel) {
  std::string svg;
  const double left = panel.left(), right = left + kPlotWidth, bottom = panel.bottom();
  for (const double loss : {1.0, 2.0, 5.0}) {
    svg += svg::line("grid", {left, panel.y(loss)}, {right, panel.y(loss)});
    svg += svg::text("soft small", {left - 5, panel.y(loss) + 4}, "end", format_tick(loss));
  }
  for (const double step : {0.0, kSteps / 2.0, static_cast<double>(kSteps)})
    svg += svg::text("soft small", {panel.x(step), bottom + 14}, "middle", format_tick(step));
  svg += svg::line("axis", {left, bottom}, {left, bottom - kPlotHeight});
  return svg + svg::line("axis", {left, bottom}, {right, bottom});
}

std::string draw_curves(const Panel& panel, std::span<const BrokenRuns> all, int color) {
  std::string commands;
  for (const BrokenRuns& runs : all) {
    for (const ValidationLosses& losses : runs.losses) {
      for (int i = 0; i < kBrokenValidations; ++i)
        commands +=
            svg::command(i == 0 ? 'M' : 'L', {panel.x((i + 1) * kBrokenValidateEvery), panel.y(losses[i])});
    }
  }
  return svg::path("line thin" + color_class(color), commands);
}

std::string draw_panel(const BrokenRuns& broken, const std::vector<BrokenRuns>& sound, ChartPoint corner) {
  const Panel panel = {.corner = corner};
  double exact = 0;
  for (const double percent : broken.exact_match) exact += percent;
  const std::string name = broken.bug + (broken.heads == 1 ? ", 1 head" : "");
  const std::string mean = format_fixed(exact / kBrokenSeeds, 0) + " %";
  return svg::text("ink small", {corner.x, corner.y + 14}, "start", name) +
         svg::text("soft small", {panel.left() + kPlotWidth, corner.y + kPlotTop - 6}, "end", mean) +
         draw_grid(panel) + draw_floor(panel) + draw_curves(panel, sound, kSoundColor) +
         draw_curves(panel, {&broken, 1}, kBrokenColor);
}

std::string draw_legend(double top) {
  const auto entry = [top](double x, int color, const std::string& name) {
    return svg::path("line marked" + color_class(color), svg::command('M', {x, top}) + "h26") +
           svg::text("ink", {x + 34, top + 4}, "start", name);
  };
  return entry(kLeft, kBrokenColor, "broken, 3 seeds") + entry(kLeft + 160, kSoundColor, "sound") +
         svg::path("line thin dotted c2", svg::command('M', {kLeft + 260, top}) + "h26") +
         svg::text("ink", {kLeft + 294, top + 4}, "start", "floor, " + format_fixed(floor_of_the_loss(), 3)) +
         svg::text("soft", {kLeft, top + 24}, "start",
                   "loss (nats per token, logarithmic) against steps; %: exact match");
}

// Draws a heading and a panel for each bug below it. Moves `top` below the panels.
std::string draw_group(const std::string& heading, const std::vector<BrokenRuns>& group, const BreakIt& all,
                       double& top) {
  std::string svg = svg::text("ink heading", {kLeft, top}, "start", heading);
  const auto rows = (group.size() + kColumns - 1) / kColumns;
  for (std::size_t i = 0; i < group.size(); ++i)
    svg += draw_panel(group[i], all.sound_with(group[i].heads),
                      {kLeft + kColumn * static_cast<double>(i % kColumns),
                       top + 10 + kRow * static_cast<double>(i / kColumns)});
  top += kRow * static_cast<double>(rows) + 36;
  return svg;
}

}  // namespace break_it_picture

std::string draw_break_it(const std::string& folder) {
  using namespace break_it_picture;
  const BreakIt runs = read_break_it(folder + "/break-it.json");
  const auto count = [](const std::vector<BrokenRuns>& group) { return std::to_string(group.size()); };
  double top = kTitleBaseline + 80;
  std::string svg = draw_legend(kTitleBaseline + 24);
  svg += draw_group("Lower than every sound run", runs.lower, runs, top);
  svg += draw_group("Higher than every sound run", runs.higher, runs, top);
  svg += draw_group("Higher than the sound runs of the same seed", runs.slightly_higher, runs, top);
  svg += draw_group("Indistinguishable from the sound program", runs.unseen, runs, top);
  return framed(
      {.title = "Learning curves of broken programs",
       .description =
           "A small chart for each bug: the validation loss of three seeds over 800 steps, "
           "drawn over the sound program, with the floor of the loss as a dotted line. The loss of " +
           count(runs.lower) + " bugs ends lower than that of every sound run, of " + count(runs.higher) +
           " higher, and of " + count(runs.slightly_higher) +
           " higher than the sound runs of the same seed. The other " + count(runs.unseen) +
           " cannot be told from the sound program.",
       .width = kWidth,
       .height = top - 12,
       .left = kLeft},
      svg);
}

}  // namespace plainformer
