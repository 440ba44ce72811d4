// Self-contained HTML pages: no network, no library, nothing to fetch. A page opens from a file, follows the
// reader's light or dark theme, and can be printed. Its parts are files (.html, .css, .js) that the program
// holds in itself.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/json.h"

namespace plainformer {

// The text of a file that the program holds in itself: a part of a page, or a source that a page quotes.
//   name   its path from src/; embedded_files.cmake lists them. std::logic_error for any other
std::string embedded_file(const std::string& name);

struct HtmlPage {
  std::string title;   // text; html_page escapes and cuts it
  std::string style;   // CSS, after that of page.css, which defines the colors for light, dark and print
  std::string body;    // HTML; see escape_markup
  std::string data;    // JSON, for the script: the text of the element "data"
  std::string script;  // JavaScript, run after the body is read
};

// The complete document. Its content security policy forbids every request, and allows only the style and the
// script in the page itself. std::logic_error if the style or the script contains "</".
std::string html_page(const HtmlPage& page);

// Puts values into a template: each "{{name}}" becomes the value of that name, which may contain anything.
// std::logic_error for a name without a value.
std::string fill_template(const std::string& html,
                          const std::vector<std::pair<std::string, std::string>>& values);

// Text as the content or a quoted attribute value of XML or HTML: markup and quotes are escaped; bytes that
// are not UTF-8, U+FFFE, U+FFFF and characters below U+0020 are replaced.
std::string escape_markup(const std::string& text);

// Text of unknown direction, escaped, in <bdi>...</bdi>, so that it does not affect the direction around it.
std::string isolated(const std::string& text);

// JSON for the inside of a <script> element. '<' becomes an escape, so no text in it can end the element or
// open a comment.
std::string json_in_script(const std::string& json);

// Texts for a page's data, without control characters and malformed bytes.
JsonArray printable_texts(const std::vector<std::string>& texts);

}  // namespace plainformer
