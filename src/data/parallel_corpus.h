// Paper: 5.1 Training Data and Batching.
//
// Parallel text: pairs of a sentence and its translation.
#pragma once

#include <string>
#include <vector>

#include "core/real.h"
#include "data/batching.h"
#include "data/byte_pair_encoding.h"
#include "data/pair_file.h"
#include "data/vocabulary.h"
#include "data/words.h"

namespace plainformer {

// Where a pair is: the line of its file, or its number in a built-in grammar.
struct PairPlace {
  std::string file;
  Index line;  // from 1

  friend bool operator==(const PairPlace&, const PairPlace&) = default;
};

// Pairs of one kind: their number, and the places of the first three.
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
  struct Report {
    Index kept = 0;
    PairCount empty;        // one side, or both, is white space
    PairCount too_long;     // one side, or both, has more than max_length tokens
    PairCount open_quotes;  // kept pairs of read_pair_file with a quote that is never closed
  };

  // `words` cuts the lines into the words that a model reads; pairs() keeps them as they were written.
  // Pairs with an empty side are left out and counted in the report. input_error if the numbers of lines
  // differ, a file has no lines, no pair is left, or read_lines or read_pair_file refuses a file.
  static ParallelCorpus load(const CorpusFiles& files, const WordRule& words = {});
  static ParallelCorpus load(const std::string& source_path, const std::string& target_path,
                             const WordRule& words = {});

  // Takes lines from memory instead, equally many on each side. Errors call them `name`. `lines` are their
  // numbers; without them, they count from 1.
  static ParallelCorpus from_lines(std::vector<std::string> source, std::vector<std::string> target,
                                   const std::string& name, const std::vector<Index>& lines = {});

  const std::vector<LinePair>& pairs() const { return pairs_; }
  PairPlace place_of(const LinePair& pair) const { return {files_[pair.file], pair.line}; }
  const Report& report() const { return report_; }
  const WordRule& words() const { return words_; }

  // Moves the pairs at these indices, which ascend, to a corpus of their own.
  ParallelCorpus take_out(const std::vector<Index>& indices);

  // The words of both sides, to learn a byte pair encoding from; the pieces of both sides; and their
  // vocabulary. input_error if there are more pieces than a vocabulary can hold.
  WordCounts word_counts() const;
  PairCount pairs_with_long_words() const;  // some of whose words count_words leaves out
  Vocabulary::TokenCounts piece_counts(BytePairEncoding& encoding) const;
  Vocabulary build_vocabulary(BytePairEncoding& encoding) const;

  // The pairs as ids, in the order of the files, without those that are too long; `report` counts both kinds
  // of dropped pairs. input_error if no pair is left.
  std::vector<SentencePair> encode(BytePairEncoding& encoding, const Vocabulary& vocabulary, Index max_length,
                                   Report& report) const;

 private:
  void add_files(const std::string& source_path, const std::string& target_path);
  void add_pair_file(const std::string& path, const PairColumns& columns);
  void add_lines(std::vector<std::string> source, std::vector<std::string> target, const std::string& name,
                 const std::vector<Index>& lines = {});
  void finish_loading();
  const std::string& name() const { return files_.front(); }  // for errors

  std::vector<std::string> files_;
  std::vector<LinePair> pairs_;
  Report report_;
  WordRule words_;
};

}  // namespace plainformer
