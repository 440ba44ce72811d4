// Where the toy looks after 50, 100, 200 and 1,500 steps of training: four frames of docs/pages/frames.jsonl, all of which
// the page docs/pages/learning.html plays.
#include <algorithm>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "lab/attention/recorded_frames.h"
#include "lab/pictures/heat_map.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"

namespace plainformer {

namespace attention_steps_picture {

constexpr double kWidth = 480, kLeft = 12, kLabel = 50, kCell = 15, kSlanted = 36;
constexpr double kGrid = 236, kTop = 98, kHeight = 306, kLine = 15;
constexpr std::size_t kLongestLine = 33, kMostLines = 2;  // of the translation below a grid

constexpr Index kShownSteps[] = {50, 100, 200, 1500};

const RecordedFrames::Frame& frame_at(const RecordedFrames& recorded, Index step, const std::string& file) {
  for (const RecordedFrames::Frame& frame : recorded.frames)
    if (frame.step == step) return frame;
  throw input_error(file, "has no frame of step " + std::to_string(step), "keep them with --frames 25");
}

// The mean over the heads.    [target_len, source_len]
Tensor mean_of_heads(const RecordedFrames& recorded, const RecordedFrames::Frame& frame) {
  Tensor mean = Tensor::zeros({std::ssize(recorded.target), std::ssize(recorded.source)});
  for (Index i = 0; i < std::ssize(frame.attention); ++i)
    mean.mutable_data()[i % mean.size()] +=
        static_cast<Real>(frame.attention[i]) / (1000 * static_cast<Real>(recorded.heads));
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

std::string draw_frame(const RecordedFrames& recorded, const RecordedFrames::Frame& frame,
                       ChartPoint corner) {
  const HeatMap map = {.top_left = {corner.x + kLabel, corner.y + kSlanted + 16}, .cell = {kCell, kCell}};
  const auto columns = static_cast<double>(recorded.source.size()),
             rows = static_cast<double>(recorded.target.size());
  std::string svg = svg::text("ink heading", corner, "start", with_thousands(frame.step) + " steps") +
                    draw_heat_map(map, mean_of_heads(recorded, frame)) +
                    svg::rectangle("arrow c6", map.top_left, {columns * kCell, rows * kCell});
  for (std::size_t key = 0; key < recorded.source.size(); ++key)
    svg += svg::slanted_text("ink small",
                             {map.top_left.x + (static_cast<double>(key) + 0.7) * kCell, map.top_left.y - 4},
                             recorded.source[key]);
  for (std::size_t query = 0; query < recorded.target.size(); ++query)
    svg += svg::text("ink small",
                     {map.top_left.x - 5, map.top_left.y + (static_cast<double>(query) + 0.75) * kCell},
                     "end", recorded.target[query]);
  double y = map.top_left.y + rows * kCell + 18;
  for (const std::string& line : lines_of(frame.translation)) {
    svg += svg::text("soft small", {corner.x, y}, "start", line);
    y += kLine;
  }
  return svg;
}

}  // namespace attention_steps_picture

std::string draw_attention_steps(const std::string& folder) {
  using namespace attention_steps_picture;
  const std::string file = folder + "/../pages/frames.jsonl";
  const RecordedFrames recorded = read_frames(file);
  std::string svg =
      svg::text("soft", {kLeft, 50}, "start",
                "Rows: the German word to write. Columns: where the decoder looks.") +
      svg::text("soft", {kLeft, 67}, "start", "Below: the translation that the model writes by itself.");
  for (std::size_t i = 0; i < std::size(kShownSteps); ++i)
    svg +=
        draw_frame(recorded, frame_at(recorded, kShownSteps[i], file),
                   {kLeft + kGrid * static_cast<double>(i % 2), kTop + kHeight * static_cast<double>(i / 2)});
  return framed(
      {.title = "A Transformer learns where to look",
       .description = "Four heat maps of encoder-decoder attention, the mean of the heads of the last "
                      "layer, for they know that the small queen buys this new book. After 50 steps all "
                      "weights are alike, and the model writes nothing. After 100 every row looks at the "
                      "same few words. After 200 most rows look at their own word, and the verb is "
                      "still missing. After 1,500 each row is one dark cell, kauft looks back at buys, "
                      "and the translation is right.",
       .width = kWidth,
       .height = kTop + 2 * kHeight - 16,
       .left = kLeft},
      svg);
}

}  // namespace plainformer
