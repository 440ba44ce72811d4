// Greedy decoding: at every position the most probable token.
//
// The plain version, which reads the whole prefix again at every step. For speed, decode_all with a beam of 1
// and length penalty 0 gives the same translations, but for rounding.
#pragma once

#include "decoding/search_options.h"
#include "transformer/transformer.h"

namespace plainformer {

// A translation for each source, without <s> and </s>. A sentence ends with </s> or at the output limit;
// equally probable tokens: the lower id. <pad> and <s> are never produced. What is in the rest of the batch
// changes nothing.    sources: token ids without </s>, each at most longest_source
std::vector<std::vector<int>> greedy_search(const Transformer& model,
                                            const std::vector<std::vector<int>>& sources,
                                            const SearchLimits& limits);

}  // namespace plainformer
