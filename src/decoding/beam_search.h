// Paper: 6.1 Machine Translation (beam search)
//
// The plain beam search, which reads the whole prefix of every hypothesis again at every step.
// cached_beam_search finds the same translations faster, up to rounding.
#pragma once

#include "decoding/search_options.h"
#include "transformer/transformer.h"

namespace plainformer {

// The n_best translations of each source, without <s> and </s>. They do not depend on the rest of the batch.
//   sources   token ids without </s>, each at most longest_source; all of them are one batch
std::vector<Hypotheses> beam_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                    const SearchOptions& options);

}  // namespace plainformer
