// Section 3.2.1: softmax weights of random queries and keys: not scaled, divided by sqrt(d_k), divided by d_k.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/random.h"
#include "lab/pictures/line_chart.h"
#include "lab/plot/plots.h"
#include "ops/elementwise.h"
#include "ops/linear.h"
#include "ops/softmax.h"

namespace plainformer {

namespace softmax_scaling_picture {

constexpr Index kQueries = 250, kSets = 16, kKeys = 16, kSizes[] = {4, 64, 512};

Tensor normal_tensor(const Shape& shape, std::uint64_t site) {
  Random random(random_stream(/*seed=*/1, 0, site));
  Tensor x(shape);
  std::generate_n(x.mutable_data(), x.size(), [&] { return static_cast<Real>(random.normal()); });
  return x;
}

// The mean over all queries and sets of keys of the largest weight, of the second largest, and so on.
//   scores [queries, sets * keys]
std::vector<ChartPoint> sorted_weights(const Tensor& scores) {
  constexpr Index kRows = kQueries * kSets;
  const std::vector<Index> all_visible(kRows, kKeys);
  const Tensor weights = softmax_forward(scores.reshaped({kRows, kKeys}), all_visible);
  std::vector<ChartPoint> points(kKeys);
  for (Index row = 0; row < kRows; ++row) {
    std::vector<Real> sorted(weights.data() + row * kKeys, weights.data() + (row + 1) * kKeys);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    for (Index rank = 0; rank < kKeys; ++rank) points[rank].y += double{sorted[rank]} / kRows;
  }
  for (Index rank = 0; rank < kKeys; ++rank) points[rank].x = static_cast<double>(rank + 1);
  return points;
}

}  // namespace softmax_scaling_picture

std::string draw_softmax_scaling() {
  using namespace softmax_scaling_picture;
  LineChart chart = {
      .title = "Attention weights, scaled and not",
      .description =
          "The weights of 16 random keys, sorted: means over 250 queries with 16 sets of keys each. "
          "Without the scale the largest weight grows with d_k, and at 512 the others "
          "are nearly 0. Divided by the root of d_k, they are the same for each d_k. Divided by d_k, "
          "they come out the more equal, the larger d_k is: at 512 each is nearly 1 / 16.",
      .x_label = "keys, sorted by their weights",
      .panels = {{.heading = "Not scaled: softmax(q · k)", .encloses = {0, 1}},
                 {.heading = "Divided by the root: softmax(q · k / sqrt(d_k))", .encloses = {0, 1}},
                 {.heading = "Divided by d_k: softmax(q · k / d_k)", .encloses = {0, 1}}},
      .width = 480};
  for (int i = 0; i < 3; ++i) {
    const Index d_k = kSizes[i];
    const Tensor q = normal_tensor({kQueries, d_k}, 0);
    const Parameter k(normal_tensor({kSets * kKeys, d_k}, 1));
    const Tensor scores = linear_transposed_forward(q, k);
    const Real size = static_cast<Real>(d_k), factors[] = {1, 1 / std::sqrt(size), 1 / size};
    chart.legend.push_back({"d_k = " + std::to_string(d_k), i, ChartLine::kMarked});
    for (int panel = 0; panel < 3; ++panel)
      chart.panels[panel].series.push_back(
          {sorted_weights(scale(scores, factors[panel])), i, ChartLine::kMarked});
  }
  chart.panels[1].labels = {{{3, 0.1}, "the same for each d_k", 12}};
  chart.panels[2].labels = {{{3, 0.1}, "the more equal, the larger d_k", 12}};
  return to_svg(chart);
}

}  // namespace plainformer
