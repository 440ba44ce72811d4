// plainformer attention: a sentence pair and the attention between its words, as text, JSON and page.
#include "show/attention/attended_pair.h"

#include <gtest/gtest.h>

#include "io/json.h"
#include "support/pattern.h"
#include "support/sanitized.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;
using Numbers = std::vector<Index>;

TEST(AttentionOfPair, RowsOfTheDecoderAreNamedAfterItsOutput) {
  const TemporaryFolder folder;
  LoadedModel model = load_model(ModelFolder(write_model(folder)));
  SourceReader reader(model);
  const auto kinds =
      attention_of_pair(*model.transformer, reader.read("the cat sleeps"), reader.read("die Katze"));
  ASSERT_EQ(kinds.size(), 3u);
  const Tokens source = {"the", "cat", "sleeps", "</s>"}, input = {"<s>", "die", "Katze"},
               output = {"die", "Katze", "</s>"};
  EXPECT_EQ(kinds[0].queries, source);
  EXPECT_EQ(kinds[0].keys, source);
  EXPECT_EQ(kinds[1].queries, output);
  EXPECT_EQ(kinds[1].keys, input);
  EXPECT_EQ(kinds[2].queries, output);
  EXPECT_EQ(kinds[2].keys, source);
  EXPECT_EQ(kinds[0].rows + ", " + kinds[0].columns, "source, source");
  EXPECT_EQ(kinds[1].rows + ", " + kinds[1].columns, "target as written, target as read");
  EXPECT_EQ(kinds[2].rows + ", " + kinds[2].columns, "target as written, source");
  EXPECT_EQ(kinds[2].weights[0].shape(), Shape({2, 3, 4}));
}

// Two layers of two heads.
AttentionOfKind small_attention() {
  return {.name = "encoder-decoder",
          .title = "Encoder-decoder attention",
          .rows = "target as written",
          .columns = "source",
          .queries = {"Ka@@", "tze", "</s>"},
          .keys = {"cat", "</s>"},
          .layers = {0, 1},
          .heads = {0, 1},
          .weights = {Tensor::from({2, 3, 2}, {1, 0, 0.25, 0.75, 0.0004f, 0.9996f,  //
                                               0.5, 0.5, 0.123f, 0.877f, 0, 1}),
                      Tensor::filled({2, 3, 2}, 0.5)}};
}

TEST(AttentionOfKind, JsonHasTheShapeOfBertViz) {
  const std::string text = attention_json({small_attention(), small_attention()});
  const JsonValue json = parse_json(text, "json");
  ASSERT_EQ(json.array()->size(), 2u);
  const JsonValue& kind = json.array()->at(1);
  EXPECT_EQ(*kind.find("name")->string(), "Encoder-decoder attention");
  EXPECT_EQ(*kind.find("left_text")->array()->at(0).string(), "Ka@@");
  EXPECT_EQ(*kind.find("right_text")->array()->at(1).string(), "</s>");
  EXPECT_EQ(kind.find("layers")->array()->at(1).number(), 1);
  EXPECT_EQ(kind.find("heads")->array()->at(1).number(), 1);
  EXPECT_TRUE(contains(text, "\"attn\": [[[[1,0],[0.25,0.75],[0,1]],\n[[0.5,0.5],[0.123,0.877],[0,1]]],\n[["))
      << text;
  EXPECT_EQ(weights_to_show({small_attention(), small_attention()}), 48);
}

TEST(AttentionOfKind, ShowsItsLayersAndHeadsAlone) {
  AttentionOfKind part = small_attention();
  part.layers = {0};
  part.heads = {1};
  const std::string json = attention_json({part}), text = attention_text({part}, {});
  EXPECT_TRUE(
      json.ends_with("\"layers\": [0], \"heads\": [1],\n"
                     "\"attn\": [[[[0.5,0.5],[0.123,0.877],[0,1]]]]}]\n"))
      << json;
  EXPECT_TRUE(text.starts_with("Encoder-decoder attention, layer 0, head 1\n")) << text;
  EXPECT_EQ(text.find("layer", 40), std::string::npos);
  EXPECT_EQ(weights_to_show({part}), 6);
}

TEST(AttentionOfKind, TextHasAMapForEachHeadAndOneLegend) {
  const std::string text = attention_text({small_attention()}, {});
  EXPECT_TRUE(text.starts_with("Encoder-decoder attention, layer 0, head 0\n      cat\n")) << text;
  EXPECT_TRUE(contains(text, "</s>  ·  ██\n\nEncoder-decoder attention, layer 0, head 1\n")) << text;
  const auto legend = text.find("rows: target as written, columns: source");
  EXPECT_GT(legend, text.find("layer 1, head 1"));
  EXPECT_EQ(text.find("rows:"), legend);
}

// ---- the command

std::ptrdiff_t count(const std::string& text, const std::string& part) {
  return std::ssize(Pattern(part).all_in(text));
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
  EXPECT_TRUE(refused(attention({"--head", "2"}),
                      {"--head of encoder-decoder: 2 is out of range (hint: choose 0 to 1"}));
  EXPECT_TRUE(refused(attention({"--layer", "7"}), {"--layer of encoder-decoder: 7 is out of range"}));
}

TEST_F(AttentionCommand, WritesAPageOrSaysThatItCannot) {
  const ProgramResult result = attention({"--html", folder_.path_of("a.html")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(folder_.read("a.html").starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(refused(attention({"--html", folder_.path_of("none/a.html")}), {"none/a.html"}));
}

// As one argument: it cannot hold a NUL.
TEST_F(AttentionCommand, HostileTextStaysText) {
  const std::string hostile =
      "</script><script>alert(1)</script> \" ' & \xff \u202e\u05d0 \U0001F600 \x1b[2J <img src=x>";
  const ProgramResult text = attention({}, hostile), page = attention({"--html", "-"}, hostile);
  for (const ProgramResult& result : {text, page}) {
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(contains(result.err, " and reads <unk> instead"));
    EXPECT_FALSE(contains(result.out, "\xff"));
  }
  EXPECT_FALSE(contains(text.out, "\x1b"));
  EXPECT_FALSE(contains(page.out, "<script>alert") || contains(page.out, "<img"));
}

TEST_F(AttentionCommand, AnEmptySentenceIsShownToo) {
  EXPECT_TRUE(contains(attention({}, "").out, "</s>  ██"));
  EXPECT_TRUE(contains(attention({"--html", "-"}, "").out, "\\u003c/s>"));
}

TEST_F(AttentionCommand, AThousandWordsAreRefusedOrBounded) {
  if (kSanitized) GTEST_SKIP() << "a thousand words take minutes under a sanitizer";
  const std::string model = write_model(folder_, "long", "sinusoidal", 1024),
                    words = repeated("the", 1000, " ");
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"attention", "--model", model, "--source", words, "--target", words});
    return run_program(options);
  };
  const std::string hint =
      "would hold 6012006 weights; the limit is 4000000 (hint: choose a part with --kind, --layer";
  EXPECT_TRUE(refused(run({"--html", "-"}), {"--html: " + hint}));
  const ProgramResult one = run({"--html", "-", "--kind", "encoder-self", "--head", "0"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_LT(one.out.size(), 8'000'000u);
  EXPECT_LT(run({}).out.size(), 300'000u) << "on the terminal";
}

}  // namespace
}  // namespace plainformer
