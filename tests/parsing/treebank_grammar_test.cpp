#include "parsing/treebank_grammar.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

std::vector<Tree> drawn_trees(int count) {
  Random random(random_stream(17, 0, 0));
  std::vector<Tree> trees;
  trees.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) trees.push_back(random_tree(random, kTrainedDepth + 2));
  return trees;
}

std::map<std::string, std::string> classes_by_word() {
  const std::vector<std::pair<std::string, std::vector<std::string>>> classes = {
      {"someone", {"man", "woman", "king", "queen", "girl", "boy", "cat", "dog", "farmer"}},
      {"worn", {"hat", "crown", "beard", "coat"}},
      {"place", {"house", "garden", "castle", "village"}},
      {"part-of-place", {"roof", "fence", "tower", "gate"}},
      {"thing", {"box", "door", "bread", "soup", "book", "picture"}},
      {"part-of-thing", {"cover", "handle", "price", "label"}},
      {"unlocks", {"opens", "locks"}},
      {"unlock", {"open", "lock"}},
      {"watches", {"sees", "watches"}},
      {"watch", {"see", "watch"}},
      {"paints", {"paints", "cleans"}},
      {"paint", {"paint", "clean"}},
      {"likes", {"likes", "finds", "buys"}},
      {"like", {"like", "find", "buy"}},
      {"sleeps", {"sleeps", "laughs", "dances", "works"}},
      {"sleep", {"sleep", "laugh", "dance", "work"}},
      {"says", {"says", "thinks", "knows"}},
      {"say", {"say", "think", "know"}},
      {"the", {"the", "a", "this", "every"}},
      {"near", {"in", "near", "behind"}},
      {"dinner", {"dinner", "lunch", "winter"}}};
  std::map<std::string, std::string> by_word;
  for (const auto& [name, words] : classes)
    for (const std::string& word : words) by_word[word] = name;
  return by_word;
}

// The tree without adjectives, and with classes for words: the grammar distinguishes no more.
Tree with_classes(const Tree& tree) {
  static const std::map<std::string, std::string> classes = classes_by_word();
  const auto word_class = classes.find(tree.word);
  Tree result = {.label = tree.label, .word = word_class == classes.end() ? tree.word : word_class->second};
  for (const Tree& child : tree.children)
    if (child.label != "JJ") result.children.push_back(with_classes(child));
  return result;
}

TEST(TreebankGrammar, GivesEachSentenceOneTree) {
  std::map<std::string, std::string> trees;
  int repeated = 0;
  for (const Tree& drawn : drawn_trees(8000)) {
    const Tree tree = with_classes(drawn);
    const auto [known, is_new] = trees.emplace(sentence_of(tree), to_string(tree));
    EXPECT_TRUE(is_new || known->second == to_string(tree)) << to_string(tree) << "\n" << known->second;
    repeated += is_new ? 0 : 1;
  }
  EXPECT_GT(repeated, 1000) << "otherwise this shows little";
}

TEST(TreebankGrammar, LetsTheWordsDecideTheTree) {
  std::string text;
  for (const Tree& tree : drawn_trees(10000)) text += to_string(tree) + "\n";
  for (const char* phrase :
       {"(VP (VBZ opens) (NP (DT the) (NN door)) (PP (IN with) (NP (DT the) (NN key))))",
        "(NP (NP (DT the) (NN door)) (PP (IN with) (NP (DT the) (NN handle))))", "(SBAR (IN that) (S (NP ",
        "(SBAR (WHNP (WDT that)) (S (NP ", "(SBAR (WHNP (WDT that)) (S (VP ", "(S (S (NP "}) {
    EXPECT_TRUE(contains(text, phrase)) << phrase;
  }
}

TEST(TreebankGrammar, CountsClausesInsideEachOther) {
  const Tree sleeps = {.label = "S",
                       .children = {{.label = "VP", .children = {{.label = "VBZ", .word = "sleeps"}}}}};
  EXPECT_EQ(clause_depth({.label = "NN", .word = "S"}), 0);
  EXPECT_EQ(clause_depth(sleeps), 1);
  EXPECT_EQ(clause_depth({.label = "S", .children = {sleeps, {.label = "SBAR", .children = {sleeps}}}}), 2);
  Random random(random_stream(18, 0, 0));
  for (Index depth = 1; depth <= 5; ++depth) {
    Index deepest = 0;
    for (int i = 0; i < 1000; ++i) deepest = std::max(deepest, clause_depth(random_tree(random, depth)));
    EXPECT_EQ(deepest, depth);
  }
}

TEST(GenerateTreebank, KeepsDepthsAndSentencesApart) {
  const Treebank treebank = generate_treebank(1, 1000, 100);
  std::set<std::string> sentences;
  for (const std::vector<Tree>* trees :
       {&treebank.train, &treebank.valid, &treebank.test, &treebank.deeper}) {
    EXPECT_EQ(trees->size(), trees == &treebank.train ? 1000u : 100u);
    for (const Tree& tree : *trees) {
      EXPECT_TRUE(sentences.insert(sentence_of(tree)).second) << "a repeated sentence";
      EXPECT_LE(std::ssize(leaves_of(tree)), kMaxTreebankWords);
      const Index depth = clause_depth(tree);
      if (trees == &treebank.deeper) {
        EXPECT_TRUE(depth == kTrainedDepth + 1 || depth == kTrainedDepth + 2) << depth;
      } else {
        EXPECT_TRUE(1 <= depth && depth <= kTrainedDepth) << depth;
      }
    }
  }
}

// A hash of all trees, because each draw matters.
TEST(GenerateTreebank, IsTheSameOnEveryPlatform) {
  const Treebank treebank = generate_treebank(1, 50, 10);
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const std::vector<Tree>* trees :
       {&treebank.train, &treebank.valid, &treebank.test, &treebank.deeper}) {
    for (const Tree& tree : *trees)
      for (const char c : to_string(tree)) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  EXPECT_EQ(hash, 9574534678258514047u);
}

TEST(GenerateTreebank, HasABound) {
  EXPECT_THROW(generate_treebank(1, kMaxTreebankTrees, 1), std::logic_error);
  EXPECT_THROW(generate_treebank(1, -1, 1), std::logic_error);
}

}  // namespace
}  // namespace plainformer
