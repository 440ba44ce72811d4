// Paper: 6.3 English Constituency Parsing.
//
// A constituency tree, as the Penn Treebank writes it:
//
//   (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))
//
// A phrase has a label and the parts that it consists of. A leaf has a tag and a word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace plainformer {

struct Tree {
  std::string label;                // of a phrase, "NP"; of a leaf, its tag, "DT"
  std::string word = {};            // of a leaf, "the"
  std::vector<Tree> children = {};  // of a phrase, at least one

  bool is_leaf() const { return children.empty(); }
  bool operator==(const Tree&) const = default;
};

// A tree may be this deep: a leaf alone has depth 1.
inline constexpr Index kMaxTreeDepth = 1000;

// Labels, tags and words hold none of these.
inline constexpr std::string_view kTreeSpace = " \t\r\v\f";
inline constexpr std::string_view kEndOfTreeToken = " \t\r\v\f()";

// The tag of a trace: a mark in the tree for a word that stands elsewhere in the sentence.
inline constexpr std::string_view kTraceTag = "-NONE-";

// From left to right. They point into the tree.
std::vector<const Tree*> leaves_of(const Tree& tree);

// The words with a space between two: the sentence.
std::string sentence_of(const Tree& tree);

// A sentence as it may stand in a tree: "(" becomes -LRB- and ")" becomes -RRB-, the treebank's names for them,
// and white space of all kinds becomes a space.
std::string as_words_of_a_tree(const std::string& sentence);

// In one line, as above.
std::string to_string(const Tree& tree);

// TOP, ROOT or S1: treebanks have such a bracket around each sentence.
bool is_root(const std::string& label);

// The tree that a parser learns. Left out are traces and the phrases that hold only traces, the function tags in
// the labels of phrases (NP-SBJ and NP=2 become NP), and a root around one phrase. If nothing is left, the result
// is a leaf without a word.
Tree without_traces_and_function_tags(const Tree& tree);

}  // namespace plainformer
