// Paper: 5.1 Training Data and Batching (sentences "encoded using byte-pair encoding"; Sennrich, Haddow,
// Birch 2016).
//
// Learning the merges of a byte pair encoding: begin with the characters of each word, then repeatedly join
// the pair of neighboring symbols that is most frequent in the text.
//
// The merges are those of subword-nmt (learn-bpe), byte for byte. Its counts are nearly, not always, exact:
// it forgets the counts of rare pairs for a while, counts a symbol again if it arises in a second way, and
// sees symbol boundaries at white space such as U+00A0 inside a word. Where that changes its choice, it
// changes ours. Lines and words still differ: here a line ends at '\n' alone, the byte order mark is removed,
// and words of over 10,000 bytes are ignored.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/real.h"

namespace plainformer {

using WordCounts = std::unordered_map<std::string, Index>;
using LearningProgress = std::function<void(Index done, Index total)>;

// Adds the words of a line to the counts, except those over 10,000 bytes: no language has such words (a line
// of base64 does), and merging a pair reads all words that contain it from beginning to end.
constexpr Index kMaxLearnedWordBytes = 10'000;
void count_words(std::string_view line, WordCounts& counts);

// A merge joins `first` and `second`; the last character of a word carries "</w>".
struct Merge {
  std::string first, second;
};

// At most `merges` merges, most frequent first; among equally frequent pairs the lexicographically largest
// (by bytes, which in UTF-8 is by code point). Stops early when no pair occurs twice. `progress`, if given,
// is called after each merge.
std::vector<Merge> learn_merges(const WordCounts& counts, Index merges,
                                const LearningProgress& progress = {});

}  // namespace plainformer
