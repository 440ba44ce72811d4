// The built pages of docs/pages: each is what the sources make of the data in it.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "io/atomic_file.h"
#include "io/json.h"
#include "show/attention/attention_pages.h"
#include "support/program.h"

namespace plainformer {
namespace {

const std::string kRenew = "renew it: cmake --build build/toy --target pages";

std::string file_of_project(const std::string& name) {
  return read_file(std::string(PLAINFORMER_SOURCE_DIR) + "/" + name, 4'000'000);
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

TEST(BuiltPages, TheLearningPageIsThatOfItsFrames) {
  const std::string folder = std::string(PLAINFORMER_SOURCE_DIR) + "/docs/pages";
  const RecordedFrames frames = read_frames(folder + "/frames.jsonl");
  EXPECT_TRUE(film_page(frames) == file_of_project("docs/pages/learning.html")) << kRenew;
  EXPECT_GE(frames.frames.back().step, 500) << "too early to show anything";
  EXPECT_EQ(frames.frames.back().translation, frames.target_text);
}

// All of it but its weights, which are those of a training.
TEST(BuiltPages, TheAttentionPageIsThatOfItsParts) {
  const std::string page = file_of_project("docs/pages/attention.html");
  const AttentionPageText text = {.source = between(page, "<dt>Source</dt><dd><bdi>", "</bdi>"),
                                  .target = between(page, "<dt>Target</dt><dd><bdi>", "</bdi>"),
                                  .is_own_translation = true};
  std::string expected = attention_page({}, text);
  const std::string begin = "id=\"data\">";
  expected.replace(expected.find(begin), begin.size() + between(expected, begin, "</script>").size(),
                   begin + between(page, begin, "</script>"));
  EXPECT_TRUE(expected == page) << kRenew;
}

// All of it but the engine, whose bytes depend on the Emscripten that compiled it. SlowBrowser.verify uses
// both.
TEST(BuiltPages, TheTabIsThatOfItsParts) {
  const auto part = [](const std::string& name) { return file_of_project("examples/browser/" + name); };
  const std::string page = file_of_project("docs/pages/tab.html");
  std::string expected = part("page.html");
  const auto put = [&](const std::string& mark, const std::string& text) {
    expected.replace(expected.find("{{" + mark + "}}"), mark.size() + 4, text);
  };
  put("style", part("../../src/show/page.css") + part("page.css"));
  put("worker", part("engine.js") + part("worker.js"));
  put("engine", between(page, "id=\"engine\">", "</script>"));
  std::string script;
  for (const char* name : {"../../src/show/page.js", "../../src/show/attention/learning.js", "charts.js",
                           "page.js", "apart.js", "keep.js", "begin.js"})
    script += part(name);
  put("script", script);
  put("live_style", part("live.css"));
  put("live_script", part("live.js"));
  std::string bugs, others;  // as assemble.js writes the choices
  const JsonValue list = parse_json(part("bugs.json"), "bugs.json");
  for (const JsonValue& bug : *list.array()) {
    const std::string option = "<option value=\"" + *bug.find("name")->string() + "\"";
    const std::string says = *bug.find("says")->string();
    if (bug.find("edits"))
      bugs += option + ">" + says + "</option>\n";
    else
      others += option + " disabled>" + says + " (" + *bug.find("lacks")->string() + ")</option>\n";
  }
  put("live_body", part("live.html"));
  put("bugs", bugs + "<optgroup label=\"Not here\">\n" + others + "</optgroup>");
  put("edits", between(page, "id=\"live-edits\" hidden>", "</div>"));  // TheTabShowsTheEditsOfTheCourse
  EXPECT_TRUE(page == expected) << kRenew;
}

TEST(BuiltPages, TheBugsOfTheTabAreThoseOfThePage) {
  const JsonValue list = parse_json(file_of_project("examples/browser/bugs.json"), "bugs.json");
  const std::string page = file_of_project("docs/break-it.md");
  for (const JsonValue& bug : *list.array()) {
    const std::string name = *bug.find("name")->string();
    EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos) << name;
  }
}

// The edits of the course, by the name of the bug.
std::map<std::string, JsonObject> edits_of_the_course() {
  std::map<std::string, JsonObject> edits;
  const std::string folder = std::string(PLAINFORMER_SOURCE_DIR) + "/examples/assignments";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != "bugs.json") continue;
    const JsonValue list = parse_json(read_file(entry.path().string(), 4'000'000), "bugs.json");
    for (const JsonValue& bug : *list.array())
      edits[*bug.find("name")->string()] = *bug.find("edits")->object();
  }
  return edits;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos)
    ADD_FAILURE() << "no such text: " << part;
  else
    text.replace(at, part.size(), by);
  return text;
}

std::string joined_lines(const JsonValue& lines) {
  std::string text;
  for (const JsonValue& line : *lines.array()) text += *line.string() + "\n";
  return text;
}

std::string without_blank_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(' ') != std::string::npos) result += line + "\n";
  return result;
}

// What the code pane of the tab puts for the lines of the sources gives the program of `course run --bug`.
TEST(BuiltPages, TheTabShowsTheEditsOfTheCourse) {
  std::string text = between(file_of_project("docs/pages/tab.html"), "id=\"live-edits\" hidden>", "</div>");
  for (const auto& [entity, letter] : {std::pair("&lt;", "<"), {"&gt;", ">"}, {"&amp;", "&"}})
    while (text.find(entity) != std::string::npos) text = replaced(text, entity, letter);
  const JsonValue shown = parse_json(text, "live-edits");
  const std::map<std::string, JsonObject> course = edits_of_the_course();
  EXPECT_EQ(shown.object()->size(), 20u);
  for (const auto& [name, replacements] : *shown.object()) {
    std::map<std::string, std::string> wanted, given;
    for (const auto& [file, edits] : course.at(name)) {
      std::string& source = wanted["src/" + file] = file_of_project("src/" + file);
      given["src/" + file] = source;
      for (const JsonValue& edit : *edits.array())
        source = replaced(source, *(*edit.array())[0].string(), *(*edit.array())[1].string());
    }
    for (const JsonValue& each : *replacements.array()) {
      std::string& source = given.at(*each.find("file")->string());
      source = replaced(source, joined_lines(*each.find("sound")), joined_lines(*each.find("broken")));
    }
    for (const auto& [file, source] : wanted)
      EXPECT_EQ(without_blank_lines(given.at(file)), without_blank_lines(source)) << name << ", " << file;
  }
}

// It quotes the sources, so that any change of an operation asks for a new page.
TEST(SlowBuiltPages, TheStepPageIsThatOfTheSources) {
#ifndef __GLIBC__
  GTEST_SKIP() << "another library rounds exp and log in another way";
#endif
  const TemporaryFolder folder;
  const ProgramResult result = run_program({"trace", "--steps", folder.path_of("steps.html")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(folder.read("steps.html") == file_of_project("docs/pages/steps.html")) << kRenew;
}

TEST(BuiltPages, AreSmall) {
  for (const char* name : {"tab.html", "attention.html", "learning.html", "steps.html"})
    EXPECT_LT(file_of_project(std::string("docs/pages/") + name).size(), 1'000'000u) << name;
}

}  // namespace
}  // namespace plainformer
