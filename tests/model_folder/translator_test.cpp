// Text to tokens, and tokens to translations.
#include "model_folder/translator.h"

#include <gtest/gtest.h>

#include "core/strings.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;

TEST(WordsOfPieces, EndWithAPieceWithoutAMark) {
  const auto words = [](const Tokens& pieces) {
    std::string text;
    for (const PiecedWord& word : words_of_pieces(pieces))
      text += word.text + ":" + std::to_string(word.first) + "+" + std::to_string(word.pieces) + " ";
    return text;
  };
  EXPECT_EQ(words({"<s>", "low@@", "est", "x", "a@@", "b@@"}), "<s>:0+1 lowest:1+2 x:3+1 ab:4+2 ");
  EXPECT_EQ(words({"a@@", "</s>"}), "a</s>:0+2 ") << "a text may spell the symbol";
  EXPECT_EQ(words({}), "");
}

class TranslatorOfASmallModel : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  LoadedModel model_ = load_model(ModelFolder(write_model(folder_)));
  SourceReader reader_{model_};
  Translator translator_{model_};
};

TEST_F(TranslatorOfASmallModel, ReadsPiecesAndTheirIds) {
  const Sentence sentence = reader_.read("the cat");
  EXPECT_EQ(sentence.pieces, (Tokens{"the", "cat"}));
  EXPECT_EQ(sentence.ids, model_.vocabulary.encode(model_.byte_pairs.apply("the cat")));

  const Sentence unknown = reader_.read("the 猫");
  EXPECT_EQ(unknown.text(), "the 猫");
  EXPECT_EQ(unknown.ids[1], kUnknownId);
  EXPECT_EQ(model_.vocabulary.decode(unknown.ids), (Tokens{"the", "<unk>"}));
  EXPECT_EQ(with_end(unknown.pieces), (Tokens{"the", "猫", "</s>"}));
}

TEST_F(TranslatorOfASmallModel, ReadsCapitalsInTheCaseThatTheModelKnows) {
  const std::pair<std::string, Tokens> cases[] = {
      {"The cat", {"the", "cat"}},
      {"THE CAT SLEEPS", {"the", "cat", "sleeps"}},
      {"The Cat Sleeps", {"the", "cat", "sleeps"}},
      {", THE CAT , SLEEPS", {",", "the", "cat", ",", "sleeps"}},
      {"DIE KATZE SCHLÄFT", {"die", "Katze", "schläft"}},
      {"KATZE", {"Katze"}},
      {"the CAT", {"the", "cat"}},  // the model lacks a piece of it
      {"cat The", {"cat", "the"}},
  };
  for (const auto& [line, pieces] : cases) EXPECT_EQ(reader_.read(line).pieces, pieces) << line;
  for (const char* line : {"the cat", "Katze", "die Katze", "CAT2", "CAT@", "XY ZZ"}) {
    EXPECT_EQ(reader_.read(line).text(), line);
    EXPECT_TRUE(reader_.read(line).in_another_case.empty()) << line;
  }
  EXPECT_TRUE(reader_.read("The cat").in_another_case.empty()) << "a sentence begins with a capital";
  EXPECT_EQ(reader_.read("the CAT").in_another_case.size(), 1u);
  EXPECT_EQ(reader_.read("THE CAT", Side::kTarget).text(), "THE CAT");
}

TEST(SourceReader, PrefersSmallLettersWithinALineOfCapitals) {
  const TemporaryFolder folder;
  LoadedModel model = load_model(ModelFolder(write_model_of(folder, "the cat sees a A Cat", "model")));
  SourceReader reader(model);
  EXPECT_EQ(reader.read("THE CAT SEES A CAT").pieces, (Tokens{"the", "cat", "sees", "a", "cat"}));
  EXPECT_EQ(reader.read("A Cat Sees").pieces, (Tokens{"A", "cat", "sees"}));
  EXPECT_EQ(reader.read("the Cat sees A Cat").text(), "the Cat sees A Cat");
}

TEST_F(TranslatorOfASmallModel, CutsToTheLongestThatTheModelReads) {
  const std::string text = repeated("the ", 63);
  EXPECT_EQ(reader_.read(text).ids.size(), 63u);  // and </s>
  EXPECT_EQ(reader_.read(text).cut_from, 0);
  const Sentence sentence = reader_.read(text + "cat sleeps");
  EXPECT_EQ(sentence.ids.size(), 63u);
  EXPECT_EQ(sentence.pieces.size(), 63u);
  EXPECT_EQ(sentence.cut_from, 65);
}

TEST_F(TranslatorOfASmallModel, AnswersInTheOrderOfTheSourcesAndLeavesEmptyOnesEmpty) {
  const std::vector<int> one = reader_.read("the").ids, three = reader_.read("the cat sleeps").ids;
  std::vector<Index> totals;
  const std::vector<Hypotheses> found = translator_.translate(
      {one, {}, three}, {.beam = 2, .n_best = 2}, [&](Index, Index total) { totals.push_back(total); });
  ASSERT_EQ(found.size(), 3u);
  ASSERT_EQ(found[1].size(), 1u);
  EXPECT_TRUE(found[1].front().tokens.empty());
  EXPECT_EQ(found[0].size(), 2u);
  EXPECT_EQ(found[0].front().tokens,
            decode_all(*model_.transformer, {one}, {.beam = 2}).front().front().tokens);
  EXPECT_EQ(found[2].front().tokens,
            decode_all(*model_.transformer, {three}, {.beam = 2}).front().front().tokens);
  EXPECT_EQ(totals, std::vector<Index>(totals.size(), 2)) << "the empty source takes no time";
  EXPECT_TRUE(translator_.translate({}, kGreedy).empty());
  EXPECT_EQ(translator_.translate({{}}, kGreedy).size(), 1u);
  const std::vector<Sentence> sentences = translations_of(model_, {{}, reader_.read("the")});
  EXPECT_TRUE(sentences[0].ids.empty());
  EXPECT_FALSE(sentences[1].ids.empty());
}

TEST_F(TranslatorOfASmallModel, WritesNoUnkWhereItCutsUnknownPieces) {
  let_write_unknown(folder_.path_of("model"));
  LoadedModel model = load_model(ModelFolder(folder_.path_of("model")));
  EXPECT_TRUE(contains(translate(model, "the"), "<unk>"));
  model.words.marks = true;
  EXPECT_FALSE(contains(translate(model, "the"), "<unk>"));
  EXPECT_NE(translate(model, "the"), "");
}

TEST_F(TranslatorOfASmallModel, TranslatesATextInOneCallLineByLine) {
  const std::string too_long = repeated("the cat ", 70);
  const Tokens lines = {"the cat", "", "sleeps", too_long};
  Tokens expected;
  for (const std::string& line : lines)
    expected.push_back(translator_.best_texts({reader_.read(line).ids}, {}).front());
  EXPECT_EQ(translate(model_, "\xEF\xBB\xBFthe cat\r\n\nsleeps\n" + too_long), join("\n", expected));
  EXPECT_EQ(translate(model_, "the cat"), expected[0]);
  EXPECT_EQ(translate(model_, "the cat\n"), expected[0] + "\n") << "the end of the last line stays";
  EXPECT_EQ(translate(model_, ""), "");
  EXPECT_EQ(translate(model_, "the cat", kGreedy),
            translator_.best_texts({reader_.read("the cat").ids}, kGreedy).front());
}

}  // namespace
}  // namespace plainformer
