#include "show/html_page.h"

#include <algorithm>

#include "core/check.h"
#include "core/strings.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

struct EmbeddedFile {
  const char *name, *text;
};
constexpr EmbeddedFile kEmbeddedFiles[] = {
#include "embedded_files.inc"  // CMake writes it
};

constexpr char kHead[] =
    "<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";  // so that no browser asks for /favicon.ico

constexpr int kWidestTitle = 80;  // columns

void check_no_end_tag(const char* what, const std::string& text) {
  CHECK(text.find("</") == std::string::npos, "the ", what, " of the page contains \"</\"");
}

}  // namespace

std::string embedded_file(const std::string& name) {
  for (const EmbeddedFile& file : kEmbeddedFiles)
    if (file.name == name) return file.text;
  CHECK(false, "no embedded file ", name);
}

std::string html_page(const HtmlPage& page) {
  check_no_end_tag("style", page.style);
  check_no_end_tag("script", page.script);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n" + std::string(kHead) + "<title>" +
         escape_markup(truncate_to_width(printable(page.title), kWidestTitle)) + "</title>\n<style>\n" +
         embedded_file("show/page.css") + page.style + "</style>\n</head>\n<body>\n" + page.body +
         "<script type=\"application/json\" id=\"data\">" + json_in_script(page.data) +
         "</script>\n<script>\n" + embedded_file("show/page.js") + page.script +
         "</script>\n</body>\n</html>\n";
}

std::string fill_template(const std::string& html,
                          const std::vector<std::pair<std::string, std::string>>& values) {
  std::string filled;
  std::size_t at = 0;
  for (std::size_t mark = html.find("{{"); mark != std::string::npos; mark = html.find("{{", at)) {
    const std::size_t end = html.find("}}", mark);
    CHECK(end != std::string::npos, "a mark of the template has no end");
    const std::string name = html.substr(mark + 2, end - mark - 2);
    const auto value =
        std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == name; });
    CHECK(value != values.end(), "no value for the mark ", name);
    filled += html.substr(at, mark - at) + value->second;
    at = end + 2;
  }
  return filled + html.substr(at);
}

std::string escape_markup(const std::string& text) {
  constexpr std::pair<char32_t, const char*> kEscapes[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string result;
  for (const Character& character : characters_in(text)) {
    const char32_t value = character.value;
    const bool allowed = value >= 0x20 && value != 0xFFFE && value != 0xFFFF;
    const auto* escape = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                      [&](const auto& each) { return each.first == value; });
    if (escape != std::end(kEscapes))
      result += escape->second;
    else
      append_utf8(result, allowed ? value : kReplacementCharacter);
  }
  return result;
}

std::string isolated(const std::string& text) {
  return "<bdi>" + escape_markup(text) + "</bdi>";
}

std::string json_in_script(const std::string& json) {
  std::string result;
  for (const char c : json) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

JsonArray printable_texts(const std::vector<std::string>& texts) {
  JsonArray printed;
  for (const std::string& text : texts) printed.emplace_back(printable(text));
  return printed;
}

}  // namespace plainformer
