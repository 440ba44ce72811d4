// Section 6.1: keys and values of earlier positions, kept; and the multiply-adds of each step with and without them.
#include <string>
#include <vector>

#include "core/multiply_adds.h"
#include "decoding/cached_decoder.h"
#include "decoding/encoded_sources.h"
#include "decoding/plain_decoder.h"
#include "lab/pictures/line_chart.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "training/presets.h"

namespace plainformer {

namespace kept_keys_picture {

const std::vector<std::string> kInput = {"<s>",    "sie",     "wissen", ",",    "dass", "die",
                                         "kleine", "Königin", "dieses", "neue", "Buch", "kauft"};
const Index kSteps = std::ssize(kInput);
constexpr Index kVocab = 285, kSourceLen = 11;  // of the toy, and of our sentence with </s>
constexpr double kWidth = 480, kLeft = 100, kTop = 128, kCell = 22;
constexpr int kNew = 1, kKept = 0;

// A row for each step, a cell for each key and value that its query attends to.
std::string draw_grid() {
  std::string svg;
  for (Index step = 0; step < kSteps; ++step) {
    const double y = kTop + static_cast<double>(step) * kCell;
    svg += svg::text("ink small", {kLeft - 8, y + kCell / 2 + 4}, "end", kInput[step]);
    svg += svg::slanted_text("ink small", {kLeft + (static_cast<double>(step) + 0.4) * kCell, kTop - 6},
                             kInput[step]);
    for (Index key = 0; key <= step; ++key)
      svg += svg::rectangle(key == step ? "fill" + color_class(kNew) : "box" + color_class(kKept),
                            {kLeft + static_cast<double>(key) * kCell + 2, y + 2}, {kCell - 4, kCell - 4});
  }
  return svg;
}

// Millions of multiply-adds of each step, measured.
struct Work {
  ChartSeries plain = {.points = {}, .color = 4, .line = ChartLine::kMarked},
              cached = {.points = {}, .color = 1, .line = ChartLine::kMarked};
};

Work measure() {
  ModelConfig config = preset_recipe("toy").value().model;
  config.vocab = kVocab;
  const Transformer model(config, /*seed=*/1);
  const EncodedSources encoded = encode_sources(model, {std::vector<int>(kSourceLen - 1, 4)});
  CachedDecoder cached(model, encoded.memory);
  const std::vector<Index> first = {0};
  Work work;
  std::vector<int> prefix;
  for (Index step = 0; step < kSteps; ++step) {
    const int token = step == 0 ? 1 : 4;  // which one does not matter for the work
    prefix.push_back(token);
    const auto x = static_cast<double>(step + 1);
    const auto millions = [](std::int64_t from, std::int64_t to) {
      return static_cast<double>(to - from) / 1e6;
    };
    const std::int64_t begin = multiply_adds();
    next_logits(model, encoded, {prefix}, first);
    const std::int64_t middle = multiply_adds();
    cached.step(token);
    work.plain.points.push_back({x, millions(begin, middle)});
    work.cached.points.push_back({x, millions(middle, multiply_adds())});
  }
  return work;
}

std::string legend(double y) {
  return svg::rectangle("fill" + color_class(kNew), {16, y - 10}, {12, 12}) +
         svg::text("ink", {34, y}, "start", "computed in this step") +
         svg::rectangle("box" + color_class(kKept), {186, y - 10}, {12, 12}) +
         svg::text("ink", {204, y}, "start", "kept from an earlier step");
}

}  // namespace kept_keys_picture

std::string draw_kept_keys() {
  using namespace kept_keys_picture;
  const Work work = measure();
  const double bottom = kTop + static_cast<double>(kSteps) * kCell + 22;
  const ChartPoint last_plain = work.plain.points[8], last_cached = work.cached.points[8];
  const LineChart chart = {
      .x_label = "step",
      .panels = {{.heading = "Millions of multiply-adds of each step, decoder of toy",
                  .series = {work.plain, work.cached},
                  .labels = {{.at = {1, last_plain.y}, .text = "all positions again", .color = 4},
                             {.at = last_cached, .text = "kept", .up = 12, .color = 1}},
                  .encloses = {0}}},
      .width = static_cast<int>(kWidth)};
  const DrawnChart drawn = draw(chart, bottom);
  return framed(
      {.title = "Keys and values, kept",
       .description =
           "A triangle with a row for each step of a translation and a cell for each key and value "
           "that the step attends to. Only the last cell of a row is new; the others are kept from "
           "the steps before. Below, the multiply-adds of each step: they grow with the step if all "
           "positions are computed again, and hardly at all if keys and values are kept.",
       .width = kWidth,
       .height = drawn.bottom},
      svg::text("soft", {16, 50}, "start",
                "Rows: the token that the decoder reads. Columns: its keys and values.") +
          legend(74) + draw_grid() + drawn.svg);
}

}  // namespace plainformer
