// Where the toy looks after 50, 100, 200 and 1,500 steps of training. docs/pictures/attention-steps.json has an entry
// for each: the step, what `plainformer translate` made of the sentence, and what `plainformer attention --kind
// encoder-decoder --layer 1 --json` wrote for it and its right translation. The models are the checkpoints of
// `train --preset toy --steps 200 --checkpoint-every 50`, and the toy's finished model.
#include <algorithm>
#include <string>
#include <vector>

#include "lab/pictures/heat_map.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "lab/plot/recorded_json.h"
#include "lab/plot/toy_attention.h"

namespace plainformer {

namespace attention_steps_picture {

constexpr double kWidth = 480, kLeft = 12, kLabel = 50, kCell = 15, kSlanted = 36;
constexpr double kGrid = 236, kTop = 98, kHeight = 306, kLine = 15;
constexpr std::size_t kLongestLine = 33, kMostLines = 2;  // of the translation below a grid

// One recorded model.
struct Stage {
  Index step;
  std::string translation;  // its own greedy one
  ToyAttention attention;
};

std::vector<Stage> read_stages(const std::string& path) {
  const RecordedJson file(path);
  std::vector<Stage> stages;
  for (const JsonValue& stage : file.array(file.root(), "the file"))
    stages.push_back({.step = static_cast<Index>(file.number(file.member(stage, "step"), "step")),
                      .translation = file.text(file.member(stage, "translation"), "translation"),
                      .attention = read_encoder_decoder(file, file.member(stage, "attention"))});
  return stages;
}

// The mean over the heads.    weights [heads, query_len, key_len]
Tensor mean_of_heads(const Tensor& weights) {
  const Index heads = weights.dim(0), query_len = weights.dim(1), key_len = weights.dim(2);
  Tensor mean = Tensor::zeros({query_len, key_len});
  for (Index i = 0; i < weights.size(); ++i)
    mean.mutable_data()[i % mean.size()] += weights.data()[i] / static_cast<Real>(heads);
  return mean;
}

// "1,500"
std::string with_thousands(Index number) {
  std::string text = std::to_string(number);
  if (text.size() > 3) text.insert(text.size() - 3, ",");
  return text;
}

// Lines of whole words; the rest is left out.
std::vector<std::string> lines_of(const std::string& text) {
  if (text.empty()) return {"(nothing)"};
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (lines.back().size() + 1 + word.size() > kLongestLine) {
      if (lines.size() == kMostLines) {
        lines.back() += " ...";
        return lines;
      }
      lines.emplace_back();
    }
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

std::string draw_stage(const Stage& stage, ChartPoint corner) {
  const ToyAttention& attention = stage.attention;
  const HeatMap map = {.top_left = {corner.x + kLabel, corner.y + kSlanted + 16}, .cell = {kCell, kCell}};
  const auto columns = static_cast<double>(attention.source.size()),
             rows = static_cast<double>(attention.target.size());
  std::string svg = svg::text("ink heading", corner, "start", with_thousands(stage.step) + " steps") +
                    draw_heat_map(map, mean_of_heads(attention.encoder_decoder)) +
                    svg::rectangle("arrow c6", map.top_left, {columns * kCell, rows * kCell});
  for (std::size_t key = 0; key < attention.source.size(); ++key)
    svg += svg::slanted_text("ink small",
                             {map.top_left.x + (static_cast<double>(key) + 0.7) * kCell, map.top_left.y - 4},
                             attention.source[key]);
  for (std::size_t query = 0; query < attention.target.size(); ++query)
    svg += svg::text("ink small",
                     {map.top_left.x - 5, map.top_left.y + (static_cast<double>(query) + 0.75) * kCell},
                     "end", attention.target[query]);
  double y = map.top_left.y + rows * kCell + 18;
  for (const std::string& line : lines_of(stage.translation)) {
    svg += svg::text("soft small", {corner.x, y}, "start", line);
    y += kLine;
  }
  return svg;
}

}  // namespace attention_steps_picture

std::string draw_attention_steps(const std::string& folder) {
  using namespace attention_steps_picture;
  const std::vector<Stage> stages = read_stages(folder + "/attention-steps.json");
  std::string svg =
      svg::text("soft", {kLeft, 50}, "start",
                "Rows: the German word to write. Columns: where the decoder looks.") +
      svg::text("soft", {kLeft, 67}, "start", "Below: the translation that the model writes by itself.");
  for (std::size_t i = 0; i < stages.size(); ++i)
    svg += draw_stage(
        stages[i], {kLeft + kGrid * static_cast<double>(i % 2), kTop + kHeight * static_cast<double>(i / 2)});
  const auto rows = static_cast<double>((stages.size() + 1) / 2);
  return framed(
      {.title = "A Transformer learns where to look",
       .description = "Four heat maps of encoder-decoder attention, the mean of the heads of the last "
                      "layer, for they know that the small queen buys this new book. After 50 steps all "
                      "weights are alike, and the model writes nothing. After 100 every row looks at the "
                      "same few words. After 200 most rows look at their own word, and the verb is "
                      "still missing. After 1,500 each row is one dark cell, kauft looks back at buys, "
                      "and the translation is right.",
       .width = kWidth,
       .height = kTop + rows * kHeight - 16,
       .left = kLeft},
      svg);
}

}  // namespace plainformer
