// Section 5.1: the padding of a batch of similar lengths, and of as many sentences as they come.
#include <numeric>

#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "lab/plot/toy_text.h"
#include "report/number_format.h"
#include "runs/corpora.h"

namespace plainformer {

namespace padding_picture {

constexpr double kLeft = 24, kCell = 13, kRow = 10, kColumn = 228;
constexpr Index kPairs = 1000, kBatchTokens = 240;

struct Drawn {
  std::string svg;
  double bottom;
};

double padding_share(const TokenBatch& side) {
  Index tokens = 0;
  for (const Index length : side.lengths) tokens += length;
  return 1 - static_cast<double>(tokens) / static_cast<double>(side.batch * side.len);
}

std::string percent(double share) {
  return format_fixed(100 * share, 0) + " %";
}

// A cell, filled or outlined, at a position of a side or in the legend.
struct Cells {
  std::string tokens, ends, padding;  // commands of paths

  void add(std::string Cells::*kind, ChartPoint at) { this->*kind += svg::command('M', at) + "h11v8h-11z"; }
  std::string draw() const {
    return svg::path("fill c0", tokens) + svg::path("fill c2", ends) +
           (padding.empty() ? "" : svg::path("box c1", padding));
  }
};

std::string draw_legend(double top) {
  Cells cells;
  cells.add(&Cells::tokens, {kLeft, top});
  cells.add(&Cells::ends, {kLeft + 80, top});
  cells.add(&Cells::padding, {kLeft + 160, top});
  const double y = top + 8;
  return cells.draw() + svg::text("ink", {kLeft + 18, y}, "start", "token") +
         svg::text("ink", {kLeft + 98, y}, "start", "</s>") +
         svg::text("ink", {kLeft + 178, y}, "start", "padding");
}

std::string draw_side(const TokenBatch& side, ChartPoint corner, const std::string& name) {
  Cells cells;
  for (Index row = 0; row < side.batch; ++row) {
    for (Index i = 0; i < side.len; ++i) {
      const Index end = side.lengths[row] - 1;
      cells.add(i < end    ? &Cells::tokens
                : i == end ? &Cells::ends
                           : &Cells::padding,
                {corner.x + static_cast<double>(i) * kCell, corner.y + 22 + static_cast<double>(row) * kRow});
    }
  }
  const std::string shape = "[" + std::to_string(side.batch) + ", " + std::to_string(side.len) + "]";
  return svg::text("ink", {corner.x, corner.y + 12}, "start",
                   name + " " + shape + ", " + percent(padding_share(side)) + " padding") +
         cells.draw();
}

Drawn draw_batch(const TranslationBatch& batch, double top, const std::string& heading) {
  return {svg::text("ink heading", {kLeft, top}, "start", heading) +
              draw_side(batch.source, {kLeft, top + 8}, "source") +
              draw_side(batch.target_output, {kLeft + kColumn, top + 8}, "target"),
          top + 32 + static_cast<double>(batch.source.batch) * kRow};
}

// "32 % of the source and 34 % of the target"
std::string padding_of(const TranslationBatch& batch) {
  return percent(padding_share(batch.source)) + " of the source and " +
         percent(padding_share(batch.target_output)) + " of the target";
}

}  // namespace padding_picture

std::string draw_padding() {
  using namespace padding_picture;
  const std::vector<SentencePair> pairs = toy_text(kPairs).pairs;
  const std::vector<Index> numbers = make_batches(pairs, kBatchTokens, /*seed=*/1, /*epoch=*/0)[0];
  std::vector<Index> first_numbers(numbers.size());
  std::iota(first_numbers.begin(), first_numbers.end(), 0);
  const TranslationBatch similar = batch_of(pairs, numbers), first = batch_of(pairs, first_numbers);

  const Drawn upper = draw_batch(first, 84, "The first pairs of the text");
  const Drawn lower = draw_batch(similar, upper.bottom + 30, "A batch of similar lengths");
  return framed(
      {.title = "The padding of a batch",
       .description = "Rows are sentences of the built-in grammar, cells are positions. Of the first " +
                      std::to_string(numbers.size()) + " pairs of the text, " + padding_of(first) +
                      " are padding. Of a batch of as many pairs of similar lengths, " + padding_of(similar) +
                      " are padding.",
       .width = 480,
       .height = lower.bottom + 16,
       .left = kLeft},
      draw_legend(46) + upper.svg + lower.svg);
}

}  // namespace plainformer
