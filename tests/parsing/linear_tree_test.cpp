#include "parsing/linear_tree.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/random.h"
#include "data/text.h"
#include "parsing/tree.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

Tree tree_of(const std::string& text) {
  std::istringstream stream(text);
  Tree tree;
  TreeReader(stream, "text").next(tree);
  return tree;
}

std::vector<std::string> words_of(const std::string& sentence) {
  const std::vector<std::string_view> words = split_words(sentence);
  return {words.begin(), words.end()};
}

TEST(LinearTree, LeavesOutTheWords) {
  EXPECT_EQ(linearize(tree_of("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")),
            "(S (NP DT NN )NP (VP VBZ )VP )S");
  EXPECT_EQ(linearize(tree_of("(UH no)")), "UH");
}

TEST(LinearTree, BecomesTheTreeAgain) {
  for (const char* text : {"(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))", "(UH no)",
                           "(NP (NP (NP (NN cat))))", "(S (NP (-LRB- -LRB-) (NN cat)) (: ;))"}) {
    const Tree tree = tree_of(text);
    const ParsedSentence parsed = tree_of_line(linearize(tree), words_of(sentence_of(tree)));
    EXPECT_EQ(to_string(parsed.tree), text);
    EXPECT_FALSE(parsed.is_repaired) << text;
  }
}

// The repairs, in the order in which the header lists them.
TEST(LinearTree, IsRepaired) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"(S (NP )NP DT NN )S", "(S (DT the) (NN cat))"},
      {"(S DT NN VBZ )S", "(S (DT the) (NN cat))"},
      {"(S DT )NP NN )S", "(S (DT the) (NN cat))"},
      {")S (S DT NN )S", "(S (DT the) (NN cat))"},
      {"(S (NP DT (VP NN )NP )S", "(S (NP (DT the) (VP (NN cat))))"},
      {"(S (NP DT NN", "(S (NP (DT the) (NN cat)))"},
      {"(S (NP DT )NP )S", "(S (NP (DT the)) (XX cat))"},
      {"(S (NP DT", "(S (NP (DT the) (XX cat)))"},
      {"DT NN", "(S (DT the) (NN cat))"},
      {"(NP DT )NP (VP NN )VP", "(S (NP (DT the)) (VP (NN cat)))"},
      {"(S D(T NN )S", "(S (XX the) (NN cat))"},
      {"( (S DT (NP( NN )S", "(S (DT the) (NN cat))"},
      {"(S -NONE- N\tN )S", "(S (XX the) (XX cat))"},
      {"", "(S (XX the) (XX cat))"},
      {"(S )S", "(S (XX the) (XX cat))"},
  };
  for (const auto& [line, tree] : cases) {
    const ParsedSentence parsed = tree_of_line(line, {"the", "cat"});
    EXPECT_EQ(to_string(parsed.tree), tree) << line;
    EXPECT_TRUE(parsed.is_repaired) << line;
  }
}

TEST(LinearTree, IsATreeOverAllWordsWhateverTheLine) {
  const std::vector<std::string> words = {"the", "cat", "sleeps"};
  const std::vector<std::string> tokens = {"(S", "(NP", ")NP",    ")S", "NN", "(",
                                           ")",  "DT",  "-NONE-", "((", "))"};
  Random random(random_stream(16, 0, 0));
  for (int i = 0; i < 2000; ++i) {
    std::string line;
    for (int length = static_cast<int>(random.below(12)); length > 0; --length)
      line += tokens[random.below(std::ssize(tokens))] + " ";
    const ParsedSentence parsed = tree_of_line(line, words);
    EXPECT_EQ(sentence_of(parsed.tree), "the cat sleeps") << line;
    EXPECT_EQ(tree_of(to_string(parsed.tree)), parsed.tree) << line;
    EXPECT_EQ(parsed.is_repaired, words_of(line) != words_of(linearize(parsed.tree))) << line;
  }
}

TEST(LinearTree, HasWordsThatAreWordsOfATree) {
  for (const std::vector<std::string>& words : {std::vector<std::string>(), {""}, {"a b"}, {"a\tb"}, {"("}})
    EXPECT_THROW(tree_of_line("NN", words), std::logic_error);
}

TEST(LinearTree, IsNeverDeeperThanATreeMayBe) {
  const ParsedSentence parsed = tree_of_line(repeated("(NP ", 3 * kMaxTreeDepth) + "NN", {"cat"});
  EXPECT_EQ(tree_of(to_string(parsed.tree)), parsed.tree);
  EXPECT_TRUE(parsed.is_repaired);
}

}  // namespace
}  // namespace plainformer
