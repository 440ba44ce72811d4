// What a model does not know of a sentence, in words.
#include "model_folder/source_notes.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"

namespace plainformer {
namespace {

using Texts = std::vector<std::string>;

class SourceNotesOfAVocabulary : public testing::Test {
 protected:
  // The notes on these pieces.
  Texts texts(const std::vector<std::string>& pieces, Index cut_from = 0) {
    Texts texts;
    for (const Note& note :
         notes_.on({.ids = vocabulary_.encode(pieces), .pieces = pieces, .cut_from = cut_from}))
      texts.push_back(note.text);
    return texts;
  }

  const Vocabulary vocabulary_ =
      Vocabulary::parse("<pad>\n<s>\n</s>\n<unk>\nlow@@\nest\nthe\n", "vocabulary");
  SourceNotes notes_{vocabulary_};
};

TEST_F(SourceNotesOfAVocabulary, AreNoneOnKnownText) {
  EXPECT_EQ(texts({"the", "low@@", "est"}), Texts{});
  EXPECT_EQ(texts({}), Texts{});
}

TEST_F(SourceNotesOfAVocabulary, NameEachUnseenCharacterOnce) {
  EXPECT_EQ(texts({"猫", "the", "猫@@", "犬"}), Texts{"the model never saw 猫 犬 and reads <unk> instead"});
}

TEST_F(SourceNotesOfAVocabulary, NameEachWordThatKnownCharactersSpellOnce) {
  EXPECT_EQ(texts({"low@@", "s@@", "t", "the", "low@@", "s@@", "t", "e"}),
            Texts{"the model lacks a piece of \"lowst\", \"e\" and reads <unk> instead"});
}

TEST_F(SourceNotesOfAVocabulary, TellBothApart) {
  EXPECT_EQ(texts({"low@@", "s@@", "x"}),
            (Texts{"the model never saw x and reads <unk> instead",
                   "the model lacks a piece of \"lowsx\" and reads <unk> instead"}));
}

// "@@" marks the end of a piece, and "<" and "pad" stand in a special symbol, but no text taught them.
TEST_F(SourceNotesOfAVocabulary, SpecialSymbolsAndMarksTeachNoCharacter) {
  EXPECT_EQ(texts({"<s>", "@"}), Texts{"the model never saw < > @ and reads <unk> instead"});
}

TEST_F(SourceNotesOfAVocabulary, NameTheFirstFive) {
  EXPECT_EQ(texts({"1", "2", "3", "4", "5"}), Texts{"the model never saw 1 2 3 4 5 and reads <unk> instead"});
  EXPECT_EQ(texts({"1", "2", "3", "4", "5", "6"}),
            Texts{"the model never saw 1 2 3 4 5 ... and reads <unk> instead"});
}

TEST_F(SourceNotesOfAVocabulary, DisarmWhatTheyShow) {
  EXPECT_EQ(texts({"\x1b"}), Texts{"the model never saw U+001B and reads <unk> instead"});
  EXPECT_EQ(texts({"\x1b@@", "s"}),
            (Texts{"the model never saw U+001B and reads <unk> instead",
                   "the model lacks a piece of \"\uFFFDs\" and reads <unk> instead"}));
}

// The word "%A0" is the space that does not break. Its letters are known, but the text has none of them.
TEST_F(SourceNotesOfAVocabulary, NameACharacterThatIsWrittenByItsNumber) {
  const Vocabulary vocabulary = Vocabulary::parse("<pad>\n<s>\n</s>\n<unk>\n%A\n0\n", "vocabulary");
  const std::vector<Note> notes =
      SourceNotes(vocabulary)
          .on({.ids = {kUnknownId, kUnknownId}, .pieces = {"%A@@", "0"}, .words = {.marks = true}});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes.front().text, "the model never saw U+00A0 and reads <unk> instead");
}

TEST_F(SourceNotesOfAVocabulary, TellOfACut) {
  EXPECT_EQ(texts({"the"}, 70), Texts{"70 tokens, cut to 1 (hint: split long lines into sentences)"});
}

TEST(Visible, IsACharacterOrItsNumber) {
  EXPECT_EQ(visible(U'ü'), "ü");
  EXPECT_EQ(visible(U'猫'), "猫");
  EXPECT_EQ(visible(0x07), "U+0007");
  EXPECT_EQ(visible(0x9B), "U+009B");    // begins an escape sequence on some terminals
  EXPECT_EQ(visible(0xA0), "U+00A0");    // no-break space
  EXPECT_EQ(visible(0x200B), "U+200B");  // zero-width space
  EXPECT_EQ(visible(0x0301), "U+0301");  // combining acute accent
  EXPECT_EQ(visible(0xFFFD), "U+FFFD");
  EXPECT_EQ(visible(0x1F600), "\U0001F600");
}

}  // namespace
}  // namespace plainformer
