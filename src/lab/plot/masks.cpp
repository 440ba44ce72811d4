// Section 3.2.3: what the masks hide, as grids, and the decoder's input beside what it should predict.
#include <string>
#include <vector>

#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "ops/attention_mask.h"

namespace plainformer {

namespace masks_picture {

using Words = std::vector<std::string>;

constexpr double kWidth = 480, kLeft = 16, kCell = 20, kLabel = 52, kSlanted = 44;
constexpr double kGridTop = 142, kBetween = 34, kShiftStep = 58;
constexpr int kVisible = 0;

struct Grid {
  std::string heading, remark;
  Words queries, keys;
  AttentionMask mask;  // of one sentence
};

// A filled cell for each visible key, an empty one for each hidden key.
std::string draw_grid(const Grid& grid, ChartPoint corner) {
  const auto key_len = static_cast<Index>(grid.keys.size());
  const double left = corner.x + kLabel;
  std::string svg = svg::text("ink heading", {corner.x, corner.y - kSlanted - 24}, "start", grid.heading) +
                    svg::text("soft small", {corner.x, corner.y - kSlanted - 8}, "start", grid.remark);
  for (Index key = 0; key < key_len; ++key)
    svg += svg::slanted_text("ink small", {left + (static_cast<double>(key) + 0.4) * kCell, corner.y - 6},
                             grid.keys[key]);
  for (Index query = 0; query < static_cast<Index>(grid.queries.size()); ++query) {
    const double y = corner.y + static_cast<double>(query) * kCell;
    svg += svg::text("ink small", {left - 6, y + kCell / 2 + 4}, "end", grid.queries[query]);
    const Index visible = grid.mask.visible_keys(0, query);
    for (Index key = 0; key < key_len; ++key) {
      const std::string classes =
          key < visible ? "fill" + color_class(kVisible) : "arrow" + color_class(kPictureInk);
      svg += svg::rectangle(classes, {left + static_cast<double>(key) * kCell + 2, y + 2},
                            {kCell - 4, kCell - 4});
    }
  }
  return svg;
}

// Two rows of words: each column's prediction is the next column's input.
std::string draw_shift(const Words& reads, const Words& predicts, double top) {
  std::string svg = svg::text("ink heading", {kLeft, top}, "start", "Shifted by one");
  const auto at = [](std::size_t i) { return kLeft + 110 + kShiftStep * static_cast<double>(i); };
  svg += svg::text("soft small", {kLeft, top + 30}, "start", "decoder reads");
  svg += svg::text("soft small", {kLeft, top + 70}, "start", "should predict");
  for (std::size_t i = 0; i < reads.size(); ++i) {
    svg += svg::text("ink", {at(i), top + 30}, "middle", reads[i]);
    svg += svg::text("ink", {at(i), top + 70}, "middle", predicts[i]);
    svg += svg::line("axis", {at(i), top + 37}, {at(i), top + 57});
    if (i + 1 < reads.size())
      svg += svg::path("frame" + color_class(kVisible), svg::command('M', {at(i) + 14, top + 58}) +
                                                            svg::command('L', {at(i + 1) - 14, top + 36}));
  }
  return svg;
}

}  // namespace masks_picture

std::string draw_masks() {
  using namespace masks_picture;
  const Words source = {"the", "small", "cat", "sleeps", "</s>", "<pad>", "<pad>"};
  const Words reads = {"<s>", "die", "kleine", "Katze", "schläft", "<pad>"};
  const Words predicts = {"die", "kleine", "Katze", "schläft", "</s>"};
  const Grid padding = {"Padding", "encoder: 5 of 7 keys", source, source, {.key_lengths = {5}}};
  const Grid both = {
      "Causal, and padding", "decoder: no later key", reads, reads, {.key_lengths = {5}, .causal = true}};
  const double second = kLeft + kLabel + 7 * kCell + kBetween;
  const double bottom = kGridTop + 7 * kCell + 44;
  const std::string svg = draw_grid(padding, {kLeft, kGridTop}) + draw_grid(both, {second, kGridTop}) +
                          draw_shift({reads.begin(), reads.end() - 1}, predicts, bottom);
  return framed({.title = "Who may look at whom",
                 .description = "Two grids with a row for each query and a column for each key, and two "
                                "rows of words. In the encoder each word sees the five tokens of its "
                                "sentence and no padding. In the decoder a token sees itself and those "
                                "before it. Below, the decoder reads the target shifted by one: each token "
                                "that it should predict is the next one that it reads.",
                 .width = kWidth,
                 .height = bottom + 88},
                svg);
}

}  // namespace plainformer
