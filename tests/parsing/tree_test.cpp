#include "parsing/tree.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

const Tree kCat = {
    .label = "S",
    .children = {
        {.label = "NP", .children = {{.label = "DT", .word = "the"}, {.label = "NN", .word = "cat"}}},
        {.label = "VP", .children = {{.label = "VBZ", .word = "sleeps"}}}}};

TEST(Tree, IsOneLineOfText) {
  EXPECT_EQ(to_string(kCat), "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))");
  EXPECT_EQ(to_string({.label = "UH", .word = "no"}), "(UH no)");
}

TEST(Tree, HasItsSentenceInItsLeaves) {
  const std::vector<const Tree*> leaves = leaves_of(kCat);
  ASSERT_EQ(leaves.size(), 3u);
  EXPECT_EQ(leaves[0]->label, "DT");
  EXPECT_EQ(leaves[1], &kCat.children[0].children[1]);
  EXPECT_EQ(sentence_of(kCat), "the cat sleeps");
}

TEST(Tree, NamesBracketsOfTheSentence) {
  EXPECT_EQ(as_words_of_a_tree("the cat ( a dog ) :)"), "the cat -LRB- a dog -RRB- :-RRB-");
  EXPECT_EQ(as_words_of_a_tree("the\tcat\v\f\r"), "the cat   ");
}

TEST(Tree, KeepsALabelThatBeginsWithTheSignOfAFunctionTag) {
  const Tree tree = {.label = "=2", .children = {{.label = "NN", .word = "cat"}}};
  EXPECT_EQ(without_traces_and_function_tags(tree), tree);
}

TEST(Tree, LosesTracesAndFunctions) {
  const Tree question = {
      .label = "TOP",
      .children = {
          {.label = "SBARQ",
           .children = {
               {.label = "WHNP-1", .children = {{.label = "WP", .word = "who"}}},
               {.label = "SQ",
                .children = {{.label = "NP-SBJ=2", .children = {{.label = "-NONE-", .word = "*T*-1"}}},
                             {.label = "VP", .children = {{.label = "VBZ", .word = "sleeps"}}},
                             {.label = "-LRB-", .word = "-LRB-"}}}}}}};
  EXPECT_EQ(to_string(without_traces_and_function_tags(question)),
            "(SBARQ (WHNP (WP who)) (SQ (VP (VBZ sleeps)) (-LRB- -LRB-)))");
}

TEST(Tree, KeepsARootOfTwoPhrases) {
  const Tree two = {.label = "TOP", .children = {kCat, kCat}};
  EXPECT_EQ(without_traces_and_function_tags(two), two);
}

TEST(Tree, OfTracesAloneIsALeafWithoutAWord) {
  const Tree trace = {.label = "NP", .children = {{.label = "-NONE-", .word = "*"}}};
  EXPECT_EQ(without_traces_and_function_tags(trace), Tree());
}

}  // namespace
}  // namespace plainformer
