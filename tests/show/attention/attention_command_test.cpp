// plainformer attention: from a sentence to text, pictures, numbers and counts.
#include <gtest/gtest.h>

#include "io/json.h"
#include "show/pictures/well_formed.h"
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
  ProgramResult find(std::vector<std::string> options) {
    options.insert(options.begin(), {"attention", "--model", model_, "--find"});
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

TEST_F(AttentionCommand, TranslatesWhereNoTargetIsGiven) {
  const std::string translation = run_program({"translate", "--model", model_}, {.input = "the cat\n"}).out;
  const ProgramResult result = attention({});
  EXPECT_TRUE(contains(result.out,
                       "\ntarget  " + translation.substr(0, translation.size() - 1) + "   (by the model)\n"))
      << result.out;
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

TEST_F(AttentionCommand, RowsOfTheDecoderCanBeNamedAfterItsInput) {
  const std::string output = attention({"--target", "die"}).out;
  const std::string input = attention({"--target", "die", "--decoder-rows", "input"}).out;
  EXPECT_EQ(count(output, "\n</s>  ") + count(input, "\n<s>  "), 4) << output << input;
  EXPECT_TRUE(contains(input, "rows: target as read"));
}

TEST_F(AttentionCommand, WritesJsonOfAllOrOfAPart) {
  const ProgramResult all = attention({"--target", "die Katze", "--json", "-"});
  EXPECT_EQ(all.err, "");
  const JsonValue json = parse_json(all.out, "json");
  ASSERT_EQ(json.array()->size(), 3u);
  const JsonArray& rows = *json.array()->at(2).find("attn")->array()->at(0).array()->at(1).array();
  ASSERT_EQ(rows.size(), 3u);
  double sum = 0;
  for (const JsonValue& weight : *rows[1].array()) sum += weight.number().value();
  EXPECT_NEAR(sum, 1, 0.002);

  const std::string file = folder_.path_of("a.json");
  const ProgramResult part = attention({"--json", file, "--kind", "encoder-self", "--head", "1"});
  EXPECT_EQ(part.out + part.err, "");
  EXPECT_EQ(*parse_json(folder_.read("a.json"), file).array()->at(0).find("heads")->array()->at(0).number(),
            1);
}

TEST_F(AttentionCommand, DrawsOneLayerAsAPicture) {
  const std::string lines = attention({"--svg", "-"}).out;
  const std::string map = attention({"--svg", "-", "--style", "map", "--head", "1"}).out;
  EXPECT_TRUE(contains(map, "<desc>A map for each head, with a row for each query (")) << map;
  const std::string word = attention({"--svg", "-", "--target", "die Katze", "--word", "Katze"}).out;
  for (const std::string& svg : {lines, map, word}) EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_TRUE(contains(lines, ">head 0<") && contains(lines, ">head 1<"));
  EXPECT_FALSE(contains(map, ">head 0<"));
  EXPECT_TRUE(contains(word, "class=\"soft word\""));
  EXPECT_TRUE(
      failed_with_one_line(attention({"--svg", "-", "--word", "cat"}), "attention", {"--word: no row"}));
}

TEST_F(AttentionCommand, WritesAPageAndOtherFilesTogether) {
  const ProgramResult result =
      attention({"--html", folder_.path_of("a.html"), "--svg", folder_.path_of("a.svg"), "--json", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(folder_.read("a.html").starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(is_well_formed(folder_.read("a.svg")));
  EXPECT_TRUE(result.out.starts_with("[{"));
  EXPECT_TRUE(failed_with_one_line(attention({"--html", folder_.path_of("none/a.html")}), "attention",
                                   {"none/a.html"}));
}

// As one argument: it cannot hold a NUL.
TEST_F(AttentionCommand, HostileTextStaysText) {
  const std::string hostile =
      "</script><script>alert(1)</script> \" ' & \xff \u202e\u05d0 \U0001F600 \x1b[2J <img src=x>";
  const ProgramResult text = attention({}, hostile), page = attention({"--html", "-"}, hostile),
                      svg = attention({"--svg", "-"}, hostile), json = attention({"--json", "-"}, hostile);
  for (const ProgramResult& result : {text, page, svg, json}) {
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(contains(result.err, " and reads <unk> instead"));
    EXPECT_FALSE(contains(result.out, "\xff"));
  }
  EXPECT_FALSE(contains(text.out, "\x1b"));
  EXPECT_FALSE(contains(page.out, "<script>alert") || contains(page.out, "<img"));
  EXPECT_TRUE(is_well_formed(svg.out));
  EXPECT_EQ(parse_json(json.out, "json").array()->size(), 3u);
}

TEST_F(AttentionCommand, AnEmptySentenceIsShownToo) {
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {}, {"--html", "-"}, {"--svg", "-"}, {"--svg", "-", "--style", "map"}}) {
    const ProgramResult result = attention(options, "");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.out, options.empty() ? "</s>  ████" : "&lt;/s&gt;"));
  }
}

TEST_F(AttentionCommand, ALineThatTheModelCannotReadIsCut) {
  const ProgramResult result = attention({"--target", "die"}, repeated("the", 70));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.err, "--source: 70 tokens, cut to 63 (hint: "));
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
  EXPECT_TRUE(failed_with_one_line(run({"--svg", "-"}), "attention", {"--svg: 1001 tokens are too many"}));
  const ProgramResult one = run({"--html", "-", "--kind", "encoder-self", "--head", "0"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_LT(one.out.size(), 8'000'000u);
  EXPECT_LT(run({}).out.size(), 100'000u) << "on the terminal";
}

TEST_F(AttentionCommand, FindsLinksInAFile) {
  const std::string source = folder_.write("source", "the cat sleeps\na cat\nthe table\n"),
                    target = folder_.write("target", "die Katze schläft\nKatze\ndie Katze auf\n");
  const ProgramResult result = find({"Katze->cat", "--source-file", source, "--target-file", target});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with(
      "Katze -> cat, in 3 pairs\nA row of the decoder is named after the token that it "
      "writes.\n\nEncoder-decoder attention: 2 cases in 2 pairs\nlayer  head "))
      << result.out;
  EXPECT_EQ(count(result.out, "\n    0  "), 2) << "a row for each head";
  const ProgramResult own = find({"cat->the", "--source-file", source});
  EXPECT_TRUE(own.out.starts_with("cat -> the, in 3 pairs, translated by the model\n")) << own.out << own.err;
  EXPECT_TRUE(contains(own.out, "Encoder self-attention: 1 case in 1 pair\n"));
  const ProgramResult one =
      find({"cat->the", "--source", "the cat", "--target", "die", "--decoder-rows", "input"});
  EXPECT_TRUE(contains(one.out, "in 1 pair\nA row of the decoder is named after the token that it reads."))
      << one.err;
}

TEST_F(AttentionCommand, SaysWhereItCannotFindAnything) {
  const std::string source = folder_.write("source", "the cat\n"), two = folder_.write("two", "die\nKatze\n");
  EXPECT_TRUE(failed_with_one_line(find({"Hund->cat", "--source-file", source, "--target-file", source}),
                                   "attention",
                                   {"--find: no pair contains both Hund and cat, of 1 pair (hint: "}));
  EXPECT_TRUE(failed_with_one_line(find({"a->b", "--source-file", source, "--target-file", two}), "attention",
                                   {"2 lines, but " + source + " has 1"}));
  EXPECT_TRUE(failed_with_one_line(find({"a b->c"}), "attention", {"--find takes two words"}, 2));
  EXPECT_TRUE(failed_with_one_line(find({"a->b"}), "attention", {"no run.json", "--source-file"}));
  write_text(folder_);
  ASSERT_EQ(run_program(train_arguments(folder_, "trained")).exit_code, 0);
  EXPECT_TRUE(failed_with_one_line(
      run_program({"attention", "--model", folder_.path_of("trained"), "--find", "a->b"}), "attention",
      {"--find: the model was not trained on the built-in grammar"}));
}

TEST_F(AttentionCommand, CountsInTheHeldOutPairsOfTheToy) {
  const std::string toy = folder_.path_of("toy");
  ASSERT_EQ(run_program({"train", "--preset", "nano", "--steps", "2", "--out", toy}).exit_code, 0);
  const ProgramResult result = run_program({"attention", "--model", toy, "--find", "</s>-><s>"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("</s> -> <s>, in 10 held-out pairs of the built-in grammar\n"))
      << result.out;
  EXPECT_TRUE(contains(result.out, "\nDecoder self-attention: 10 cases in 10 pairs\n"));
}

}  // namespace
}  // namespace plainformer
