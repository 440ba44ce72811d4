// plainformer attention: from a sentence to text, a page and numbers.
#include <gtest/gtest.h>

#include "io/json.h"
#include "support/sanitized.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

std::ptrdiff_t count(const std::string& text, const std::string& part) {
  std::ptrdiff_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string repeated(const std::string& word, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += (i == 0 ? "" : " ") + word;
  return text;
}

// A model of one layer and two heads on each side.
class AttentionCommand : public testing::Test {
 protected:
  ProgramResult attention(std::vector<std::string> options, const std::string& source = "the cat") {
    options.insert(options.begin(), {"attention", "--model", model_, "--source", source});
    return run_program(options);
  }

  const TemporaryFolder folder_;
  const std::string model_ = write_model(folder_);
};

TEST_F(AttentionCommand, PrintsTheLastLayerOfTheEncoderDecoderAttention) {
  const ProgramResult result = attention({"--target", "die Katze"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with(
      "source  the cat\ntarget  die Katze\n\nEncoder-decoder attention, layer 0, head 0\n"))
      << result.out;
  EXPECT_EQ(count(result.out, "attention, layer"), 2) << "both heads, and nothing else";
  EXPECT_EQ(count(result.out, "\nKatze  "), 2);
  EXPECT_EQ(count_lines(result.err), 1) << "how to get the others";
  EXPECT_TRUE(contains(result.err, "--html"));
}

TEST_F(AttentionCommand, KindLayerAndHeadChoose) {
  const std::string all = attention({"--kind", "all", "--head", "1"}).out;
  EXPECT_EQ(count(all, "attention, layer 0, head 1\n"), 3);
  EXPECT_EQ(count(all, "head 0"), 0);
  EXPECT_EQ(count(attention({"--kind", "encoder-self"}).out, "Encoder self-attention"), 2);
  EXPECT_EQ(count(attention({"--kind", "decoder-self", "--head", "1,0"}).out, "Decoder self-attention"), 2);
  EXPECT_TRUE(failed_with_one_line(attention({"--head", "2"}), "attention",
                                   {"--head: 2 is out of range (hint: the model has 0 to 1,"}));
  EXPECT_TRUE(failed_with_one_line(attention({"--layer", "7"}), "attention", {"--layer: 7 is out of range"}));
}

TEST_F(AttentionCommand, WritesJsonOfAllOrOfAPart) {
  const ProgramResult all = attention({"--target", "die Katze", "--json", "-"});
  EXPECT_EQ(all.err, "");
  const JsonValue json = parse_json(all.out, "json");
  EXPECT_EQ(json.array()->size(), 3u);

  const std::string file = folder_.path_of("a.json");
  const ProgramResult part = attention({"--json", file, "--kind", "encoder-self", "--head", "1"});
  EXPECT_EQ(part.out + part.err, "");
  EXPECT_EQ(*parse_json(folder_.read("a.json"), file).array()->at(0).find("heads")->array()->at(0).number(),
            1);
}

TEST_F(AttentionCommand, WritesAPageAndOtherFilesTogether) {
  const ProgramResult result = attention({"--html", folder_.path_of("a.html"), "--json", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(folder_.read("a.html").starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(result.out.starts_with("[{"));
  EXPECT_TRUE(failed_with_one_line(attention({"--html", folder_.path_of("none/a.html")}), "attention",
                                   {"none/a.html"}));
}

// As one argument: it cannot hold a NUL.
TEST_F(AttentionCommand, HostileTextStaysText) {
  const std::string hostile =
      "</script><script>alert(1)</script> \" ' & \xff \u202e\u05d0 \U0001F600 \x1b[2J <img src=x>";
  const ProgramResult text = attention({}, hostile), page = attention({"--html", "-"}, hostile),
                      json = attention({"--json", "-"}, hostile);
  for (const ProgramResult& result : {text, page, json}) {
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(contains(result.err, " and reads <unk> instead"));
    EXPECT_FALSE(contains(result.out, "\xff"));
  }
  EXPECT_FALSE(contains(text.out, "\x1b"));
  EXPECT_FALSE(contains(page.out, "<script>alert") || contains(page.out, "<img"));
  EXPECT_EQ(parse_json(json.out, "json").array()->size(), 3u);
}

TEST_F(AttentionCommand, AnEmptySentenceIsShownToo) {
  EXPECT_TRUE(contains(attention({}, "").out, "</s>  ██"));
  EXPECT_TRUE(contains(attention({"--html", "-"}, "").out, "\\u003c/s>"));
}

TEST_F(AttentionCommand, AThousandWordsAreRefusedOrBounded) {
  if (kSanitized) GTEST_SKIP() << "a thousand words take minutes under a sanitizer";
  const std::string model = write_model(folder_, "long", "sinusoidal", 1024), words = repeated("the", 1000);
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"attention", "--model", model, "--source", words, "--target", words});
    return run_program(options);
  };
  const std::string hint =
      "would hold 6012006 weights; the limit is 4000000 (hint: choose a part with --kind, --layer";
  EXPECT_TRUE(failed_with_one_line(run({"--html", "-"}), "attention", {"--html: " + hint}));
  EXPECT_TRUE(failed_with_one_line(run({"--json", "-"}), "attention", {"--json: " + hint}));
  const ProgramResult one = run({"--html", "-", "--kind", "encoder-self", "--head", "0"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_LT(one.out.size(), 8'000'000u);
  EXPECT_LT(run({}).out.size(), 300'000u) << "on the terminal";
}

}  // namespace
}  // namespace plainformer
