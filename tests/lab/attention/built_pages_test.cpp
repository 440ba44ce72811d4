// The built pages of docs/pages: each is what the sources make of the data in it.
#include <gtest/gtest.h>

#include "io/atomic_file.h"
#include "io/json.h"
#include "lab/attention/attention_page.h"
#include "lab/attention/frames_page.h"
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

std::vector<std::string> texts_in(const JsonValue& json, const char* name) {
  std::vector<std::string> texts;
  for (const JsonValue& text : *json.find(name)->array()) texts.push_back(*text.string());
  return texts;
}

std::vector<Index> numbers_in(const JsonValue& json, const char* name) {
  std::vector<Index> numbers;
  for (const JsonValue& number : *json.find(name)->array()) numbers.push_back(number.size().value());
  return numbers;
}

// What the page's own data says.
std::vector<AttentionOfKind> kinds_in(const std::string& page) {
  const JsonValue data = parse_json(between(page, "id=\"data\">", "</script>"), "attention.html");
  std::vector<AttentionOfKind> kinds;
  for (const JsonValue& kind : *data.array()) {
    AttentionOfKind read = {.kind = kAttentionKinds[kinds.size()],
                            .queries = texts_in(kind, "left_text"),
                            .keys = texts_in(kind, "right_text"),
                            .layers = numbers_in(kind, "layers"),
                            .heads = numbers_in(kind, "heads")};
    for (const JsonValue& layer : *kind.find("attn")->array()) {
      Tensor weights({std::ssize(read.heads), std::ssize(read.queries), std::ssize(read.keys)});
      Real* weight = weights.mutable_data();
      for (const JsonValue& head : *layer.array())
        for (const JsonValue& each : *head.array())
          *weight++ = static_cast<Real>(each.number().value() / 1000);
      read.weights.push_back(weights);
    }
    kinds.push_back(read);
  }
  return kinds;
}

// The picture for readers without a script draws unrounded weights, which the data does not have.
std::string without_noscript(const std::string& page) {
  const std::size_t begin = page.find("<noscript>"), end = page.find("</noscript>");
  return page.substr(0, begin) + page.substr(end);
}

TEST(BuiltPages, TheLearningPageIsThatOfItsFrames) {
  const std::string folder = std::string(PLAINFORMER_SOURCE_DIR) + "/docs/pages";
  const RecordedFrames frames = read_frames(folder + "/frames.jsonl");
  EXPECT_TRUE(frames_page(frames) == file_of_project("docs/pages/learning.html")) << kRenew;
  EXPECT_GE(frames.frames.back().step, 500) << "too early to show anything";
  EXPECT_EQ(frames.frames.back().translation, frames.target_text);
}

TEST(BuiltPages, TheAttentionPageIsThatOfItsWeights) {
  const std::string page = file_of_project("docs/pages/attention.html");
  const auto kinds = kinds_in(page);
  ASSERT_EQ(kinds.size(), 3u);
  const AttentionPageText text = {.source = between(page, "<dt>Source</dt><dd><bdi>", "</bdi>"),
                                  .target = between(page, "<dt>Target</dt><dd><bdi>", "</bdi>"),
                                  .is_own_translation = true};
  EXPECT_TRUE(without_noscript(attention_page(kinds, text)) == without_noscript(page)) << kRenew;
}

// All of it but the engine, whose bytes depend on the Emscripten that compiled it. SlowBrowser.verify uses both.
TEST(BuiltPages, TheTabIsThatOfItsParts) {
  const auto part = [](const std::string& name) { return file_of_project("examples/browser/" + name); };
  const std::string page = file_of_project("docs/pages/tab.html");
  std::string expected = part("page.html");
  const auto put = [&](const std::string& mark, const std::string& text) {
    expected.replace(expected.find("{{" + mark + "}}"), mark.size() + 4, text);
  };
  put("style", part("page.css"));
  put("worker", part("engine.js") + part("worker.js"));
  put("engine", between(page, "id=\"engine\">", "</script>"));
  put("script", part("charts.js") + part("page.js"));
  EXPECT_TRUE(page == expected) << kRenew;
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
