#include "data/parallel_corpus.h"

#include <gtest/gtest.h>

#include "core/strings.h"
#include "data/fixtures.h"
#include "io/temporary_folder.h"

namespace plainformer {
namespace {

using Ids = std::vector<int>;

class Corpus : public ::testing::Test {
 protected:
  ParallelCorpus load(const std::string& source, const std::string& target) const {
    return ParallelCorpus::load(folder_.write("source", source), folder_.write("target", target));
  }
  std::string error_of(const std::string& source, const std::string& target) const {
    return error_message([&] { load(source, target); });
  }
  TemporaryFolder folder_;
};

TEST_F(Corpus, LineByLine) {
  const ParallelCorpus corpus = load("a b\nc\n", "x\ny z");
  ASSERT_EQ(corpus.pairs().size(), 2u);
  EXPECT_EQ(corpus.pairs()[1].source, "c");
  EXPECT_EQ(corpus.pairs()[1].target, "y z");
  EXPECT_EQ(corpus.pairs()[1].line, 2);
  EXPECT_EQ(corpus.report().kept, 2);
  EXPECT_EQ(corpus.report().empty.pairs, 0);
  EXPECT_EQ(corpus.word_counts(), (WordCounts{{"a", 1}, {"b", 1}, {"c", 1}, {"x", 1}, {"y", 1}, {"z", 1}}));
}

TEST_F(Corpus, PairsWithAnEmptySideAreLeftOutAndCounted) {
  const ParallelCorpus corpus = load("a\n\nc\nd\n", "x\ny\n \t\r\nz\n");
  ASSERT_EQ(corpus.pairs().size(), 2u);
  EXPECT_EQ(corpus.pairs()[1].line, 4);
  EXPECT_EQ(corpus.report().kept, 2);
  EXPECT_EQ(corpus.report().empty.pairs, 2);
  EXPECT_EQ(corpus.report().empty.first.front().line, 2);
}

TEST_F(Corpus, ALineOfWhiteSpaceOfAnyKindIsEmpty) {
  const ParallelCorpus corpus = load("a\n\t\nc\n\u3000\u2003\n", "x\ny\n\u00A0 \nz\n");
  ASSERT_EQ(corpus.pairs().size(), 1u);
  EXPECT_EQ(corpus.report().empty.pairs, 3);
}

TEST_F(Corpus, UnequalNumbersOfLinesAreRefusedWithBoth) {
  const std::string message = error_of("a\nb\nc\n", "x\ny\n");
  EXPECT_NE(message.find("source: has 3 lines, but "), std::string::npos) << message;
  EXPECT_NE(message.find("target has 2 (hint: "), std::string::npos) << message;
}

TEST_F(Corpus, NothingToTrainOnIsRefused) {
  EXPECT_NE(error_of("", "x\n").find("source: is empty"), std::string::npos);
  EXPECT_NE(error_of("x\n", "").find("target: is empty"), std::string::npos);
  EXPECT_NE(error_of("\nb\n", "x\n\n").find("source: has no line with text on both sides"),
            std::string::npos);
  EXPECT_NE(error_of("a\nb\xFF\n", "x\ny\n").find("source:2: not valid UTF-8"), std::string::npos);
}

TEST_F(Corpus, EncodesPiecesAndLeavesOutLongPairs) {
  const ParallelCorpus corpus = load("ab ab\n\nb\na b a\nb b\n", "b\nb\na ab\nb\na a b\n");
  BytePairEncoding encoding = BytePairEncoding::parse("#version: 0.2\na b</w>\n", "codes");
  const Vocabulary vocabulary = corpus.build_vocabulary(encoding);
  EXPECT_EQ(vocabulary.to_text(), "<pad>\n<s>\n</s>\n<unk>\nb\na\nab\n");  // b 6, a 5, ab 3

  ParallelCorpus::Report report;
  const std::vector<SentencePair> sentences = corpus.encode(encoding, vocabulary, 2, report);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0].source, (Ids{6, 6}));
  EXPECT_EQ(sentences[0].target, (Ids{4}));
  EXPECT_EQ(sentences[1].source, (Ids{4}));
  EXPECT_EQ(sentences[1].target, (Ids{5, 6}));
  EXPECT_EQ(report.kept, 2);
  EXPECT_EQ(report.empty.pairs, 1);
  EXPECT_EQ(report.too_long.pairs, 2);
  EXPECT_EQ(report.too_long.first.front().line, 4);
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
  EXPECT_NE(error_message([&] {
              corpus.build_vocabulary(encoding);
            }).find("source: has 200005 different pieces, more than 200000 (hint: "),
            std::string::npos);
}

TEST_F(Corpus, IfAllPairsAreTooLongThereIsNothingToTrainOn) {
  const ParallelCorpus corpus = load("a b c\n", "x\n");
  BytePairEncoding encoding = BytePairEncoding::parse("#version: 0.2\n", "codes");
  ParallelCorpus::Report report;
  const auto encode = [&] { corpus.encode(encoding, Vocabulary(), 2, report); };
  EXPECT_NE(error_message(encode).find("has no pair of at most 2 tokens on each side"), std::string::npos);
}

TEST(CorpusFromLines, IsTheSame) {
  const ParallelCorpus corpus = ParallelCorpus::from_lines({"a", ""}, {"x", "y"}, "a grammar");
  EXPECT_EQ(corpus.pairs().size(), 1u);
  EXPECT_EQ(corpus.report().empty.first.front().line, 2);
  EXPECT_THROW(ParallelCorpus::from_lines({"a"}, {}, "a grammar"), std::logic_error);
}

}  // namespace
}  // namespace plainformer
