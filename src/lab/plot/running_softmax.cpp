// Fused attention: a softmax over tiles of keys, whose sums are corrected when a larger score comes.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/check.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "ops/softmax.h"
#include "report/number_format.h"

namespace plainformer {

namespace running_softmax_picture {

const std::vector<double> kScores = {0.5, 1.5, 0, 1, 2.5, 0.5, 1, 2, 1.5, 3.5, 0, 2};
constexpr std::size_t kTile = 4;
constexpr double kWidth = 480, kLeft = 170, kBar = 24, kTop = 106, kRow = 84, kHigh = 50;
constexpr int kColors[] = {0, 1, 2};  // of the tiles

// m and l over the keys so far, and what the last tile did to the sums.
struct Running {
  double largest = -INFINITY, sum = 0, factor = 0;
};

Running advanced(const Running& before, std::size_t first) {
  const double* tile = kScores.data() + first;
  Running after = {.largest = std::max(before.largest, *std::max_element(tile, tile + kTile))};
  after.factor = std::exp(before.largest - after.largest);
  after.sum = before.sum * after.factor;
  for (std::size_t i = 0; i < kTile; ++i) after.sum += std::exp(tile[i] - after.largest);
  return after;
}

// The scores of all keys above their tiles.
std::string draw_scores() {
  std::string svg = svg::text("ink name", {16, kTop - 24}, "start", "scores S");
  for (std::size_t j = 0; j < kScores.size(); ++j)
    svg += svg::text("fill" + color_class(kColors[j / kTile]),
                     {kLeft + kBar * (static_cast<double>(j) + 0.5), kTop - 24}, "middle",
                     format_fixed(kScores[j], 1));
  return svg;
}

// Bars of e^(s - shift) over `divisor` for the first `seen` keys, and a line under all.
std::string draw_bars_of(std::size_t seen, double shift, double divisor, double base) {
  std::string svg =
      svg::line("axis", {kLeft, base}, {kLeft + kBar * static_cast<double>(kScores.size()), base});
  for (std::size_t j = 0; j < seen; ++j) {
    const double height = kHigh * std::exp(kScores[j] - shift) / divisor;
    svg += svg::rectangle("fill" + color_class(kColors[j / kTile]),
                          {kLeft + kBar * static_cast<double>(j) + 3, base - height}, {kBar - 6, height});
  }
  return svg;
}

std::string note(double base, int line, const std::string& text, const char* classes = "ink") {
  return svg::text(classes, {16, base - 36 + 17 * line}, "start", text);
}

// The last weights, by m and l, are those of the softmax.
void check(const Running& last) {
  Tensor scores({1, static_cast<Index>(kScores.size())});
  std::transform(kScores.begin(), kScores.end(), scores.mutable_data(),
                 [](double score) { return static_cast<Real>(score); });
  const std::vector<Index> all_visible = {std::ssize(kScores)};
  const Tensor weights = softmax_forward(scores, all_visible);
  for (std::size_t j = 0; j < kScores.size(); ++j)
    CHECK(std::abs(std::exp(kScores[j] - last.largest) / last.sum - double{weights.data()[j]}) < 1e-6, j);
}

}  // namespace running_softmax_picture

std::string draw_running_softmax() {
  using namespace running_softmax_picture;
  std::string svg = draw_scores();
  Running running;
  double base = kTop + kHigh;
  for (std::size_t first = 0; first < kScores.size(); first += kTile, base += kRow) {
    running = advanced(running, first);
    svg += note(base, 0, "after tile " + std::to_string(first / kTile + 1), "ink name");
    svg += note(base, 1, "m = " + format_fixed(running.largest, 1) + ", l = " + format_fixed(running.sum, 3));
    if (first > 0) svg += note(base, 2, "old sums times " + format_fixed(running.factor, 3), "soft small");
    svg += draw_bars_of(first + kTile, running.largest, 1, base);
  }
  check(running);
  svg += note(base, 0, "divided by l", "ink name") + note(base, 1, "the weights");
  svg += draw_bars_of(kScores.size(), running.largest, running.sum, base);
  return framed(
      {.title = "A softmax that does not know its end",
       .description =
           "Twelve scores in three tiles of four keys. After each tile the exponentials of the keys so "
           "far are drawn as bars, shifted by the largest score so far, whose bar has full height. A "
           "tile with a larger score shrinks all bars before it by one factor. Divided by their sum "
           "at the end, they are the weights of the softmax.",
       .width = kWidth,
       .height = base + 18},
      svg::text("soft", {16, 50}, "start", "Bars: e^(S - m) of the keys so far. Each tile has a color.") +
          svg);
}

}  // namespace plainformer
