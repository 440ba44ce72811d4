#include "model_folder/sentences.h"

#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;

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

TEST_F(Sentences, AWarningNamesEachUnknownPieceOnce) {
  read("a 猫 on 猫 and 犬");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0].rfind("--source: the model reads <unk> in place of 猫 ", 0), 0u) << warnings_[0];
  EXPECT_EQ(warnings_[0].find("猫", warnings_[0].find("猫") + 1), std::string::npos) << warnings_[0];
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
