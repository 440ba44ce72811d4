// Paper: 6.3 English Constituency Parsing, Table 4 (its measure).
//
// Labeled bracketing recall, precision and F1 by the rules of evalb with its COLLINS.prm (Sekine and Collins,
// 1997). A bracket is a phrase: its label, its first word and its last.
//
//   recall    = brackets of the test that the gold has / brackets of the gold
//   precision = brackets of the test that the gold has / brackets of the test
//   F1        = 2 recall precision / (recall + precision)
//
// all summed over the corpus before they are divided. Not counted: leaves, words whose tag in the gold is
// punctuation, phrases that hold only such words or are labeled as punctuation, roots, and the rest of what
// without_traces_and_function_tags leaves out. ADVP equals PRT.
#pragma once

#include <string>

#include "parsing/tree.h"
#include "parsing/tree_reader.h"

namespace plainformer {

// The counts of a corpus are the sums over its sentences.
struct BracketingCounts {
  Index sentences = 0;
  Index complete = 0;                     // sentences without a wrong or missing bracket
  Index matched = 0, gold = 0, test = 0;  // brackets
  Index words = 0, right_tags = 0;        // without punctuation

  BracketingCounts& operator+=(const BracketingCounts& other);
  bool operator==(const BracketingCounts&) const = default;

  // 0 to 100; 0 where there is nothing to divide by.
  double recall() const;
  double precision() const;
  double f1() const;
};

// Of two trees with the same words, as without_traces_and_function_tags leaves them. Without a word that counts,
// there is no sentence to count.
BracketingCounts bracketing_counts(const Tree& gold, const Tree& test);

// Tree i of `test` against tree i of `gold`, of those that have words. input_error that names the lines if their
// words differ, if one has more trees, or if no word counts.
BracketingCounts corpus_bracketing(TreeReader& gold, TreeReader& test);

// "F1 = 91.30 (recall = 90.12 precision = 92.51 complete match = 40.0 % tags = 97.0 % sentences = 2416)", in
// every locale.
std::string to_string(const BracketingCounts& counts);

}  // namespace plainformer
