#include "data/byte_pair_encoding.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/random.h"
#include "data/fixtures.h"
#include "ops/ways.h"

namespace plainformer {
namespace {

using Pieces = std::vector<std::string>;

BytePairEncoding codes(const std::string& merges) {
  return BytePairEncoding::parse("#version: 0.2\n" + merges, "test.codes");
}

std::string applied(BytePairEncoding& encoding, const std::vector<std::string>& fixtures) {
  std::string text;
  for (const std::string& name : fixtures) {
    for (const std::string& line : read_lines(fixture(name))) text += encoding.apply_to_text(line) + "\n";
  }
  return text;
}

TEST(ApplyBytePairs, IsSubwordNmt) {
  BytePairEncoding encoding = BytePairEncoding::load(fixture("corpus.codes"));
  EXPECT_EQ(applied(encoding, {"corpus.en", "corpus.de"}), fixture_text("corpus.applied"));
  EXPECT_EQ(applied(encoding, {"unseen.txt"}), fixture_text("unseen.applied"));
}

TEST(ApplyBytePairs, MergesByRankFromTheLeft) {
  struct Example {
    const char *merges, *line;
    Pieces pieces;
  };
  const Example examples[] = {
      {"b c</w>\na b\na bc</w>\n", "abc abd b", {"abc", "ab@@", "d", "b"}},  // the lowest rank first
      // Merging (a, bc) makes (abc, a) possible, of a lower rank; the second (a, bc) comes before it.
      {"b c\nabc a\na bc\n", "abcabcx", {"abc@@", "abc@@", "x"}},
      {"x x\nx y</w>\n", "xxxxxy", {"xx@@", "xx@@", "xy"}},
      {"a b\n", "ab aba", {"a@@", "b", "ab@@", "a"}},     // the last character is another symbol
      {"b c</w>\na b\nb c</w>\n", "abc", {"a@@", "bc"}},  // a repeated merge has no effect
      {"a b\n", "\xFF\x80 \xC3", {"\xFF@@", "\x80", "\xC3"}},
      {"a b\n", "", {}},
      {"a b\n", " \r ", {}}};
  for (const auto& [merges, line, pieces] : examples) {
    BytePairEncoding encoding = codes(merges);
    EXPECT_EQ(encoding.apply(line), pieces) << line;
  }
}

TEST(ApplyBytePairs, TextKeepsTheSpacesAroundTheLine) {
  BytePairEncoding encoding = codes("a b\n");
  EXPECT_EQ(encoding.apply_to_text("  ab   abc  "), "  a@@ b ab@@ c  ");
  EXPECT_EQ(encoding.apply_to_text("   "), "   ");
  EXPECT_EQ(encoding.apply_to_text("ab \t \u00A0"), "a@@ b \t \u00A0");
  EXPECT_EQ(encoding.apply_to_text(" \r"), " \r");
  EXPECT_EQ(encoding.apply_to_text(""), "");
}

TEST(ApplyBytePairs, ALongWordTakesNoQuadraticTime) {
  BytePairEncoding encoding = codes("a a\naa aa\naaaa aaaa\n");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(encoding.apply(std::string(1'000'001, 'a')).size(), 125'001u);
  // A second or so at -O0 and 0.1 s at -O2; a scan of the word at each merge would take a day.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(JoinPieces, UndoesApply) {
  EXPECT_EQ(BytePairEncoding::join({"low@@", "est", "lo@@", "w@@", "er"}), "lowest lower");
  EXPECT_EQ(BytePairEncoding::join({"a", "b@@"}), "a b");
  EXPECT_EQ(BytePairEncoding::join({"@@", "x", "y@@@@", "z"}), "x y@@z");
  EXPECT_EQ(BytePairEncoding::join({}), "");
}

// As sed has it.
TEST(JoinPieces, AWordOfTheTextThatEndsInTheMarkerLosesIt) {
  BytePairEncoding encoding = codes("@ @</w>\n");
  EXPECT_EQ(BytePairEncoding::join(encoding.apply("foo@@ bar")), "foobar");
}

TEST(CodesFile, SurvivesARoundTrip) {
  const std::string text = fixture_text("corpus.codes");
  EXPECT_EQ(BytePairEncoding::parse(text, "x").to_text(), text);
  EXPECT_EQ(codes("").to_text(), "#version: 0.2\n");
  EXPECT_EQ(codes("a b\na b\n").to_text(), "#version: 0.2\na b\na b\n");
}

TEST(CodesFile, TheErrorNamesTheLine) {
  const auto error = [](const std::string& text) {
    const std::string message = error_of([&] { BytePairEncoding::parse(text, "bpe.codes"); });
    EXPECT_TRUE(contains(message, " (hint: ")) << message;
    return message.substr(0, message.find(" (hint: "));
  };
  EXPECT_EQ(error("a b\n"), "bpe.codes:1: does not begin with \"#version: 0.2\"");
  EXPECT_EQ(error("#version: 0.3\na b\n"), "bpe.codes:1: unknown version of a codes file");
  for (const char* line : {"", " ", "a", "a ", " a", "a  b", "a b ", "a b c", "a\tb"}) {
    EXPECT_EQ(error("#version: 0.2\na b\n" + std::string(line) + "\n"), "bpe.codes:3: not a merge") << line;
  }
}

TEST(CodesFile, SizeIsLimited) {
  const std::string text = "#version: 0.2\n" + repeated("a b\n", BytePairEncoding::kMaxMerges);
  EXPECT_EQ(BytePairEncoding::parse(text, "x").merges(), BytePairEncoding::kMaxMerges);
  EXPECT_TRUE(contains(error_of([&] { BytePairEncoding::parse(text + "a b\n", "x"); }),
                       "x:100002: more than 100000"));
}

// A word of 10,000 letters that occurs twice is merged to its end, and each merge is longer than the last.
TEST(BytePairEncoding, RefusesToLearnWhatNobodyCouldLoad) {
  Ways fast = ways;  // the plain way would take minutes
  fast.byte_pairs = Way::kFast;
  const WaysInScope in_scope(fast);
  std::string word;
  Random random(random_stream(1, 2, 3));
  while (word.size() < 10'000) word += static_cast<char>('a' + random.below(26));
  EXPECT_TRUE(contains(error_of([&] {
                         BytePairEncoding::learn({{word, 2}}, 20'000);
                       }),
                       "the learned merges: would fill a file of more than 8 MiB"));
}

}  // namespace
}  // namespace plainformer
