// Notes on a sentence, on its translation, and on the lines of a text.
#include "model_folder/notes.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "core/strings.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

using Texts = std::vector<std::string>;

Texts texts_of(const std::vector<Note>& notes) {
  Texts texts;
  for (const Note& note : notes) texts.push_back(note.text);
  return texts;
}

const std::string kUnseen = "the model never saw ", kInstead = " and reads <unk> instead";

TEST(SentenceNotes, TellWhatTheVocabularyLacks) {
  const Vocabulary vocabulary = Vocabulary::parse("<pad>\n<s>\n</s>\n<unk>\nlow@@\nest\nthe\n", "vocabulary");
  SentenceNotes notes(vocabulary);
  const std::pair<Texts, Texts> cases[] = {
      {{"the", "low@@", "est"}, {}},
      {{}, {}},
      {{"猫", "the", "猫@@", "犬"}, {kUnseen + "猫 犬" + kInstead}},
      {{"low@@", "s@@", "t", "the", "low@@", "s@@", "t", "e"},
       {"the model lacks a piece of \"lowst\", \"e\"" + kInstead}},
      {{"low@@", "s@@", "x"}, {kUnseen + "x" + kInstead}},
      // "@@" marks the end of a piece, and "<" is in a special symbol, but no text taught them.
      {{"<s>", "@"}, {kUnseen + "< > @" + kInstead}},
      {{"1", "2", "3", "4", "5"}, {kUnseen + "1 2 3 4 5" + kInstead}},
      {{"1", "2", "3", "4", "5", "6"}, {kUnseen + "1 2 3 4 5 ..." + kInstead}},
      {{"\x1b@@", "s"}, {kUnseen + "U+001B" + kInstead}},
  };
  for (const auto& [pieces, expected] : cases)
    EXPECT_EQ(texts_of(notes.on_source({.ids = vocabulary.encode(pieces), .pieces = pieces})), expected);
  EXPECT_EQ(notes.unseen_characters("ü猫\x07\u009B\u00A0\u200B\u0301\uFFFD\U0001F600"),
            (Texts{"ü", "猫", "U+0007", "U+009B", "U+00A0", "U+200B", "U+0301", "U+FFFD", "\U0001F600"}));
}

// The word "%A0" is the space that does not break. Its letters are known, but the text has none of them.
TEST(SentenceNotes, NameACharacterThatIsWrittenByItsNumber) {
  const Vocabulary vocabulary = Vocabulary::parse("<pad>\n<s>\n</s>\n<unk>\n%A\n0\n", "vocabulary");
  EXPECT_EQ(
      texts_of(SentenceNotes(vocabulary)
                   .on_source(
                       {.ids = {kUnknownId, kUnknownId}, .pieces = {"%A@@", "0"}, .words = {.marks = true}})),
      Texts{kUnseen + "U+00A0" + kInstead});
}

TEST(SentenceNotes, TellOfACutAndOfWordsThatLookCut) {
  const Vocabulary vocabulary;
  SentenceNotes notes(vocabulary);
  const std::string hint = " (hint: split long lines into sentences)";
  EXPECT_EQ(texts_of(notes.on_source({.ids = {2}, .pieces = {}, .cut_from = 70})),
            Texts{"70 tokens, cut to 1" + hint});
  EXPECT_EQ(texts_of(notes.on_source({.ids = {2}, .pieces = {}, .cut_from = 70, .line_was_cut = true})),
            Texts{"more than 1048576 bytes, cut to 1 tokens" + hint});
  EXPECT_EQ(texts_of(notes.on_source({.ids = {}, .pieces = {}, .like_pieces = {"lo@@", "we@@", "lo@@"}})),
            Texts{"the line looks cut by byte pair encoding already, which the model does itself: \"lo@@\", "
                  "\"we@@\" (hint: undo it with sed -E 's/(@@ )|(@@ ?$)//g')"});
}

TEST(SentenceNotes, TellWhichWordsAreReadInAnotherCase) {
  const Vocabulary vocabulary;
  EXPECT_EQ(texts_of(SentenceNotes(vocabulary)
                         .on_source(
                             {.ids = {}, .pieces = {}, .in_another_case = {{"THE", "the"}, {"THE", "the"}}})),
            Texts{"the model reads \"THE\" as \"the\""});
}

TEST(SentenceNotes, TellOfUnkInAnyTranslation) {
  const Vocabulary vocabulary = Vocabulary::parse("<pad>\n<s>\n</s>\n<unk>\nja\n", "vocabulary");
  const SentenceNotes notes(vocabulary);
  const Hypothesis sound = {.tokens = {4}}, unknown = {.tokens = {4, kUnknownId}};
  const std::string told = " translation has <unk> for a word that the model cannot write";
  EXPECT_EQ(texts_of(notes.on_translations({}, {sound, sound})), Texts{});
  EXPECT_EQ(texts_of(notes.on_translations({}, {unknown, sound})), Texts{"the" + told});
  EXPECT_EQ(texts_of(notes.on_translations({}, {sound, unknown})), Texts{"an alternative" + told});
  EXPECT_EQ(texts_of(notes.on_translations({}, {{.tokens = {4, 4, 4, 4, 4}}})),
            Texts{"the translation repeats \"ja\" 5 times"});
}

