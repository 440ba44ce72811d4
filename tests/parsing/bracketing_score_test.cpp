#include "parsing/bracketing_score.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

BracketingCounts counts_of(const std::string& gold, const std::string& test) {
  std::istringstream gold_stream(gold), test_stream(test);
  TreeReader gold_reader(gold_stream, "gold"), test_reader(test_stream, "test");
  return corpus_bracketing(gold_reader, test_reader);
}

constexpr const char* kGold = "(S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (DT a) (NN dog))))";

TEST(BracketingScore, CountsPhrasesByHand) {
  // gold: S 0-5, NP 0-2, VP 2-5, NP 3-5; test: S 0-5, NP 0-2, VP 2-4, NP 3-4, and a wrong tag.
  const BracketingCounts counts =
      counts_of(kGold, "(S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (DT a))) (VB dog))");
  EXPECT_EQ(
      counts,
      (BracketingCounts{
          .sentences = 1, .complete = 0, .matched = 2, .gold = 4, .test = 4, .words = 5, .right_tags = 4}));
  EXPECT_DOUBLE_EQ(counts.recall(), 50);
  EXPECT_DOUBLE_EQ(counts.precision(), 50);
  EXPECT_DOUBLE_EQ(counts.f1(), 50);
  EXPECT_EQ(
      to_string(counts),
      "F1 = 50.00 (recall = 50.00 precision = 50.00 complete match = 0.0 % tags = 80.0 % sentences = 1)");
}

TEST(BracketingScore, LeavesOutWhatDoesNotCount) {
  struct Example {
    const char *gold, *test;
    Index matched, of_gold, of_test, sentences;
  };
  const Example examples[] = {
      // Punctuation of the gold, and PRN, which has no other word.
      {"(S (NP (NN cat)) (: -) (PRN (, ,)) (VP (VBZ sleeps)) (. .))",
       "(S (NP (NN cat) (NN -) (, ,)) (VP (VBZ sleeps) (. .)))", 3, 3, 3, 1},
      {"(: (NN cat))", "(NP (NN cat))", 0, 0, 1, 1},  // a phrase labeled as punctuation
      // Roots, functions and traces.
      {"(S1 (NP (NN cat)) (. .))", "(ROOT (NP (NN cat)) (. .))", 1, 1, 1, 1},
      {"(TOP (S (NP-SBJ=1 (NN cat)) (VP (VBZ sleeps) (SBAR (-NONE- 0) (S (-NONE- *T*-1))))))",
       "(S (NP (NN cat)) (VP (VBZ sleeps)))", 3, 3, 3, 1},
      {"(TOP (NP (NN cat)) (. .))", "(TOP (NN cat) (. .))", 0, 1, 0, 1},
      // Equal brackets match one to one.
      {"(NP (NP (NN cat)))", "(NP (NN cat))", 1, 2, 1, 1},
      {"(NP (NN cat))", "(NP (NP (NN cat)))", 1, 1, 2, 1},
      // A sentence of traces or of punctuation alone.
      {"(NP (-NONE- *)) (NP (NN cat))", "(NP (NN cat))", 1, 1, 1, 1},
      {"(NP (NN cat)) (NP (-NONE- *))", "(NP (NN cat))", 1, 1, 1, 1},
      {"(NP (NN cat)) (X (. .))", "(NP (NN cat)) (X (. .))", 1, 1, 1, 1}};
  for (const Example& example : examples) {
    const BracketingCounts counts = counts_of(example.gold, example.test);
    EXPECT_EQ(counts.matched, example.matched) << example.gold;
    EXPECT_EQ(counts.gold, example.of_gold) << example.gold;
    EXPECT_EQ(counts.test, example.of_test) << example.gold;
    EXPECT_EQ(counts.sentences, example.sentences) << example.gold;
  }
}

TEST(BracketingScore, SumsBeforeItDivides) {
  // 4 of 4 and 0 of 1: the mean of the sentences' F1 would be 50.
  const BracketingCounts counts =
      counts_of(std::string(kGold) + " (NP (NN cat))", std::string(kGold) + " (VP (NN cat))");
  EXPECT_EQ(counts.sentences, 2);
  EXPECT_DOUBLE_EQ(counts.f1(), 80);
}

std::vector<Tree> read_trees(const std::string& path) {
  std::ifstream file(path);
  TreeReader reader(file, path);
  std::vector<Tree> trees;
  for (Tree tree; reader.next(tree);) trees.push_back(tree);
  return trees;
}

// tests/parsing/fixtures/make_bracketing.py let evalb count.
TEST(BracketingScore, CountsAsEvalbDoes) {
  const std::string fixtures = PLAINFORMER_SOURCE_DIR "/tests/parsing/fixtures/bracketing";
  const std::vector<Tree> gold = read_trees(fixtures + ".gold"), test = read_trees(fixtures + ".test");
  std::ifstream evalb(fixtures + ".evalb");
  std::string heading;
  std::getline(evalb, heading);
  ASSERT_EQ(heading, "# matched gold test words right_tags");
  ASSERT_EQ(gold.size(), 200u);
  for (std::size_t i = 0; i < gold.size(); ++i) {
    const BracketingCounts counts = bracketing_counts(without_traces_and_function_tags(gold[i]),
                                                      without_traces_and_function_tags(test[i]));
    for (const Index ours : {counts.matched, counts.gold, counts.test, counts.words, counts.right_tags}) {
      Index theirs = -1;
      evalb >> theirs;
      EXPECT_EQ(ours, theirs) << "pair " << i + 1;
    }
  }
}

TEST(BracketingScore, RefusesTreesOfOtherSentences) {
  const auto message = [](const std::string& gold, const std::string& test) {
    return error_of([&] { counts_of(gold, test); });
  };
  EXPECT_EQ(message("(NN cat)\n(NN cat)", "(NN cat)\n\n(NN dog)"),
            "test:3: the words differ from those of gold:2 (hint: parse the sentences that "
            "'plainformer treebank sentences' prints for this treebank)");
  EXPECT_EQ(message("(NN cat)\n(NN dog)", "(NN cat)"),
            "gold:2: a tree without a counterpart in the other file (hint: give both files one tree for each "
            "sentence, in the same order)");
  EXPECT_EQ(message("(NN cat)", "(NN cat)\n(NN dog)").find("test:2: a tree without a counterpart"), 0u);
  EXPECT_EQ(message("", ""),
            "gold: no tree has a word that counts (hint: give at least one tree with a word that is not "
            "punctuation)");
  EXPECT_EQ(message("(S (. .))", "(S (. .))").find("gold:1: no tree has a word that counts"), 0u);
}

}  // namespace
}  // namespace plainformer
