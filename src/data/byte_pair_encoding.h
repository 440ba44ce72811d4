// Paper: 5.1 Training Data and Batching ("Sentences were encoded using byte-pair encoding, which has a shared
// source-target vocabulary"; Sennrich, Haddow, Birch 2016: Neural Machine Translation of Rare Words with
// Subword Units).
//
// Cuts words into pieces, so that a small vocabulary spells every word: "lowest" -> "low@@ est". Reads and
// writes the codes files of subword-nmt (version 0.2), and cuts words as it does, byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/byte_pair_learner.h"

namespace plainformer {

class BytePairEncoding {
 public:
  static constexpr Index kMaxMerges = 100'000;  // loading takes at most twice the file's size plus 64 MB

  // The encoding of learn_merges. input_error if load would refuse the file because long words and many
  // merges make it too large.
  static BytePairEncoding learn(const WordCounts& counts, Index merges, Index fewest = 2,
                                const LearningProgress& progress = {});

  // A codes file: "#version: 0.2", then one merge "first second" a line, in order. A repeated merge is legal
  // (subword-nmt sometimes writes one) and has no effect. Anything else is an input_error with file, line and
  // hint.
  static BytePairEncoding load(const std::string& path);
  static BytePairEncoding parse(const std::string& text, const std::string& name);
  std::string to_text() const;

  Index merges() const { return std::ssize(merges_); }

  // The pieces of all words of a line; each piece that is not the last of its word ends in "@@". Accepts any
  // bytes and never throws an input_error. Takes O(n log n) time even for one word of n bytes. Remembers
  // words, so only one thread at a time may call it.
  std::vector<std::string> apply(std::string_view line);

  // The output of `subword-nmt apply-bpe` for a line: the pieces with a space between them. Spaces at the
  // beginning and end of the line are kept.
  std::string apply_to_text(std::string_view line);

  // Undoes apply, like sed -E 's/(@@ )|(@@ ?$)//g'. (As with sed, a word of the text that itself ends in "@@"
  // may lose it.)
  static std::string join(const std::vector<std::string>& pieces);

 private:
  std::vector<std::string> apply_to_words(const std::vector<std::string_view>& words);
  void add_merge(const std::string& line);  // "first second"
  std::vector<std::string> encode_word(std::string_view word) const;

  std::vector<std::string> merges_;             // in the order of the file
  std::unordered_map<std::string, int> ranks_;  // the index of each merge; lower ranks merge first
  std::unordered_map<std::string, std::vector<std::string>> known_words_;
};

}  // namespace plainformer