// Source and translation, word by word, and the notes.
TEST(SentenceNotes, CompareATranslationWithItsSource) {
  struct Case {
    std::string source, translation;
    Texts expected;
  };
  const std::string lacks = "the translation lacks ",
                    sentences = "the line has 2 sentences, and its translation ",
                    hint = " (hint: translate --split translates each by itself)";
  const Case cases[] = {
      {"My number is 4711 .", "Meine Nummer ist 4711 .", {}},
      {"My number is 4,711 .", "Meine Nummer ist 4.711 .", {}},
      {"My number is 4711 .", "Meine Nummer ist 5 .", {lacks + "\"4711\""}},
      {"3 apples", "drei Äpfel", {}},  // one digit may become a word
      {"a truck", "ein LKW", {}},
      {"5 February", "25. Februar", {"the translation has \"25\", which the line lacks"}},
      {"20.09.2025 8:00", "20.092025 800", {lacks + "\"20.09.2025\", \"8:00\""}},
      {"1,250.00 12.50", "1250,00 12,50", {}},
      {"part KX42 or KX43", "Teil KX42, TeilKX43", {lacks + "\"KX43\""}},
      {"Write to ada@example.org !", "Schreib an eva@example.org !", {lacks + "\"ada@example.org\""}},
      {"The part DMZW", "Das Teil DMZ", {lacks + "\"DMZW\""}},
      {"THE DOG SLEEPS", "DER HUND", {}},  // capitals are no codes in a line of capitals
      {"The dog .", "", {"the translation is empty"}},
      {"The dog sees it . My sister sleeps .", "Der Hund sieht es .", {sentences + "1" + hint}},
      {"The dog sees it . My sister sleeps .", "Der Hund sieht es . Sie schläft .", {}},
      {"He comes on 21 June . I wait .", "Er kommt am 21. Juni .", {sentences + "1" + hint}},
      {repeated("very", 10, " ") + " good",
       "gut gut",
       {"the line has 11 words and marks, and its translation 2"}},
  };
  for (const auto& [source, translation, expected] : cases) {
    Vocabulary::TokenCounts words;
    const std::vector<std::string> pieces = split_at(' ', translation);
    for (const std::string& piece : pieces)
      if (!piece.empty()) ++words[piece];
    const Vocabulary vocabulary = Vocabulary::from_counts(words);
    Hypothesis hypothesis;
    if (!translation.empty()) hypothesis.tokens = vocabulary.encode(pieces);
    EXPECT_EQ(texts_of(SentenceNotes(vocabulary)
                           .on_translations({.ids = {}, .pieces = split_at(' ', source)}, {hypothesis})),
              expected)
        << source << " -> " << translation;
  }
}

TEST(LineNotes, NameTheOtherLinesOfEachKind) {
  Texts lines;
  LineNotes notes([&](const std::string& line) { lines.push_back(line); }, "text", /*most=*/1);
  for (Index line = 1; line <= LineNotes::kNamed + 2; ++line)
    for (int sentence = 0; sentence < 2; ++sentence) notes.add(line, {{"words", "odd"}});
  notes.finish();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[1].starts_with("text: 201 more lines with words: 2, 3, 4, ")) << lines[1];
  EXPECT_TRUE(lines[1].ends_with(", 200, 201 ... 202")) << lines[1];
}

// Translation and source, and what the translation repeats.
TEST(RunawayRepetition, IsTheSameWordsInARowMoreOftenThanInTheSource) {
  struct Case {
    std::string translation, source, expected;
  };
  const std::string cat = "the cat sleeps";
  const Case cases[] = {
      {"", cat, ""},
      {"die " + repeated("Bücher", 50, " "), cat, "Bücher 50"},
      {"die Katze " + repeated("auf dem Tisch ,", 4, " ") + " auf", cat, "auf dem Tisch , 4"},
      {"x " + repeated("a b", 4, " ") + " a", cat, "a b 4"},  // half of a fifth does not count
      {repeated("ja", 8, " "), cat, "ja 8"},                  // not four times "ja ja"
      {repeated("ja", 4, " ") + " x " + repeated("nein", 4, " "), cat, "ja 4"},  // the first
      {repeated("ja", 3, " "), cat, ""},
      {repeated("a b c d", 4, " "), cat, "a b c d 4"},
      {repeated("a b c d e", 9, " "), cat, ""},  // five words
      {"der Hund , der Mann , der Tisch , der Tag , der Baum", cat, ""},
      // Words count, not pieces.
      {"die " + repeated("Bü@@ cher", 5, " "), "the books", "Bücher 5"},
      {"durch@@ such@@ such@@ such@@ such@@ t", cat, "such 4"},
      {"Nr. 7@@ 0@@ 0@@ 0@@ 0@@ 1", "no. 7@@ 0@@ 0@@ ,@@ 0@@ 0@@ 1", ""},
      // The source repeats as often.
      {"sehr sehr sehr sehr gut", "very very very very good", ""},
      {repeated("sehr", 5, " "), "very very very very good", "sehr 5"},
  };
  for (const Case& c : cases) {
    const auto found = runaway_repetition(split_at(' ', c.translation), split_at(' ', c.source));
    EXPECT_EQ(found ? found->text + " " + std::to_string(found->times) : "", c.expected) << c.translation;
  }
}

TEST(ReadSentence, MakesTextOneLineAndWarns) {
  const TemporaryFolder folder;
  LoadedModel model = load_model(write_model(folder));
  Texts warnings;
  const auto read = [&](const std::string& text) {
    return read_sentence(model, text, "--source", [&](const std::string& w) { warnings.push_back(w); });
  };
  EXPECT_EQ(read("the cat").pieces, (Texts{"the", "cat"}));
  EXPECT_EQ(read("the\ncat\r\n").pieces, (Texts{"the", "cat"}));
  EXPECT_EQ(warnings, Texts{});
  read("a 猫 on 猫 and 犬");
  EXPECT_EQ(warnings, (Texts{"--source: " + kUnseen + "猫 犬" + kInstead,
                             "--source: the model lacks a piece of \"and\"" + kInstead}));
}

}  // namespace
}  // namespace plainformer
