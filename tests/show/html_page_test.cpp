#include "show/html_page.h"

#include <gtest/gtest.h>

#include "io/json.h"
#include "support/browser.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

// Text as an enemy writes it: ends of elements and of quotes, a NUL, a malformed byte, a line separator,
// a change of direction, and characters of other planes.
const std::string kHostile =
    "</script><!-- \"quote\" 'apostrophe' & \\ \xff \u2028 \u202e right to left \u05d0 \U0001F600" +
    std::string(1, '\0');

TEST(HtmlPage, IsACompleteDocumentThatForbidsEveryRequest) {
  const std::string page = html_page({.title = "a < b",
                                      .style = "p { margin: 0 }\n",
                                      .body = "<p>hello</p>\n",
                                      .data = "[1]",
                                      .script = "void 0;\n"});
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"));
  EXPECT_NE(page.find("<p>hello</p>\n<script type=\"application/json\" id=\"data\">[1]</script>\n"
                      "<script>\n'use strict';\n"),
            std::string::npos);
  EXPECT_TRUE(page.ends_with("void 0;\n</script>\n</body>\n</html>\n"));
  for (const char* part :
       {"<title>a &lt; b</title>", "p { margin: 0 }\n</style>", "content=\"default-src 'none';",
        "name=\"viewport\"", "name=\"color-scheme\" content=\"light dark\"", "@media print"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(HtmlPage, NeitherStyleNorScriptMayEndItsElement) {
  const auto message = [](const std::string& style, const std::string& script) {
    return thrown_message<std::logic_error>(
        [&] { html_page({.title = "", .style = style, .body = "", .data = "", .script = script}); });
  };
  EXPECT_NE(message("</style>", "").find("the style of the page contains \"</\""), std::string::npos);
  EXPECT_NE(message("", "'</script>'").find("the script of the page contains \"</\""), std::string::npos);
}

TEST(HtmlPage, JsonInAScriptKeepsItsValueAndEndsNothing) {
  const std::string json = to_json(JsonArray{kHostile}), inside = json_in_script(json);
  EXPECT_EQ(inside.find('<'), std::string::npos);
  EXPECT_EQ(*parse_json(inside, "inside").array()->front().string(),
            *parse_json(json, "json").array()->front().string());
}

TEST(HtmlPage, TextEscapesMarkupAndWhatIsNoText) {
  EXPECT_EQ(escape_markup("</title><script>a && b \x01\xff\xef\xbf\xbe 猫"),
            "&lt;/title&gt;&lt;script&gt;a &amp;&amp; b \uFFFD\uFFFD\uFFFD 猫");
  EXPECT_EQ(escape_markup("\" onload='x'" + std::string(1, '\0')), "&quot; onload=&#39;x&#39;\uFFFD");
}

TEST(HtmlPage, AValueInATemplateIsNoTemplate) {
  EXPECT_EQ(fill_template("<a>{{one}}</a>{{two}}{{one}}", {{"one", "{{two}}"}, {"two", "2"}}),
            "<a>{{two}}</a>2{{two}}");
  EXPECT_THROW(fill_template("{{three}}", {}), std::logic_error);
  EXPECT_THROW(fill_template("{{three", {}), std::logic_error);
}

// The page as the browser reads it: the hostile text is text, in the content, in an attribute and in the
// script; and what the page may not do, it does not.
TEST(SlowHtmlPage, ABrowserShowsHostileTextAsText) {
  SKIP_WITHOUT_BROWSER();
  const HtmlPage page = {
      .title = kHostile,
      .style = "",
      .body = "<p id=\"text\" title=\"" + escape_markup(kHostile) + "\">" + isolated(kHostile) + "</p>\n",
      .data = to_json(JsonArray{kHostile}),
      .script = ""};
  const std::string script = R"(
const text = document.getElementById('text');
const told = JSON.parse(document.getElementById('data').textContent)[0].replaceAll('\u0000', '\ufffd');
return [text.textContent, text.title, document.title].map(value => value === told).join(' ');
)";
  EXPECT_EQ(try_page(html_page(page), script).result, "true true true");
}

TEST(SlowHtmlPage, ABrowserSeesWhatAPageWouldAskFor) {
  SKIP_WITHOUT_BROWSER();
  const TemporaryFolder folder;
  const std::string page = "<!DOCTYPE html><img src=\"http://picture.example/a.png\"><script>null.x</script>";
  const BrowserVisit open = open_in_browser(folder.write("open.html", page));
  EXPECT_EQ(open.requests, std::vector<std::string>{"http://picture.example/a.png"});
  EXPECT_NE(open.console.find("Uncaught TypeError"), std::string::npos);
  const std::string image = "<img src=\"http://picture.example/a.png\" alt=\"\">\n";
  const BrowserVisit closed = open_in_browser(folder.write(
      "closed.html", html_page({.title = "", .style = "", .body = image, .data = "", .script = ""})));
  EXPECT_TRUE(closed.requests.empty());
  EXPECT_NE(closed.console.find("Content Security Policy"), std::string::npos) << closed.console;
}

}  // namespace
}  // namespace plainformer
