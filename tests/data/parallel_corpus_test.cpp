#include "data/parallel_corpus.h"

#include <gtest/gtest.h>

#include <set>

#include "core/strings.h"
#include "data/fixtures.h"
#include "io/temporary_folder.h"

namespace plainformer {
namespace {

using Ids = std::vector<int>;
using Lines = std::vector<std::string>;

class Corpus : public ::testing::Test {
 protected:
  ParallelCorpus load(const std::string& source, const std::string& target) const {
    return ParallelCorpus::load(
        {.source = {folder_.write("source", source)}, .target = {folder_.write("target", target)}});
  }
  std::string error_for(const std::string& source, const std::string& target) const {
    return error_of([&] { load(source, target); });
  }
  TemporaryFolder folder_;
};

TEST_F(Corpus, LineByLine) {
  const ParallelCorpus corpus = load("a b\nc\n", "x\ny z");
  ASSERT_EQ(corpus.pairs().size(), 2u);
  EXPECT_EQ(corpus.pairs()[1].source, "c");
  EXPECT_EQ(corpus.pairs()[1].target, "y z");
  EXPECT_EQ(corpus.pairs()[1].line, 2);
  EXPECT_EQ(corpus.empty_pairs().pairs, 0);
  EXPECT_EQ(corpus.word_counts(), (WordCounts{{"a", 1}, {"b", 1}, {"c", 1}, {"x", 1}, {"y", 1}, {"z", 1}}));
}

// A code that one pair holds on both sides is as rare as one on a single side, and a number is spelled.
TEST_F(Corpus, CountsWordsOnceForEachPairWhereMarksAreCut) {
  const std::string source = folder_.write("source", "the the KX 47\nthe A1\n"),
                    target = folder_.write("target", "das KX 47\ndas A1\n");
  EXPECT_EQ(ParallelCorpus::load({.source = {source}, .target = {target}}, {.marks = true}).word_counts(),
            (WordCounts{{"the", 2}, {"das", 2}, {"KX", 1}}));
  EXPECT_EQ(ParallelCorpus::load({.source = {source}, .target = {target}}).word_counts(),
            (WordCounts{{"the", 3}, {"das", 2}, {"KX", 2}, {"47", 2}, {"A1", 2}}));
}

TEST_F(Corpus, PairsWithASideOfWhiteSpaceAreLeftOutAndCounted) {
  const ParallelCorpus corpus = load("a\n\nc\nd\n\t\ne\n\u3000\u2003\n", "x\ny\n \t\r\nz\ny\n\u00A0 \nz\n");
  ASSERT_EQ(corpus.pairs().size(), 2u);
  EXPECT_EQ(corpus.pairs()[1].line, 4);
  EXPECT_EQ(corpus.empty_pairs().pairs, 5);
  EXPECT_EQ(corpus.empty_pairs().first.front().line, 2);
}

TEST_F(Corpus, NothingToTrainOnIsRefused) {
  EXPECT_TRUE(contains(error_for("", "x\n"), "source: is empty"));
  EXPECT_TRUE(contains(error_for("x\n", ""), "target: is empty"));
  EXPECT_TRUE(contains(error_for("\nb\n", "x\n\n"), "source: has no line with text on both sides"));
}

TEST_F(Corpus, EncodesPiecesAndLeavesOutLongPairs) {
  const ParallelCorpus corpus = load("ab ab\n\nb\na b a\nb b\n", "b\nb\na ab\nb\na a b\n");
  BytePairEncoding encoding = BytePairEncoding::parse("#version: 0.2\na b</w>\n", "codes");
  const Vocabulary vocabulary = corpus.build_vocabulary(encoding);
  EXPECT_EQ(vocabulary.to_text(), "<pad>\n<s>\n</s>\n<unk>\nb\na\nab\n");  // b 6, a 5, ab 3

  PairCount too_long;
  const std::vector<SentencePair> sentences = corpus.encode(encoding, vocabulary, 2, too_long);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0].source, (Ids{6, 6}));
  EXPECT_EQ(sentences[0].target, (Ids{4}));
  EXPECT_EQ(sentences[1].source, (Ids{4}));
  EXPECT_EQ(sentences[1].target, (Ids{5, 6}));
  EXPECT_EQ(too_long.pairs, 2);
  EXPECT_EQ(too_long.first.front().line, 4);
}

