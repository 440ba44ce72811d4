#include "show/pictures/html_page.h"

#include <gtest/gtest.h>

#include "io/json.h"
#include "show/pictures/svg.h"
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
  const std::string page = html_page("a < b", "p { margin: 0 }\n", "<p>hello</p>\n", "void 0;\n");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"));
  EXPECT_TRUE(page.ends_with("<p>hello</p>\n<script>\nvoid 0;\n</script>\n</body>\n</html>\n"));
  for (const char* part :
       {"<title>a &lt; b</title>", "p { margin: 0 }\n</style>", "content=\"default-src 'none';",
        "name=\"viewport\"", "name=\"color-scheme\" content=\"light dark\"", "@media print"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(html_page("", "", "", "").find("<script>"), std::string::npos);
}

TEST(HtmlPage, NeitherStyleNorScriptMayEndItsElement) {
  const auto message = [](const std::string& style, const std::string& script) {
    return thrown_message<std::logic_error>([&] { html_page("", style, "", script); });
  };
  EXPECT_NE(message("</style>", "").find("the style of the page contains \"</\""), std::string::npos);
  EXPECT_NE(message("", "'</script>'").find("the script of the page contains \"</\""), std::string::npos);
}

TEST(HtmlPage, JsonInAScriptKeepsItsValueAndEndsNothing) {
  const std::string json = to_json(JsonArray{kHostile}), inside = json_in_script(json);
  for (const char* part : {"<", ">", "&", "\u2028", "\u2029"})
    EXPECT_EQ(inside.find(part), std::string::npos);
  EXPECT_EQ(*parse_json(inside, "inside").array()->front().string(),
            *parse_json(json, "json").array()->front().string());
  EXPECT_EQ(json_in_script("[\"\u2029\"]"), "[\"\\u2029\"]");
}

TEST(HtmlPage, TextOfUnknownDirectionIsIsolated) {
  EXPECT_EQ(isolated("<\u05d0>"), "<bdi>&lt;\u05d0&gt;</bdi>");
}

// The page as the browser reads it: the hostile text is text, in the content, in an attribute and in the
// script; and what the page may not do, it does not.
TEST(SlowHtmlPage, ABrowserShowsHostileTextAsText) {
  SKIP_WITHOUT_BROWSER();
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "page.html",
      html_page(kHostile, "",
                "<p id=\"text\" title=\"" + svg::escape(kHostile) + "\">" + isolated(kHostile) + "</p>\n",
                "const text = document.getElementById('text'), told = " +
                    json_in_script(to_json(JsonArray{kHostile})) +
                    "[0].replaceAll('\\u0000', '\\ufffd');\n"
                    "text.className = [text.textContent, text.title, document.title]\n"
                    "    .map(value => value === told).join(' ');\n"));
  const BrowserVisit result = open_in_browser(path);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.console, "");
  EXPECT_TRUE(result.requests.empty()) << result.requests.front();
  EXPECT_NE(result.dom.find("class=\"true true true\""), std::string::npos) << result.dom;
}

TEST(SlowHtmlPage, ABrowserSeesWhatAPageWouldAskFor) {
  SKIP_WITHOUT_BROWSER();
  const TemporaryFolder folder;
  const std::string page = "<!DOCTYPE html><img src=\"http://picture.example/a.png\"><script>null.x</script>";
  const BrowserVisit open = open_in_browser(folder.write("open.html", page));
  EXPECT_EQ(open.requests, std::vector<std::string>{"http://picture.example/a.png"});
  EXPECT_NE(open.console.find("Uncaught TypeError"), std::string::npos);
  const BrowserVisit closed = open_in_browser(folder.write(
      "closed.html", html_page("", "", "<img src=\"http://picture.example/a.png\" alt=\"\">\n", "")));
  EXPECT_TRUE(closed.requests.empty());
  EXPECT_NE(closed.console.find("Content Security Policy"), std::string::npos) << closed.console;
}

}  // namespace
}  // namespace plainformer
