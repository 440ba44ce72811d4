#include "io/json.h"
#include "report/terminal.h"
#include "show/attention/attention_pages.h"
#include "show/html_page.h"

namespace plainformer {

namespace {

constexpr int kWidestTitle = 60, kWidestSentence = 2000;  // columns

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
    const std::string names = to_json(JsonObject{{"name", attention.title},
                                                 {"rows", attention.rows},
                                                 {"columns", attention.columns},
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

}  // namespace

std::string attention_page(const std::vector<AttentionOfKind>& kinds, const AttentionPageText& text) {
  const std::string by_model = " <span class=\"soft\">(the model's own translation)</span>";
  const std::string target = sentence(text.target) + (text.is_own_translation ? by_model : "");
  return html_page({.title = "Attention: " + truncate_to_width(printable(text.source), kWidestTitle),
                    .style = embedded_file("show/attention/page.css"),
                    .body = fill_template(embedded_file("show/attention/page.html"),
                                          {{"source", sentence(text.source)}, {"target", target}}),
                    .data = page_data(kinds),
                    .script = embedded_file("show/attention/page.js")});
}

}  // namespace plainformer
