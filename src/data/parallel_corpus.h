// Paper: 5.1 Training Data and Batching.
//
// Parallel text: pairs of a sentence and its translation. It comes as two files for each part, line i
// opposite line i, or as one file with a pair on each line, in columns that a tab separates (TSV). In the
// second kind, a tab always ends a column, and a line feed always ends a pair: there is no quoting, so a
// quotation mark is a character of the text. Both LF and CR LF end a line, also in the same file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"
#include "data/batching.h"
#include "data/byte_pair_encoding.h"
#include "data/vocabulary.h"
#include "data/words.h"

namespace plainformer {

// The columns of a file of pairs that hold the two sides, counted from 1.
struct PairColumns {
  Index source = 1, target = 2;

  bool operator==(const PairColumns&) const = default;
};

// The text is read in this order: the sources with their targets, then the files of pairs.
struct CorpusFiles {
  std::vector<std::string> source = {}, target = {};  // equally many; the i-th belong together
  std::vector<std::string> pairs = {};                // tab-separated; "-" is standard input
  PairColumns columns = {};                           // the columns of every file in `pairs`

  bool empty() const { return source.empty() && target.empty() && pairs.empty(); }
};

// The two sides of a text, line by line. In a file of pairs, a blank line has two empty sides.
struct PairLines {
  std::vector<std::string> source, target;  // equally many
};

// Lines may differ in their number of columns. The path "-" is standard input, which may be read again
// (standard_input). input_error if the file is empty, if a line has no column of these numbers, if a carriage
// return is within a line, or if LineReader refuses the line.
PairLines read_pair_file(const std::string& path, const PairColumns& columns);

// Where a pair is: the line of its file, or its number in a built-in grammar.
struct PairPlace {
  std::string file;
  Index line;  // from 1
};

// Pairs of one kind: their number, and the places of the first fifty.
struct PairCount {
  Index pairs = 0;
  std::vector<PairPlace> first;

  void add(const PairPlace& place);
};

// The pairs of all files, one after the other. Default-constructed, there are none.
class ParallelCorpus {
 public:
  struct LinePair {
    Index line;  // its number in its file, from 1
    std::string source, target;
    Index file = 0;  // among the corpus's files
  };

  // `words` cuts the lines into the words that a model reads; pairs() keeps them as they were written.
  // Pairs with an empty side are left out and counted. input_error if the numbers of lines differ, a file has
  // no lines, no pair is left, or read_lines or read_pair_file refuses a file.
  static ParallelCorpus load(const CorpusFiles& files, const WordRule& words = {});

  // Takes lines from memory instead, equally many on each side. Errors call them `name`. `lines` are their
  // numbers; without them, they count from 1.
  static ParallelCorpus from_lines(std::vector<std::string> source, std::vector<std::string> target,
                                   const std::string& name, const std::vector<Index>& lines = {});

  const std::vector<LinePair>& pairs() const { return pairs_; }
  PairPlace place_of(const LinePair& pair) const { return {files_[pair.file], pair.line}; }
  const PairCount& empty_pairs() const { return empty_; }  // one side, or both, is white space

  // Validation text for a training text that has none: moves `count` pairs, or fewer if fewer can be held
  // out, to a corpus of their own. Neither sentence of a held-out pair occurs in another pair, because what
  // training has read measures nothing. The choice depends only on the words of the pairs: not on a seed, so
  // that runs of several seeds are compared on the same text, and hardly on pairs that are added later.
  // Contract: count < pairs().size().
  ParallelCorpus hold_out(Index count);

  // The words of both sides, to learn a byte pair encoding from. Where words are cut at marks, a word counts
  // once for each pair that holds it, and a word with a digit does not count. So names and numbers that few
  // pairs hold are spelled, and what is spelled can be copied.
  WordCounts word_counts() const;

  // The pieces of both sides, and their vocabulary. input_error if there are more pieces than a vocabulary
  // can hold.
  Vocabulary::TokenCounts piece_counts(BytePairEncoding& encoding) const;
  Vocabulary build_vocabulary(BytePairEncoding& encoding) const;

  // The pairs as ids, in the order of the files. Adds those that have more than max_length tokens on a side
  // to `too_long` instead. input_error if no pair is left.
  std::vector<SentencePair> encode(BytePairEncoding& encoding, const Vocabulary& vocabulary, Index max_length,
                                   PairCount& too_long) const;

 private:
  void add_lines(PairLines text, const std::string& name, const std::vector<Index>& lines = {});
  void finish_loading();
  const std::string& name() const { return files_.front(); }  // for errors

  std::vector<std::string> files_;
  std::vector<LinePair> pairs_;
  PairCount empty_;
  WordRule words_;
};

// A hash of the words of a sentence, whatever white space is between them. Two other sentences share
// their key about once in 2^64 (FNV-1a, of Fowler, Noll and Vo, with the last step of SplitMix64, which
// spreads the bits).
std::uint64_t sentence_key(std::string_view sentence);

// The key of a pair whose sides have these keys.
std::uint64_t pair_key(std::uint64_t source, std::uint64_t target);

// How many pairs training holds out where nobody says so: a tenth, but at most 1,000, and none of fewer than
// kFewestToHoldOutOf. A few sentences measure nothing, and a run on so little text is meant to learn them by
// heart.
Index usual_held_out_pairs(Index pairs);
inline constexpr Index kFewestToHoldOutOf = 50;

}  // namespace plainformer
