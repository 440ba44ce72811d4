#include "model_folder/sentences.h"

#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;

TEST(WordsOfPieces, EndWithAPieceWithoutAMark) {
  const auto words = words_of_pieces({"<s>", "low@@", "est", "x", "a@@", "b@@"});
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[0].text, "<s>");
  EXPECT_EQ(words[1].text, "lowest");
  EXPECT_EQ(words[1].first, 1);
  EXPECT_EQ(words[1].pieces, 2);
  EXPECT_EQ(words[2].first, 3);
  EXPECT_EQ(words[3].text, "ab") << "a word that was cut off";
  EXPECT_TRUE(words_of_pieces({}).empty());
  const auto ended = words_of_pieces({"a@@", "</s>"});
  ASSERT_EQ(ended.size(), 2u) << "</s> is no part of it";
  EXPECT_EQ(ended[0].text, "a");
  EXPECT_EQ(ended[1].text, "</s>");
  EXPECT_EQ(ended[1].first, 1);
}

class Sentences : public testing::Test {
 protected:
  Sentence read(const std::string& text) {
    return read_sentence(model_, text, "--source", [&](const std::string& w) { warnings_.push_back(w); });
  }

  const TemporaryFolder folder_;
  LoadedModel model_ = load_model(ModelFolder(write_model(folder_)));
  Tokens warnings_;
};

TEST_F(Sentences, TextKeepsItsSpelling) {
  const Sentence sentence = SourceReader(model_).read("the 猫");
  EXPECT_EQ(sentence.pieces, (Tokens{"the", "猫"}));
  EXPECT_EQ(sentence.text(), "the 猫");
  EXPECT_EQ(sentence.ids[1], kUnknownId);
  EXPECT_EQ(sentence_of_ids(model_, sentence.ids).pieces, (Tokens{"the", "<unk>"}));
}

TEST_F(Sentences, KnownTextNeedsNoWarning) {
  EXPECT_EQ(read("the cat").pieces, (Tokens{"the", "cat"}));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Sentences, AnEndOfLineSeparatesWords) {
  EXPECT_EQ(read("the\ncat\r\n").pieces, (Tokens{"the", "cat"}));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Sentences, AWarningNamesEachUnknownCharacterOnce) {
  read("a 猫 on 猫 and 犬");
  EXPECT_EQ(warnings_, (Tokens{"--source: the model never saw 猫 犬 and reads <unk> instead",
                               "--source: the model lacks a piece of \"and\" and reads <unk> instead"}));
}

TEST_F(Sentences, ALongSentenceIsCut) {
  std::string text;
  for (int i = 0; i < 70; ++i) text += "the ";
  EXPECT_EQ(read(text).ids.size(), 63u);  // and </s>
  EXPECT_EQ(warnings_, Tokens{"--source: 70 tokens, cut to 63 (hint: split long lines into sentences)"});
}

TEST_F(Sentences, TheTranslationOfNothingIsNothing) {
  const std::vector<Sentence> translations = translations_of(model_, {{}, read("the cat"), {}});
  ASSERT_EQ(translations.size(), 3u);
  EXPECT_TRUE(translations[0].ids.empty());
  EXPECT_FALSE(translations[1].ids.empty());
  EXPECT_TRUE(translations[2].ids.empty());
}

}  // namespace
}  // namespace plainformer
