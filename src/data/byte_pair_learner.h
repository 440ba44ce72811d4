// Paper: 5.1 Training Data and Batching (sentences "encoded using byte-pair encoding"; Sennrich, Haddow,
// Birch 2016).
//
// Learning the merges of a byte pair encoding: begin with the characters of each word, then repeatedly join
// the pair of neighboring symbols that is most frequent in the text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/real.h"

namespace plainformer {

using WordCounts = std::unordered_map<std::string, Index>;
using LearningProgress = std::function<void(Index done)>;

// Adds the words of a line to the counts, except those over 10,000 bytes: no language has such words (a line
// of base64 does), and merging a pair reads all words that contain it from beginning to end.
void count_words(std::string_view line, WordCounts& counts);

// The two symbols that a merge joins; the last character of a word carries "</w>".
using Merge = std::pair<std::string, std::string>;

// At most `merges` merges, most frequent first; among equally frequent pairs the lexicographically largest
// (by bytes, which in UTF-8 is by code point). Stops early when no pair occurs `fewest` times. `progress`, if
// given, is called after each merge.
std::vector<Merge> learn_merges(const WordCounts& counts, Index merges, Index fewest = 2,
                                const LearningProgress& progress = {});

namespace fast {

// Learns the same merges. Instead of counting all pairs again before each merge, it keeps the counts up to
// date.
std::vector<Merge> learn_merges(const WordCounts& counts, Index merges, Index fewest = 2,
                                const LearningProgress& progress = {});

}  // namespace fast

}  // namespace plainformer
