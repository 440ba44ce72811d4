#include "show/attention/attention_pages.h"

#include <cmath>
#include <limits>
#include <span>

#include "core/input_error.h"
#include "core/number_text.h"
#include "data/text.h"
#include "io/json.h"
#include "report/numbers.h"
#include "report/terminal.h"
#include "show/html_page.h"

namespace plainformer {

namespace {

constexpr std::uintmax_t kMaxFramesBytes = 1 << 30;
constexpr Index kMostTokens = 1000, kMostHeads = 1000;
constexpr const char* kFramesHint = "this must be the frames.jsonl of 'plainformer train --frames N'";

// The members of a line, each checked. Errors name the place.
class FramesLine {
 public:
  FramesLine(const std::string& line, std::string where)
      : where_(std::move(where)), json_(parse_json(line, where_)) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw input_error(where_, problem, kFramesHint);
  }

  const JsonValue& member(const std::string& name) const {
    const JsonValue* value = json_.find(name);
    if (!value) fail("has no \"" + name + "\"");
    return *value;
  }
  Index size(const std::string& name) const { return *typed(member(name).size(), name, "a number from 0"); }
  double number(const std::string& name) const {
    if (member(name).is_null()) return std::numeric_limits<double>::quiet_NaN();
    return *typed(member(name).number(), name, "a number");
  }
  std::string text(const std::string& name) const { return *typed(member(name).string(), name, "text"); }
  std::vector<std::string> tokens(const std::string& name) const {
    std::vector<std::string> tokens;
    for (const JsonValue& token : array_of(member(name), name))
      tokens.push_back(*typed(token.string(), name, "an array of text"));
    if (tokens.empty() || std::ssize(tokens) > kMostTokens)
      fail("\"" + name + "\" has no token, or too many");
    return tokens;
  }
  const JsonArray& array_of(const JsonValue& value, const std::string& name) const {
    return *typed(value.array(), name, "an array");
  }

 private:
  // The value, if it is of this type.
  template <typename Value>
  Value typed(Value value, const std::string& name, const char* type) const {
    if (!value) fail("\"" + name + "\" is not " + type);
    return value;
  }

  const std::string where_;
  const JsonValue json_;
};

// Appends the numbers of nested arrays with these extents.
void append_weights(const FramesLine& line, const JsonValue& value, std::span<const std::size_t> extents,
                    std::vector<int>& weights) {
  if (extents.empty()) {
    if (!value.size() || *value.size() > 1000) line.fail("a weight is not a number of 0 to 1000");
    weights.push_back(static_cast<int>(*value.size()));
    return;
  }
  const JsonArray& parts = line.array_of(value, "attention");
  if (parts.size() != extents.front())
    line.fail("\"attention\" has not a weight for each head, target token and source token");
  for (const JsonValue& part : parts) append_weights(line, part, extents.subspan(1), weights);
}

std::vector<int> weights_in(const FramesLine& line, const RecordedFrames& of) {
  const std::size_t extents[] = {static_cast<std::size_t>(of.heads), of.target.size(), of.source.size()};
  std::vector<int> weights;
  append_weights(line, line.member("attention"), extents, weights);
  return weights;
}

}  // namespace

RecordedFrames read_frames(const std::string& path) {
  std::ifstream file = open_text_file(path, kMaxFramesBytes);
  LineReader reader(file, path);
  RecordedFrames recorded;
  for (std::string line; reader.next(line) && !file.eof();) {
    const FramesLine read(line, reader.where());
    if (recorded.heads == 0) {
      recorded.source_text = read.text("source_text");
      recorded.target_text = read.text("target_text");
      recorded.source = read.tokens("source");
      recorded.target = read.tokens("target");
      recorded.layer = read.size("layer");
      recorded.heads = read.size("heads");
      if (recorded.heads < 1 || recorded.heads > kMostHeads) read.fail("\"heads\" is out of range");
      continue;
    }
    const Index step = read.size("step");
    if (!recorded.frames.empty() && step <= recorded.frames.back().step)
      read.fail("its step does not follow");
    recorded.frames.push_back({.step = step,
                               .loss = read.number("loss"),
                               .sentence_loss = read.number("sentence_loss"),
                               .translation = read.text("translation"),
                               .attention = weights_in(read, recorded)});
  }
  if (recorded.frames.empty()) throw input_error(path, "holds no frame yet", kFramesHint);
  return recorded;
}