// A vocabulary with that many tokens could not be loaded.
TEST_F(Corpus, MorePiecesThanAVocabularyMayHaveAreRefused) {
  std::string lines;
  for (char32_t c = 0x40000; c <= 0x40000 + Vocabulary::kMaxTokens; ++c) {  // none stands for another
    append_utf8(lines, c);
    lines += c % 100 == 0 ? '\n' : ' ';
  }
  const ParallelCorpus corpus = load(lines, lines);
  BytePairEncoding encoding = BytePairEncoding::parse("#version: 0.2\n", "codes");
  EXPECT_TRUE(contains(error_of([&] { corpus.build_vocabulary(encoding); }),
                       "source: has 200005 different pieces, more than 200000 (hint: "));
}

TEST(CorpusFromLines, IsTheSame) {
  const ParallelCorpus corpus = ParallelCorpus::from_lines({"a", ""}, {"x", "y"}, "a grammar");
  EXPECT_EQ(corpus.pairs().size(), 1u);
  EXPECT_EQ(corpus.empty_pairs().first.front().line, 2);
  EXPECT_THROW(ParallelCorpus::from_lines({"a"}, {}, "a grammar"), std::logic_error);
}

// ---- a file of pairs

class PairFile : public testing::Test {
 protected:
  PairLines read(const std::string& text, const PairColumns& columns = {}) const {
    return read_pair_file(folder_.write("pairs.tsv", text), columns);
  }
  void expect_refused(const std::string& text, const std::string& message,
                      const PairColumns& columns = {}) const {
    const std::string error = error_of([&] { read(text, columns); });
    EXPECT_TRUE(contains(error, "pairs.tsv" + message)) << error;
    EXPECT_TRUE(contains(error, "(hint: ")) << error;
  }
  const TemporaryFolder folder_;
};

TEST_F(PairFile, HoldsASourceATabAndATargetOnEachLine) {
  struct Example {
    std::string text;
    Lines source, target;
    PairColumns columns = {};
  };
  const Example examples[] = {
      {"a b\tx\nc\ty z", {"a b", "c"}, {"x", "y z"}},
      {"17\tx\ta\tCC-BY\n18\ty\tb\n", {"a", "b"}, {"x", "y"}, {.source = 3, .target = 2}},
      {"a\tx\n\n \t\nb\t\n", {"a", "", "", "b"}, {"x", "", "", ""}},  // line 3 of the file stays pair 3
      {"\uFEFFa\tx\r\nb\ty\nc\tz\r\n", {"a", "b", "c"}, {"x", "y", "z"}}};
  for (const Example& example : examples) {
    const PairLines lines = read(example.text, example.columns);
    EXPECT_EQ(lines.source, example.source);
    EXPECT_EQ(lines.target, example.target);
  }
}

TEST_F(PairFile, ReadsAQuoteAsACharacter) {
  const PairLines lines = read("\"a\" b\tx \"\"y\n\"Stop, he said.\tz\n\"c\t\"Halt\"\n");
  EXPECT_EQ(lines.source, (Lines{"\"a\" b", "\"Stop, he said.", "\"c"}));
  EXPECT_EQ(lines.target, (Lines{"x \"\"y", "z", "\"Halt\""}));
}

TEST_F(PairFile, IsRefusedInALineThatNamesTheLine) {
  const std::string lacks = " has 1 column, but column 2 is asked for (hint: ",
                    semicolon =
                        "a tab must stand between the sentences: save the sheet again, as text with tabs)",
                    quote = "a quote opens here or in the line before";
  expect_refused("a\tx\nb y\n", ":2:" + lacks + "a tab must stand between");
  expect_refused("a;x\n", ":1:" + lacks + semicolon);
  expect_refused("\"a, b\",x\n", ":1:" + lacks + semicolon);
  expect_refused("#separator:tab\na\tx\n", ":1:" + lacks + "Anki");
  expect_refused("{\"source\": \"a\", \"target\": \"x\"}\n", ":1:" + lacks + "JSON lines");
  expect_refused("<?xml version=\"1.0\"?>\n", ":1:" + lacks + "XML");
  expect_refused("a\tx\n\"b\nc\"\ty\n", ":2:" + lacks + quote);
  expect_refused("a\t\"x\ny\"\n", ":2:" + lacks + quote);
  expect_refused("a\tx\n", ":1: has 2 columns, but column 3 is asked for", {.source = 1, .target = 3});
  expect_refused("a 5\" pipe\n", ":1:" + lacks + "a tab must stand between");
  expect_refused("a\tx\nsch\xF6n\ty\n", ":2: not valid UTF-8");
  expect_refused("a\tx\nb\ty\rc\tz\n", ":2: has a carriage return within the line");
  expect_refused("", ": is empty");
}

