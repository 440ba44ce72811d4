// Counts over many sentences which heads link two words.
//
// A case is an occurrence of the word A, in the rows, that can see the word B, in the columns. A head links
// the two in this case if B has the largest weight of all words in A's row. A word of several pieces is
// treated as in Clark et al. 2019, "What Does BERT Look At?", section 4.1: the weight of a word is the sum
// over its pieces, and its row is the mean of their rows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "show/attention/attended_pair.h"

namespace plainformer {

struct WordLink {
  std::string from, to;  // the word of the rows, and the word of the columns

  // Reads "kauft->buys". UsageError for anything else.
  static WordLink parse(const std::string& text);
};

struct LinksOfHead {
  Index layer = 0, head = 0;
  Index largest = 0;      // cases in which the largest weight is on the word
  double weight_sum = 0;  // of the weight on it

  bool operator==(const LinksOfHead&) const = default;
};

struct LinksOfKind {
  AttentionKind kind;
  Index pairs = 0, cases = 0;
  Index hidden = 0;                       // further occurrences of A that cannot see B, because B comes later
  double equal_weights = 0;               // the sum of the weight that B would have if all were equal
  double words_share = 0;                 // the sum of B's share of the words that can be seen
  std::map<Index, Index> distances = {};  // cases by B's place minus A's, in words
  std::vector<LinksOfHead> heads = {};

  // The most common distance, and its cases. Between equally common ones: the nearest.
  std::pair<Index, Index> commonest_distance() const;
};

class LinkCounter {
 public:
  explicit LinkCounter(WordLink link) : link_(std::move(link)) {}

  void add(const std::vector<AttentionOfKind>& pair);

  // The links of each kind, with the heads in descending order: by cases, then by weight.
  std::vector<LinksOfKind> result() const;

 private:
  void add(const AttentionOfKind& attention, LinksOfKind& links) const;

  WordLink link_;
  std::vector<LinksOfKind> kinds_;
};

}  // namespace plainformer
