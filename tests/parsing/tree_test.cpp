#include "parsing/tree.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

TEST(Tree, NamesBracketsOfTheSentence) {
  EXPECT_EQ(as_words_of_a_tree("the cat ( a dog ) :)"), "the cat -LRB- a dog -RRB- :-RRB-");
  EXPECT_EQ(as_words_of_a_tree("the\tcat\v\f\r"), "the cat   ");
}

TEST(Tree, LosesTracesFunctionsAndTheRoot) {
  const std::pair<const char*, const char*> cases[] = {
      {"(TOP (SBARQ (WHNP-1 (WP who)) (SQ (NP-SBJ=2 (-NONE- *T*-1)) (VP (VBZ sleeps)) (-LRB- -LRB-))))",
       "(SBARQ (WHNP (WP who)) (SQ (VP (VBZ sleeps)) (-LRB- -LRB-)))"},
      {"(=2 (NN cat))", "(=2 (NN cat))"},  // the whole label
      {"(ROOT (UH no) (UH yes))", "(ROOT (UH no) (UH yes))"},
      {"(NP (-NONE- *))", "( )"}};
  for (const auto& [text, clean] : cases) {
    std::istringstream stream(text);
    Tree tree;
    ASSERT_TRUE(TreeReader(stream, "tree").next(tree)) << text;
    EXPECT_EQ(to_string(without_traces_and_function_tags(tree)), clean);
  }
}

std::vector<std::string> trees_in(const std::string& text) {
  std::istringstream stream(text);
  TreeReader reader(stream, "trees");
  std::vector<std::string> trees;
  for (Tree tree; reader.next(tree);) trees.push_back(to_string(tree));
  return trees;
}

using Trees = std::vector<std::string>;

TEST(TreeReader, ReadsTheTreebanksLayout) {
  const std::pair<const char*, Trees> cases[] = {
      {"(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(UH no)\n",
       {"(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))", "(UH no)"}},
      {"*x*x*x*\n*x* a comment (with brackets) *x*\n\n"
       "( (S \r\n    (NP-SBJ (DT the)\t(NN cat) )\n\n    (VP\n(VBZ sleeps))))\n"
       "; another\n%% one more\n  # and one\n( (UH no))(UH yes)  (UH well)",
       {"(S (NP-SBJ (DT the) (NN cat)) (VP (VBZ sleeps)))", "(UH no)", "(UH yes)", "(UH well)"}},
      // Inside a tree, signs of comments are words.
      {"(NP (# #)\n(CD 5)\n(: ;)\n(-NONE- *T*-1) (NN %) (-LRB- -LRB-))",
       {"(NP (# #) (CD 5) (: ;) (-NONE- *T*-1) (NN %) (-LRB- -LRB-))"}},
      {"(S (NN 猫) (VV 睡觉))", {"(S (NN 猫) (VV 睡觉))"}}};
  for (const auto& [text, trees] : cases) EXPECT_EQ(trees_in(text), trees);
}

TEST(TreeReader, NamesTheLineInWhichATreeBegins) {
  std::istringstream stream("(UH no)\n\n(S\n(UH yes))\n(UH well)");
  TreeReader reader(stream, "trees");
  for (const char* line : {"trees:1", "trees:3", "trees:5"}) {
    Tree tree;
    ASSERT_TRUE(reader.next(tree));
    EXPECT_EQ(reader.where(), line);
  }
  Tree tree;
  EXPECT_FALSE(reader.next(tree));
  EXPECT_FALSE(reader.next(tree)) << "at the end it stays at the end";
}

TEST(TreeReader, RefusesMalformedTreesByLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"(UH no)\n(S (NP\n(NN cat)", "trees:2: the tree that begins here is not closed"},
      {"(UH no))", "trees:1: no bracket is open here"},
      {"(S (UH no)\n())", "trees:2: an empty bracket"},
      {"(S (NP (the)))", "trees:1: a bracket with a label, but without a word"},
      {"(S (UH no)\ncat)", "trees:2: a word after a bracket"},
      {"(S (UH no)\n(PU \u3000))", "trees:2: a word of white space alone"},
      {"(NN cat (UH no))", "trees:1: a bracket after a word"},
      {"(NN cat dog)", "trees:1: a bracket with two words"},
      {"\n\ncat", "trees:3: a word outside all brackets"},
      {"((UH no) (UH yes))", "trees:1: a bracket without a label"},
      {"(S ((UH no)))", "trees:1: a bracket without a label"},
      {"(UH \xFF)", "trees:1: not valid UTF-8"},
      {std::string(1002, '('), "trees:1: a tree deeper than 1000 (hint: is a closing bracket missing?)"},
  };
  for (const auto& [malformed, message] : cases) {
    const std::string& text = malformed;
    const std::string thrown = error_of([&] { trees_in(text); });
    EXPECT_EQ(thrown.find(message), 0u) << text.substr(0, 40) << " gives " << thrown;
    EXPECT_TRUE(contains(thrown, " (hint: "));
  }
}

TEST(TreeReader, ReadsATreeOfTheGreatestDepth) {
  const std::string tree = [] {
    std::string text = "(NN cat)";
    for (Index depth = 1; depth < kMaxTreeDepth; ++depth) text = "(NP " + text + ")";
    return text;
  }();
  EXPECT_EQ(trees_in(tree), Trees{tree});
  EXPECT_EQ(trees_in("( " + tree + " )"), Trees{tree})
      << "the outer bracket without a label is no part of it";
}

}  // namespace
}  // namespace plainformer
