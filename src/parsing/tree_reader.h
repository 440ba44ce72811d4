// Reads trees in the Penn Treebank's format.
//
//   ( (S (NP-SBJ (DT the) (NN cat))
//        (VP (VBZ sleeps))))
//
// A tree may take several lines, and a line may hold several trees. A bracket without a label around one tree,
// as the treebank has it around each sentence, means that tree. Between trees, empty lines are skipped, and so
// are comments: lines that begin with *, %, ; or #.
#pragma once

#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/text.h"
#include "parsing/tree.h"

namespace plainformer {

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
