// Greedy decoding: the most probable token at every position.
//
// One sentence after the other, each by a decoder that computes the newest position only (cached_decoder).
// beam_search with a beam of 1 and length penalty 0 finds the same translations.
#pragma once

#include <functional>

#include "decoding/search_options.h"
#include "transformer/transformer.h"

namespace plainformer {

// Appends a token to one translation, first of all <s>, and returns the logits of the next one [1, 1, vocab].
using NextLogits = std::function<Tensor(int newest)>;

// The loop, for any model. It ends with </s>, which is the only choice after output_limit tokens. Other
// tokens have at least the id first_token (SearchLimits::first_token).
Hypothesis greedy_translation(const NextLogits& next_logits, Index output_limit,
                              int first_token = kUnknownId);

// A translation for each source. It ends with </s>, which is the only choice at the output limit. Of equally
// probable tokens, the lower id wins. <pad> and <s> are never produced. A translation does not depend on the
// rest of the batch.
//   sources   token ids without </s>, each at most longest_source
std::vector<Hypothesis> greedy_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits);

}  // namespace plainformer
