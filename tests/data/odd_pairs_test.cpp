// Pairs that are seldom meant.
#include "data/odd_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/toy/toy_grammar.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;
using Numbers = std::vector<Index>;

// The finding whose kind has this word; none has no pairs.
Finding found(const std::vector<Finding>& findings, const std::string& word) {
  for (const Finding& finding : findings)
    if (finding.kind.find(word) != std::string::npos) return finding;
  return {};
}

Finding found(const Lines& source, const Lines& target, const std::string& word) {
  return found(findings_in(ParallelCorpus::from_lines(source, target, "text")), word);
}

Numbers lines_of(const Finding& finding) {
  Numbers lines;
  for (const PairPlace& place : finding.pairs.first) lines.push_back(place.line);
  return lines;
}

Numbers first_of(const Finding& finding) {
  Numbers lines = lines_of(finding);
  lines.resize(std::min<std::size_t>(lines.size(), 3));
  return lines;
}

TEST(OddPairs, RepeatTheWordsOfAnEarlierPair) {
  const Finding repeated = found({"a b", "a b", "a  b ", "a b", "ab", "a b", "a b"},
                                 {"x", "x", "x", "y", "x", "x", "x"}, "repeat");
  EXPECT_EQ(repeated.pairs.pairs, 4);
  EXPECT_EQ(first_of(repeated), (Numbers{2, 3, 6}));
  EXPECT_EQ(repeated.pairs.first.front().file, "text");
  EXPECT_EQ(repeated.example, "a b\tx");
}

TEST(OddPairs, HaveSidesOfVeryUnequalLengths) {
  const std::string fifty(50, 'x'), fifty_one(51, 'x'), ten(10, 'y');
  EXPECT_EQ(first_of(found({fifty, fifty_one, ten, ten, "Go.", "Geh weg von hier!"},
                           {ten, ten, fifty, fifty_one, "Geh weg von hier!", "Go."}, "unequal")),
            (Numbers{2, 4}));
}

TEST(OddPairs, WriteAccentsAsCharactersOfTheirOwn) {
  EXPECT_EQ(first_of(found({"scho\u0300n", "sch\u00F6n", "a"}, {"a", "b", "e\u0301"}, "accents")),
            (Numbers{1, 3}));
}

// Here ten characters of Chinese say as much as eighty of English, and words are not separated.
TEST(OddPairs, CompareLengthsAsTheTextDoes) {
  const std::string eighty(80, 'x'), four_hundred(400, 'x'), ten = repeated("猫", 10);
  Lines source(20, eighty), target(20, ten);
  EXPECT_EQ(found(source, target, "unequal").pairs.pairs, 0);
  source.push_back(four_hundred);
  target.push_back("猫");
  EXPECT_EQ(first_of(found(source, target, "unequal")), (Numbers{21}));
}

TEST(OddPairs, HoldEntitiesTagsAndTitles) {
  EXPECT_EQ(
      first_of(found({"a &quot;b", "R&D; x", "x < y > z", "a <br/>", "&#39;", "<3 you>", "a", "<b>a</b>"},
                     {"a", "b", "c", "d", "e", "f", "g &", "h"}, "HTML")),
      (Numbers{1, 2, 4}));  // and 5 and 8
  EXPECT_EQ(first_of(found({"English", "a"}, {"German", "b"}, "titles")), (Numbers{1}));
  EXPECT_EQ(first_of(found({"Français", "a"}, {"Inglés", "b"}, "titles")), (Numbers{1}));
  EXPECT_EQ(found({"a", "English"}, {"b", "German"}, "titles").pairs.pairs, 0);
}