// ---- the pages

namespace {

constexpr int kWidestSentence = 2000, kWidestText = 300;  // columns

std::string sentence(const std::string& text) {
  return text.empty() ? "(empty)" : isolated(truncate_to_width(printable(text), kWidestSentence));
}

constexpr std::size_t kMostBytes = 900'000;  // of the frames in the page, as data and as a list

std::string shown_text(const std::string& text) {
  return truncate_to_width(printable(text), kWidestText);
}

std::string loss_text(double value) {
  return std::isfinite(value) ? fixed_text(value, 2) : std::string("-");
}

std::string json_of(const RecordedFrames::Frame& frame) {
  const std::string json = to_json(JsonObject{{"step", frame.step},
                                              {"loss", frame.loss},
                                              {"sentence_loss", frame.sentence_loss},
                                              {"translation", shown_text(frame.translation)}});
  std::string weights;
  for (const int weight : frame.attention) weights += (weights.empty() ? "" : ",") + std::to_string(weight);
  return json_in_script(json.substr(0, json.size() - 1) + ", \"weights\": [" + weights + "]}");
}

// A row of the list, for readers without a script.
std::string row_of(const RecordedFrames::Frame& frame) {
  return "<tr><th scope=\"row\">" + std::to_string(frame.step) + "</th><td>" + loss_text(frame.loss) +
         "</td><td>" + loss_text(frame.sentence_loss) + "</td><td>" +
         (frame.translation.empty() ? "(nothing)" : isolated(shown_text(frame.translation))) + "</td></tr>\n";
}

// The frames in the page: all of them, or every second, fourth ... one and the last.
struct Chosen {
  std::size_t every = 1;
  std::string json = {}, rows = {};  // for the script, and the list
};

Chosen choose_frames(const std::vector<RecordedFrames::Frame>& frames) {
  for (Chosen chosen;; chosen = {.every = 2 * chosen.every}) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (i % chosen.every != 0 && i + 1 != frames.size()) continue;
      chosen.json += (chosen.json.empty() ? "" : ",\n") + json_of(frames[i]);
      chosen.rows += row_of(frames[i]);
    }
    if (chosen.json.size() + chosen.rows.size() <= kMostBytes) return chosen;
    if (chosen.every > frames.size())
      throw input_error("--frames", "a frame is too large for a page", "train with a shorter --frame-source");
  }
}

}  // namespace

std::string attention_page(const std::vector<AttentionOfKind>& kinds, const AttentionPageText& text) {
  const std::string by_model = " <span class=\"soft\">(the model's own translation)</span>";
  const std::string target = sentence(text.target) + (text.is_own_translation ? by_model : "");
  return html_page({.title = "Attention: " + text.source,
                    .style = embedded_file("show/attention/page.css"),
                    .body = fill_template(embedded_file("show/attention/page.html"),
                                          {{"source", sentence(text.source)}, {"target", target}}),
                    .data = attention_json(kinds),
                    .script = embedded_file("show/attention/page.js")});
}

std::string film_page(const RecordedFrames& recorded) {
  const Chosen chosen = choose_frames(recorded.frames);
  const std::string which =
      chosen.every == 1 ? "all are here." : "one in " + std::to_string(chosen.every) + " is here.";
  const std::string sentence = to_json(JsonObject{{"source", printable_texts(recorded.source)},
                                                  {"target", printable_texts(recorded.target)},
                                                  {"reference", shown_text(recorded.target_text)},
                                                  {"heads", recorded.heads}});
  return html_page(
      {.title = "Learning: " + recorded.source_text,
       .style = embedded_file("show/attention/film.css"),
       .body = fill_template(embedded_file("show/attention/film.html"),
                             {{"source", isolated(shown_text(recorded.source_text))},
                              {"target", isolated(shown_text(recorded.target_text))},
                              {"rows", chosen.rows},
                              {"layer", std::to_string(recorded.layer)},
                              {"frames", count_of(std::ssize(recorded.frames), "frame")},
                              {"chosen", which}}),
       .data = sentence.substr(0, sentence.size() - 1) + ", \"frames\": [\n" + chosen.json + "]}",
       .script = embedded_file("show/attention/learning.js") + embedded_file("show/attention/film.js")});
}

}  // namespace plainformer
