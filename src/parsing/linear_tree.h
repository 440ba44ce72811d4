// Paper: 6.3 English Constituency Parsing.
//
// A tree as a sequence of tokens, so that parsing is translation (Vinyals & Kaiser et al. 2014):
//
//   (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))   ->   (S (NP DT NN )NP (VP VBZ )VP )S
//
// The words are left out, because the k-th tag is that of the k-th word of the sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsing/tree.h"

namespace plainformer {

// "(S (NP DT NN )NP (VP VBZ )VP )S"
std::string linearize(const Tree& tree);

// The limit of the output: "we increased the maximum output length to input length + 300."
inline constexpr Index kLinearTreeExtraLength = 300;

struct ParsedSentence {
  Tree tree;
  bool is_repaired = false;  // its linear form is not the line
};

// The tree over the words whose linear form is `line`. A model may write a line that is not the linear form
// of any tree over these words. Then the line is repaired:
//   - Some tokens are left out: brackets without words in them or without a label, brackets that would make
//     the tree too deep for a TreeReader, tags beyond the last word, closing brackets that match no open one.
//   - A closing bracket that matches an outer phrase closes the inner ones, too. The end closes all.
//   - A word gets the tag XX if it has none, or one that is a trace's or holds a bracket or white space.
//   - Words after the last tag go into the phrase that is open there, or into the last root.
//   - Several roots, or several words without a root, go under one S.
//
//   words   at least one; each as as_words_of_a_tree leaves it
ParsedSentence tree_of_line(std::string_view line, const std::vector<std::string>& words);

}  // namespace plainformer