TEST(OddPairs, AreQuotedAsASpreadsheetDoes) {
  EXPECT_EQ(lines_of(found(
                {R"("He says ""No"".")", R"("No", he says)", R"("a "" b)", R"(say ""x"")", R"("a" "b")", "f"},
                {"a", "b", "c", "d", "e", R"("x ""y""")"}, "spreadsheet writes around")),
            (Numbers{1, 6}));
  EXPECT_EQ(lines_of(found({"\"a\"", "\"b\""}, {"\"x\"", "\"y\""}, "around both")), (Numbers{1, 2}));
  EXPECT_EQ(lines_of(found({"\"a\"", "b", "c"}, {"\"x\"", "\"y\"", "z"}, "around both")), Numbers{});
}

TEST(OddPairs, HaveAnotherNumberOnEachSide) {
  EXPECT_EQ(
      lines_of(found({"no. 6119023", "no. 6119023", "in 2025", "at 10:30 pm", "12345 and 56789", "of 19991"},
                     {"Nr. 1619023", "Nr. 6119023", "2024", "um 22:30 Uhr", "12345 und 98765", "von 19981"},
                     "another number")),
      (Numbers{1, 6}));
}

TEST(OddPairs, HaveWordsOfTwoScripts) {
  EXPECT_EQ(
      first_of(found({"a c\u0430t", "the \u043A\u043E\u0442", "KBS\uB294", "USB-\u043A\u0430", "5 \u03BCm"},
                     {"x", "y", "z", "v", "w"}, "Latin")),
      (Numbers{1}));
}

TEST(OddPairs, AreTheNumbersOfSentences) {
  const Lines ids = {"1020", "s_1021", "1022", "1023", "1024"}, text = {"a b", "c", "d", "e", "f"};
  EXPECT_EQ(found(text, ids, "number").pairs.pairs, 5);
  EXPECT_EQ(found({"a 1", "b 2", "c 3", "d 4", "e 5"}, text, "number").pairs.pairs, 0);
  EXPECT_EQ(found(text, Lines(5, "\u62113\u4E2A\u3002"), "number").pairs.pairs, 0);
}

// A sound text, of which each test below spoils a part.
class Toy : public testing::Test {
 protected:
  Toy() {
    for (const ToyPair& pair : generate_toy_corpus(/*seed=*/1, 1000, 1, 1).train) {
      source.push_back(pair.source);
      target.push_back(pair.target);
    }
  }
  Lines source, target;
};

TEST_F(Toy, IsSound) {
  const std::vector<Finding> findings = findings_in(ParallelCorpus::from_lines(source, target, "text"));
  EXPECT_TRUE(findings.empty()) << findings.front().kind << " " << findings.front().example;
}

TEST_F(Toy, ShiftedInItsMiddleIsFound) {
  source.erase(source.begin() + 600);
  target.pop_back();
  EXPECT_EQ(first_of(found(source, target, "1 line below")), (Numbers{601, 602, 603}));
  source.insert(source.begin(), 2, "a");
  source.resize(target.size());
  EXPECT_GE(found(source, target, "2 lines above").pairs.pairs, 599);
}

TEST_F(Toy, ShiftedInAFewLinesIsFound) {
  std::rotate(source.begin() + 320, source.begin() + 321, source.begin() + 410);
  EXPECT_EQ(first_of(found(source, target, "1 line below")), (Numbers{351, 352, 353}));
}

TEST_F(Toy, WithNumbersIsShiftedIfTheyDisagree) {
  Lines few, shifted;
  for (int i = 0; i < 30; ++i) few.push_back("Nr. " + std::to_string(i)), shifted.push_back(few.back());
  EXPECT_EQ(found(few, shifted, "below").pairs.pairs, 0);
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  EXPECT_EQ(found(few, shifted, "1 line above").pairs.pairs, 30);
}

TEST_F(Toy, WithExchangedSidesIsFound) {
  for (const std::size_t i : {3, 500, 700}) std::swap(source[i], target[i]);
  EXPECT_EQ(first_of(found(source, target, "exchanged")), (Numbers{4, 501, 701}));
}

TEST_F(Toy, ThatLostALinePartsThere) {
  target.erase(target.begin() + 300);
  EXPECT_NEAR(static_cast<double>(line_where_texts_part(source, target)), 301, 2);
  EXPECT_NEAR(static_cast<double>(line_where_texts_part(target, source)), 301, 2);
}

TEST(OddPairs, OfValidationStandInTheTrainingText) {
  const ParallelCorpus train =
                           ParallelCorpus::from_lines({"a b", "c", "d", "E"}, {"x", "y", "z", "e"}, "train"),
                       valid = ParallelCorpus::from_lines({"a", " a  b", "c", "d", "e"},
                                                          {"x", "x", "z", "z", "e"}, "valid");
  const std::vector<Finding> findings = findings_in_validation(valid, train);
  EXPECT_EQ(first_of(found(findings, "as well")), (Numbers{2, 4}));
  EXPECT_EQ(first_of(found(findings, "another translation")), (Numbers{3, 5}));
  EXPECT_EQ(findings[0].pairs.first.front().file, "valid");
}

ParallelCorpus corpus_of(const std::vector<std::string>& lines) {
  return ParallelCorpus::from_lines(lines, lines, "text");
}

TEST(OddPairs, HavePiecesOfBytePairEncoding) {
  const auto pieces = [](const Lines& lines) {
    return first_of(found(findings_in(corpus_of(lines)), "byte pair"));
  };
  EXPECT_EQ(pieces({"lo@@ wer", "a @@ b", "a @@ b wi@@ dest x"}), (Numbers{1, 3}));
  EXPECT_EQ(pieces({"a @@ b @@", "ends in lo@@", "mail a@@b"}), Numbers{});
  Lines lines(30, "a text about pieces");
  lines.push_back("lo@@ wer is one");
  EXPECT_EQ(pieces(lines), Numbers{});
}

TEST(OddPairs, LookTokenizedIfBlanksComeBeforeLastMarks) {
  const auto of = [](const std::vector<std::string>& lines) { return looks_tokenized(corpus_of(lines)); };
  EXPECT_EQ(of({"Ein Mann schläft .", "Wer ?", "ein Hund", "Was!"}), true);
  EXPECT_EQ(of({"Ein Mann schläft.", "Wer ?", "Was!"}), false);
  EXPECT_EQ(of({"a dog", "a cat", "."}), std::nullopt);
  EXPECT_EQ(of({"你好 。", "谁？"}), std::nullopt);
}

}  // namespace
}  // namespace plainformer
