// Paper: 5.1 Training Data and Batching.
//
// Parallel text: two files, where line i of one is the translation of line i of the other.
#pragma once

#include <string>
#include <vector>

#include "core/real.h"
#include "data/batching.h"
#include "data/byte_pair_encoding.h"
#include "data/vocabulary.h"

namespace plainformer {

// The lines of both files. Default-constructed, there are none.
class ParallelCorpus {
 public:
  struct LinePair {
    Index line;  // its number in the files, from 1
    std::string source, target;
  };
  struct Dropped {
    Index pairs = 0;
    Index first = 0;  // number of a line, or of a tree, from 1; 0: none
  };
  struct Report {
    Index kept = 0;
    Dropped empty;     // one side, or both, is white space
    Dropped too_long;  // one side, or both, has more than max_length tokens
  };

  // Pairs with an empty side are left out and counted in the report. input_error if the numbers of lines
  // differ, a file has no lines, no pair is left, or read_lines refuses a file.
  static ParallelCorpus load(const std::string& source_path, const std::string& target_path);

  // Takes lines from memory instead, equally many on each side. Errors call them `name`.
  static ParallelCorpus from_lines(std::vector<std::string> source, std::vector<std::string> target,
                                   const std::string& name);

  const std::vector<LinePair>& pairs() const { return pairs_; }
  const Report& report() const { return report_; }

  // The words of both sides, to learn a byte pair encoding from, and the vocabulary of the pieces of both
  // sides. input_error if there are more pieces than a vocabulary can hold.
  WordCounts word_counts() const;
  Vocabulary build_vocabulary(BytePairEncoding& encoding) const;

  // The vocabulary of the pieces of both sides, and of all pieces that only sample() makes.
  Vocabulary build_vocabulary_for_sampling(BytePairEncoding& encoding) const;

  // The pairs as ids, in the order of the files, without those that are too long; `report` counts both kinds
  // of dropped pairs. input_error if no pair is left.
  std::vector<SentencePair> encode(BytePairEncoding& encoding, const Vocabulary& vocabulary, Index max_length,
                                   Report& report) const;

  // The pairs for one epoch with BPE-dropout (BytePairEncoding::sample), in the order of the files. Where the
  // sample is too long, it is cut as encode cuts it. The same seed and epoch give the same ids.
  std::vector<SentencePair> sample(const BytePairEncoding& encoding, const Vocabulary& vocabulary,
                                   Index max_length, double dropout, std::uint64_t seed,
                                   std::uint64_t epoch) const;

 private:
  Vocabulary vocabulary_of(Vocabulary::TokenCounts counts, BytePairEncoding& encoding) const;

  std::string name_;
  std::vector<LinePair> pairs_;
  Report report_;
};

}  // namespace plainformer
