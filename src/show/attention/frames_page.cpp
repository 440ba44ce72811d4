#include "show/attention/frames_page.h"

#include <cmath>

#include "core/input_error.h"
#include "io/json.h"
#include "show/attention/frames_page_script.h"
#include "show/attention/frames_page_style.h"
#include "show/pictures/html_page.h"
#include "show/pictures/svg.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace frames_page_parts {

constexpr std::size_t kMostBytes = 900'000;  // of the frames in the page
constexpr int kWidestPageTitle = 60, kWidestText = 300;

constexpr char kPlayer[] = R"(<main>
<section class="player" aria-label="Player">
<div class="buttons"><button type="button" id="play" class="main">Play</button>
<button type="button" id="back" aria-label="one frame back">&#9664;</button>
<button type="button" id="forward" aria-label="one frame forward">&#9654;</button>
<output id="step"></output></div>
<input type="range" id="slider" min="0" value="0" aria-label="Step of the training">
<p class="soft keys">Keys: space plays and pauses, &#8592; and &#8594; go one frame, Home and End to the first and last.</p>
</section>
<section><h2>It writes</h2><p id="translation"></p></section>
<div class="two">
<section><h2>Where it looks</h2>
<p class="soft">Each row is a token of the right translation, and shows the source tokens that the decoder attends to while it
writes it. A full color is a weight of 1, and each row sums to 1.</p>
<fieldset id="heads"><legend>Heads</legend></fieldset>
<div class="scroll" id="map" tabindex="0" role="group" aria-label="Attention weights"></div>
<p class="soft more">&#8596; scroll to see the rest</p>
</section>
<section><h2>How surprised it is</h2>
<p class="soft">The loss, in nats per target token: 0 is certainty.</p>
<dl class="numbers"><div><dt><i class="batch"></i>the step's batch</dt><dd id="loss"></dd></div>
<div><dt><i class="sentence"></i>this translation</dt><dd id="sentence-loss"></dd></div></dl>
<div id="chart"></div>
</section>
</div>
</main>
)";

std::string shown(const std::string& text) {
  return truncate_to_width(printable(text), kWidestText);
}

std::string number(double value) {
  return std::isfinite(value) ? format_fixed(value, 2) : std::string("-");
}

JsonArray printable_tokens(const std::vector<std::string>& tokens) {
  JsonArray texts;
  for (const std::string& token : tokens) texts.emplace_back(printable(token));
  return texts;
}

std::string json_of(const RecordedFrames::Frame& frame) {
  const std::string json = to_json(JsonObject{{"step", frame.step},
                                              {"loss", frame.loss},
                                              {"sentence_loss", frame.sentence_loss},
                                              {"translation", shown(frame.translation)}});
  std::string weights;
  for (const int weight : frame.attention) weights += (weights.empty() ? "" : ",") + std::to_string(weight);
  return json.substr(0, json.size() - 1) + ", \"weights\": [" + weights + "]}";
}

// The numbers of the frames in the page: all of them, or every second, fourth ... one and the last.
struct Chosen {
  std::vector<std::size_t> numbers;
  std::size_t every = 1;
  std::string json;  // of these frames
};

Chosen choose_frames(const std::vector<RecordedFrames::Frame>& frames) {
  std::vector<std::string> jsons;
  for (const auto& frame : frames) jsons.push_back(json_in_script(json_of(frame)));
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

// For readers without a script, and as a list to read.
std::string table_of(const RecordedFrames& recorded, const Chosen& chosen) {
  std::string html =
      "<details id=\"list\"><summary>All frames, as a list</summary><div class=\"scroll\" tabindex=\"0\" "
      "role=\"group\" aria-label=\"All frames\"><table>\n<tr><th scope=\"col\">step</th><th "
      "scope=\"col\">loss</th><th scope=\"col\">loss of the translation</th><th scope=\"col\">the model "
      "writes</th></tr>\n";
  for (const std::size_t i : chosen.numbers) {
    const auto& frame = recorded.frames[i];
    html += "<tr><th scope=\"row\">" + std::to_string(frame.step) + "</th><td>" + number(frame.loss) +
            "</td><td>" + number(frame.sentence_loss) + "</td><td>" +
            (frame.translation.empty() ? "(nothing)" : isolated(shown(frame.translation))) + "</td></tr>\n";
  }
  return html + "</table></div></details>\n";
}

}  // namespace frames_page_parts

std::string frames_page(const RecordedFrames& recorded) {
  using namespace frames_page_parts;
  const Chosen chosen = choose_frames(recorded.frames);
  std::string body =
      "<header>\n<h1>A Transformer learns where to look</h1>\n<dl class=\"about\">\n<dt>Source</dt><dd>";
  body +=
      isolated(shown(recorded.source_text)) + "</dd>\n<dt>Right translation</dt><dd>" +
      isolated(shown(recorded.target_text)) + "</dd>\n</dl>\n" +
      "<noscript><p>Playing needs the page's script. The list below needs none.</p></noscript>\n</header>\n" +
      kPlayer + table_of(recorded, chosen);
  body += "<footer><p>Encoder-decoder attention of decoder layer " + std::to_string(recorded.layer) +
          ", counted from 0, as its heads are. Kept by <code>plainformer train --frames</code>, in " +
          count_of(std::ssize(recorded.frames), "frame") + "; " +
          (chosen.every == 1 ? "all are here." : "one in " + std::to_string(chosen.every) + " is here.") +
          " The weights are rounded to thousandths.</p></footer>\n";
  const std::string sentence = to_json(JsonObject{{"source", printable_tokens(recorded.source)},
                                                  {"target", printable_tokens(recorded.target)},
                                                  {"reference", shown(recorded.target_text)},
                                                  {"heads", recorded.heads}});
  body += "<script type=\"application/json\" id=\"data\">" +
          json_in_script(sentence.substr(0, sentence.size() - 1)) + ", \"frames\": [\n" + chosen.json +
          "]}</script>\n";
  return html_page("Learning: " + truncate_to_width(printable(recorded.source_text), kWidestPageTitle),
                   kFramesPageStyle, body, kFramesPageScript);
}

}  // namespace plainformer
