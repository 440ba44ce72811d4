// The skeleton of a self-contained HTML page: no network, no library, nothing to fetch. It opens from a file,
// follows the reader's light or dark theme, and can be printed.
#pragma once

#include <string>

namespace plainformer {

// The complete document. Its content security policy forbids every request, and allows only the style and the
// script in the page itself.
//   title    text, escaped here
//   style    CSS after the page's own, which defines the variables --paper, --panel, --ink, --soft, --line,
//            --accent, --warm and --cool, each with a value for light, dark and print
//   body     HTML; escape the text and the attributes in it by svg::escape
//   script   JavaScript, run after the body is read; may be empty. Neither it nor the style may contain "</"
std::string html_page(const std::string& title, const std::string& style, const std::string& body,
                      const std::string& script);

// JSON for the inside of a <script> element. '<', '>', '&', U+2028 and U+2029 (line separators in JavaScript,
// but not in JSON) become \u escapes. So no text in it can end the element or open a comment.
std::string json_in_script(const std::string& json);

// Text of unknown direction, escaped, in <bdi>...</bdi>, so that it does not affect the direction around it.
std::string isolated(const std::string& text);

}  // namespace plainformer
