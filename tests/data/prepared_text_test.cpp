#include "data/prepared_text.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

ParallelCorpus corpus_of(const std::vector<std::string>& lines) {
  return ParallelCorpus::from_lines(lines, lines, "text");
}

TEST(PreparedText, HasPiecesOfBytePairEncoding) {
  const PairCount count = pairs_with_pieces(corpus_of({"lo@@ wer", "new", "wi@@ dest x"}));
  EXPECT_EQ(count.pairs, 2);
  EXPECT_EQ(count.first, (std::vector<PairPlace>{{"text", 1}, {"text", 3}}));
  EXPECT_EQ(pairs_with_pieces(corpus_of({"a @@ b @@", "ends in lo@@", "mail a@@b"})).pairs, 0);
  std::vector<std::string> lines(30, "a text about pieces");
  lines.push_back("lo@@ wer is one");
  EXPECT_EQ(pairs_with_pieces(corpus_of(lines)).pairs, 0);
}

TEST(PreparedText, IsTokenizedIfBlanksComeBeforeLastMarks) {
  const auto of = [](const std::vector<std::string>& lines) { return last_marks_of(corpus_of(lines)); };
  EXPECT_EQ(of({"Ein Mann schläft .", "Wer ?", "ein Hund", "Was!"}), LastMarks::kDetached);
  EXPECT_EQ(of({"Ein Mann schläft.", "Wer ?", "Was!"}), LastMarks::kAttached);
  EXPECT_EQ(of({"a dog", "a cat", "."}), LastMarks::kFew);
  EXPECT_EQ(of({"你好 。", "谁？"}), LastMarks::kFew);
}

}  // namespace
}  // namespace plainformer
