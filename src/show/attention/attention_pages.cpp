#include <cmath>

#include "core/input_error.h"
#include "io/json.h"
#include "report/numbers.h"
#include "report/terminal.h"
#include "show/attention/attention_pages.h"
#include "show/html_page.h"

namespace plainformer {

namespace {

constexpr int kWidestSentence = 2000, kWidestText = 300;  // columns

std::string sentence(const std::string& text) {
  return text.empty() ? "(empty)" : isolated(truncate_to_width(printable(text), kWidestSentence));
}

constexpr std::size_t kMostBytes = 900'000;  // the size of the frames in the page

std::string shown_text(const std::string& text) {
  return truncate_to_width(printable(text), kWidestText);
}

std::string loss_text(double value) {
  return std::isfinite(value) ? format_fixed(value, 2) : std::string("-");
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

// The numbers of the frames in the page: all of them, or every second, fourth ... one and the last.
struct Chosen {
  std::vector<std::size_t> numbers;
  std::size_t every = 1;
  std::string json;  // the text of these frames
};

Chosen choose_frames(const std::vector<RecordedFrames::Frame>& frames) {
  std::vector<std::string> jsons;
  for (const auto& frame : frames) jsons.push_back(json_of(frame));
  for (Chosen chosen;; chosen = {.numbers = {}, .every = 2 * chosen.every, .json = ""}) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (i % chosen.every != 0 && i + 1 != frames.size()) continue;
      chosen.numbers.push_back(i);
      chosen.json += (chosen.json.empty() ? "" : ",\n") + jsons[i];
    }
    if (chosen.json.size() <= kMostBytes) return chosen;
    if (chosen.every > frames.size())
      throw input_error("--frames", "a frame is too large for a page", "train with a shorter --frame-source");
  }
}

// The rows of the list, for readers without a script.
std::string rows_of(const RecordedFrames& recorded, const Chosen& chosen) {
  std::string html;
  for (const std::size_t i : chosen.numbers) {
    const auto& frame = recorded.frames[i];
    html += "<tr><th scope=\"row\">" + std::to_string(frame.step) + "</th><td>" + loss_text(frame.loss) +
            "</td><td>" + loss_text(frame.sentence_loss) + "</td><td>" +
            (frame.translation.empty() ? "(nothing)" : isolated(shown_text(frame.translation))) +
            "</td></tr>\n";
  }
  return html;
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
                              {"rows", rows_of(recorded, chosen)},
                              {"layer", std::to_string(recorded.layer)},
                              {"frames", count_of(std::ssize(recorded.frames), "frame")},
                              {"chosen", which}}),
       .data = sentence.substr(0, sentence.size() - 1) + ", \"frames\": [\n" + chosen.json + "]}",
       .script = embedded_file("show/attention/film.js")});
}

}  // namespace plainformer
