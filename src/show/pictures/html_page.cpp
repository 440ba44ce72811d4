#include "show/pictures/html_page.h"

#include "core/check.h"
#include "core/utf8.h"
#include "show/pictures/svg.h"

namespace plainformer {

namespace {

constexpr char kHead[] =
    "<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";  // so that no browser asks for /favicon.ico

constexpr char kStyle[] = R"(:root {
  color-scheme: light dark;
  --paper: #fcfcfb; --panel: #f3f2ef; --ink: #1c1b19; --soft: #63605a; --line: #d9d6d0;
  --accent: #2459a6; --warm: 203 84 24; --cool: 38 103 194;
  --text: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161514; --panel: #211f1d; --ink: #ebe8e2; --soft: #a5a098; --line: #3a3733;
    --accent: #8fb8f2; --warm: 240 132 70; --cool: 96 158 240;
  }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --panel: #fff; --ink: #000; --soft: #444; --line: #bbb;
    --accent: #000; --warm: 203 84 24; --cool: 38 103 194;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 var(--text); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
)";

void check_no_end_tag(const char* what, const std::string& text) {
  CHECK(text.find("</") == std::string::npos, "the ", what, " of the page contains \"</\"");
}

}  // namespace

std::string html_page(const std::string& title, const std::string& style, const std::string& body,
                      const std::string& script) {
  check_no_end_tag("style", style);
  check_no_end_tag("script", script);
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n";
  page += kHead;
  page += "<title>" + svg::escape(title) + "</title>\n<style>\n" + kStyle + style + "</style>\n</head>\n";
  page += "<body>\n" + body;
  if (!script.empty()) page += "<script>\n" + script + "</script>\n";
  return page + "</body>\n</html>\n";
}

std::string json_in_script(const std::string& json) {
  constexpr char32_t kLineSeparator = 0x2028, kParagraphSeparator = 0x2029;
  std::string result;
  for (std::size_t at = 0; at < json.size();) {
    const CodePoint point = decode_utf8(json, at);
    switch (point.value) {
      case '<':
        result += "\\u003c";
        break;
      case '>':
        result += "\\u003e";
        break;
      case '&':
        result += "\\u0026";
        break;
      case kLineSeparator:
        result += "\\u2028";
        break;
      case kParagraphSeparator:
        result += "\\u2029";
        break;
      default:
        append_utf8(result, point.value);
    }
    at += point.bytes;
  }
  return result;
}

std::string isolated(const std::string& text) {
  return "<bdi>" + svg::escape(text) + "</bdi>";
}

}  // namespace plainformer