// ---- held-out pairs

// "s7" and "t7", for each number.
ParallelCorpus numbered(const std::vector<int>& numbers) {
  Lines source, target;
  for (const int n : numbers) {
    source.push_back("s" + std::to_string(n));
    target.push_back("t" + std::to_string(n));
  }
  return ParallelCorpus::from_lines(source, target, "numbers");
}

std::vector<int> first(int count) {
  std::vector<int> numbers(count);
  for (int i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

Lines sources(const ParallelCorpus& corpus) {
  Lines lines;
  for (const auto& pair : corpus.pairs()) lines.push_back(pair.source);
  return lines;
}

TEST(HeldOutPairs, AreATenthOfAtLeast50ButAtMostAThousand) {
  EXPECT_EQ(usual_held_out_pairs(49), 0);
  EXPECT_EQ(usual_held_out_pairs(50), 5);
  EXPECT_EQ(usual_held_out_pairs(300), 30);
  EXPECT_EQ(usual_held_out_pairs(29'000), 1000);
}

TEST(HeldOutPairs, LeaveTheTrainingTextInItsOrder) {
  ParallelCorpus train = numbered(first(50));
  const ParallelCorpus valid = train.hold_out(7);
  ASSERT_EQ(valid.pairs().size(), 7u);
  ASSERT_EQ(train.pairs().size(), 43u);
  std::set<Index> lines;
  for (const ParallelCorpus* corpus : {static_cast<const ParallelCorpus*>(&train), &valid}) {
    Index before = 0;
    for (const auto& pair : corpus->pairs()) {
      EXPECT_GT(pair.line, before);
      EXPECT_EQ(pair.source, "s" + std::to_string(pair.line - 1));
      EXPECT_EQ(pair.target, "t" + std::to_string(pair.line - 1));
      before = pair.line;
      lines.insert(pair.line);
    }
  }
  EXPECT_EQ(lines.size(), 50u);
  EXPECT_EQ(valid.place_of(valid.pairs().front()).file, "numbers");
}

// A published choice: another program, or another version of this one, holds out the same pairs.
TEST(HeldOutPairs, AreTheSameOnEveryMachine) {
  ParallelCorpus train = numbered(first(20));
  EXPECT_EQ(sources(train.hold_out(4)), (Lines{"s1", "s9", "s13", "s14"}));
}

TEST(HeldOutPairs, DependOnTheirWordsAndNotOnTheirPlace) {
  ParallelCorpus forward = numbered(first(40));
  std::vector<int> numbers = first(40);
  std::reverse(numbers.begin(), numbers.end());
  ParallelCorpus backward = numbered(numbers);
  const Lines one = sources(forward.hold_out(5)), other = sources(backward.hold_out(5));
  EXPECT_EQ(std::set<std::string>(one.begin(), one.end()), std::set<std::string>(other.begin(), other.end()));
}

TEST(HeldOutPairs, ShareNoSentenceWithAnotherPair) {
  Lines source, target;
  for (int i = 0; i < 30; ++i) {
    source.insert(source.end(), {"go", "look " + std::to_string(i), "one " + std::to_string(i)});
    target.insert(target.end(), {"geh " + std::to_string(i), "schau", "eins " + std::to_string(i)});
  }
  source.insert(source.end(), {"one  0 ", "one 1"});  // the same words
  target.insert(target.end(), {"null", "eins 1"});
  ParallelCorpus train = ParallelCorpus::from_lines(source, target, "text");
  const ParallelCorpus valid = train.hold_out(60);
  ASSERT_EQ(valid.pairs().size(), 28u);  // one 2 ... one 29
  for (const auto& pair : valid.pairs()) EXPECT_EQ(pair.source.rfind("one ", 0), 0u) << pair.source;
}

}  // namespace
}  // namespace plainformer
