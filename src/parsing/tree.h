// Paper: 6.3 English Constituency Parsing.
//
// A constituency tree, as the Penn Treebank writes it:
//
//   (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))
//
// A phrase has a label and the parts that it consists of. A leaf has a tag and a word.
#pragma once

#include <istream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"
#include "data/text.h"

namespace plainformer {

struct Tree {
  std::string label;                // a phrase's label, "NP"; a leaf's tag, "DT"
  std::string word = {};            // a leaf's word, "the"
  std::vector<Tree> children = {};  // a phrase's parts, at least one

  bool is_leaf() const { return children.empty(); }
  bool operator==(const Tree&) const = default;
};

// The depth of the deepest tree. A leaf alone has depth 1.
inline constexpr Index kMaxTreeDepth = 1000;

// The characters that no label, tag or word may hold.
inline constexpr std::string_view kTreeSpace = " \t\r\v\f";
inline constexpr std::string_view kEndOfTreeToken = " \t\r\v\f()";

// The tag of a trace: a mark in the tree for a word that is elsewhere in the sentence.
inline constexpr std::string_view kTraceTag = "-NONE-";

// The leaves from left to right. They point into the tree.
std::vector<const Tree*> leaves_of(const Tree& tree);

// The sentence: the words with a space between two.
std::string sentence_of(const Tree& tree);

// A sentence as a tree spells it: "(" becomes -LRB- and ")" becomes -RRB-, the treebank's names for them, and
// white space of ASCII becomes a space.
std::string as_words_of_a_tree(const std::string& sentence);

// The tree in one line, as the example at the top.
std::string to_string(const Tree& tree);

// Is it TOP, ROOT or S1, as treebanks label the bracket around a sentence?
bool is_root(const std::string& label);

// The tree that a parser learns: without traces and phrases that hold only traces, without function tags in
// the labels of phrases (NP-SBJ and NP=2 become NP), and without a root around one phrase. If nothing is
// left, the result is a leaf without a word.
Tree without_traces_and_function_tags(const Tree& tree);

// Reads trees in the Penn Treebank's format.
//
//   ( (S (NP-SBJ (DT the) (NN cat))
//        (VP (VBZ sleeps))))
//
// A tree may take several lines, and a line may hold several trees. A bracket without a label around one
// tree, as the treebank has it around each sentence, means that tree. Between trees, empty lines are skipped,
// and so are comments: lines that begin with *, %, ; or #.
class TreeReader {
 public:
  // `input` must outlive the reader; `name` is the file's, for messages.
  TreeReader(std::istream& input, std::string name);

  // Reads the next tree. False at the end. input_error that names file and line for a bracket that is not
  // closed or not open, a phrase without parts, a leaf without a word or with two, text between trees, a tree
  // deeper than kMaxTreeDepth, and a line that LineReader refuses.
  bool next(Tree& tree);

  // "wsj_2300.mrg:12", the line in which the last tree begins; "wsj_2300.mrg" before the first one.
  std::string where() const;
  Index first_line() const { return first_line_; }  // its number; 0 before the first tree

 private:
  bool find_token();
  bool find_tree();
  std::string take_token();
  std::runtime_error error(const std::string& problem) const;  // in the present line
  void add_word(Tree& bracket, std::string token) const;
  Tree closed(Tree bracket) const;

  LineReader lines_;
  std::string name_, line_;
  std::size_t at_ = 0;  // the next byte of line_
  Index first_line_ = 0;
};

}  // namespace plainformer
