#include "report/terminal.h"
#include "show/attention/attention_pages.h"
#include "show/html_page.h"

namespace plainformer {

namespace {

constexpr int kWidestTitle = 60, kWidestSentence = 2000;  // columns

std::string sentence(const std::string& text) {
  return text.empty() ? "(empty)" : isolated(truncate_to_width(printable(text), kWidestSentence));
}

}  // namespace

std::string attention_page(const std::vector<AttentionOfKind>& kinds, const AttentionPageText& text) {
  const std::string by_model = " <span class=\"soft\">(the model's own translation)</span>";
  const std::string target = sentence(text.target) + (text.is_own_translation ? by_model : "");
  return html_page({.title = "Attention: " + truncate_to_width(printable(text.source), kWidestTitle),
                    .style = embedded_file("show/attention/page.css"),
                    .body = fill_template(embedded_file("show/attention/page.html"),
                                          {{"source", sentence(text.source)}, {"target", target}}),
                    .data = attention_json(kinds),
                    .script = embedded_file("show/attention/page.js")});
}

}  // namespace plainformer
