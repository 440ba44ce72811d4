#include "show/attention/attention_page.h"

#include "io/json.h"
#include "show/attention/attention_page_script.h"
#include "show/attention/attention_page_style.h"
#include "show/attention/attention_report.h"
#include "show/pictures/html_page.h"
#include "show/pictures/svg.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr int kWidestTitle = 60, kWidestSentence = 2000;  // columns

constexpr char kMain[] = R"(<main>
<div class="top">
<div class="controls" role="group" aria-label="Choice">
<fieldset id="kinds"></fieldset>
<fieldset id="layers"></fieldset>
<fieldset id="heads"></fieldset>
</div>
<section id="overview"><h2>All layers and heads</h2><div class="scroll"><div class="overview" id="grid"></div></div></section>
</div>
<div class="views">
<section><h2 id="title"></h2><div class="figure" id="figure"></div><p id="status" role="status"></p></section>
<section><h2>As heat maps, in hundredths</h2><div class="maps" id="maps"></div></section>
</div>
<details id="numbers"><summary>The numbers, as tables</summary><div id="tables"></div></details>
)";

constexpr char kFooter[] =
    R"(<footer><p>A row shows where its word looks: its weights sum to 1, up to rounding. The
color shows which head, the opacity how much. Weights below 0.01 are not drawn. The encoder reads the source's tokens and
&lt;/s&gt;. Position i of the decoder reads token i of &lt;s&gt; and the target, and writes token i of the target and
&lt;/s&gt;. Layers and heads are counted from 0, as in the names of the weights.</p></footer>
)";

std::string sentence(const std::string& text) {
  return text.empty() ? "(empty)" : isolated(truncate_to_width(printable(text), kWidestSentence));
}

JsonArray shown(const std::vector<std::string>& tokens) {
  JsonArray texts;
  for (const std::string& token : tokens) texts.push_back(printable(token));
  return texts;
}

// [layer][head] of thousandths, without the structure of rows.
void append_weights(std::string& json, const AttentionOfKind& attention) {
  for (std::size_t layer = 0; layer < attention.weights.size(); ++layer) {
    const Tensor& weights = attention.weights[layer];
    const Index matrix = weights.dim(1) * weights.dim(2);
    json += layer == 0 ? "[" : ",[";
    for (Index i = 0; i < weights.size(); ++i) {
      if (i % matrix == 0) json += i == 0 ? "[" : "],[";
      if (i % matrix != 0) json += ',';
      json += std::to_string(thousandths(weights.data()[i]));
    }
    json += "]]";
  }
}

std::string page_data(const std::vector<AttentionOfKind>& kinds) {
  std::string json = "[";
  for (const AttentionOfKind& attention : kinds) {
    const JsonArray layers(attention.layers.begin(), attention.layers.end()),
        heads(attention.heads.begin(), attention.heads.end());
    const std::string names = to_json(JsonObject{{"name", title_of(attention.kind)},
                                                 {"rows", row_heading(attention)},
                                                 {"columns", column_heading(attention)},
                                                 {"left_text", shown(attention.queries)},
                                                 {"right_text", shown(attention.keys)},
                                                 {"layers", layers},
                                                 {"heads", heads}});
    json += (json.size() > 1 ? ",\n" : "") + names.substr(0, names.size() - 1) + ", \"attn\": [";
    append_weights(json, attention);
    json += "]}";
  }
  return json + "]";
}

// The page's first picture, for readers without a script.
std::string without_script(const AttentionOfKind& attention) {
  const auto longest = static_cast<Index>(std::max(attention.queries.size(), attention.keys.size()));
  const std::string text = "<p>The choice of layers and heads needs the page's script.</p>\n";
  if (longest > kMostFigureWords) return "<noscript>" + text + "</noscript>\n";
  const AttentionOfKind last = select(attention, {attention.layers.back()}, {});
  return "<noscript>" + text + attention_lines_svg(attention_figure(last, "")) + "</noscript>\n";
}

}  // namespace

std::string attention_page(const std::vector<AttentionOfKind>& kinds, const AttentionPageText& text) {
  std::string body = "<header>\n<h1>Where each head looks</h1>\n<dl class=\"about\">\n";
  body += "<dt>Source</dt><dd>" + sentence(text.source) + "</dd>\n";
  body += "<dt>Target</dt><dd>" + sentence(text.target) +
          (text.is_own_translation ? " <span class=\"soft\">(the model's own translation)</span>" : "") +
          "</dd>\n</dl>\n" + without_script(kinds.back()) + "</header>\n";
  body += kMain;
  body += "</main>\n";
  body += kFooter;
  body += "<script type=\"application/json\" id=\"data\">" + json_in_script(page_data(kinds)) + "</script>\n";
  return html_page("Attention: " + truncate_to_width(printable(text.source), kWidestTitle),
                   kAttentionPageStyle, body, kAttentionPageScript);
}

}  // namespace plainformer
