// Paper: 6.1 Machine Translation (beam search)
//
// The plain version, which reads the whole prefix of every hypothesis again at every step. cached_beam_search
// gives the same translations, but for rounding, faster.
#pragma once

#include "decoding/search_options.h"
#include "transformer/transformer.h"

namespace plainformer {

// The n_best translations of each source, without <s> and </s>. What is in the rest of the batch changes
// nothing.
//   sources   token ids without </s>, each at most longest_source; all of them are one batch
std::vector<Hypotheses> beam_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                    const SearchOptions& options);

}  // namespace plainformer
