// Paper: 3.2.3 Applications of Attention in our Model (the causal mask), looked at when translating.
//
// Greedy search that computes the whole translation again for each new token, as a program without kept keys and
// values does. Two of its habits can be changed: the mask, and the place where positions begin.
#pragma once

#include <vector>

#include "decoding/search_options.h"
#include "transformer/transformer.h"

namespace plainformer {

struct RecomputingSearch {
  bool causal = true;        // false: each token of the translation sees all others so far, later ones too
  Index first_position = 0;  // of <s>, and of the first source token; the last one must be below max_length
};

// The translations, token ids without special symbols. With the defaults they are those of greedy_search, up to
// rounding.
//   sources   token ids without </s>; one may be empty
std::vector<std::vector<int>> translate_recomputing(const Transformer& model,
                                                    const std::vector<std::vector<int>>& sources,
                                                    const SearchLimits& limits,
                                                    const RecomputingSearch& search);

// The decoder's output at each position of a translation that is given.
//   source, target   token ids without special symbols    -> [1, target_len, d_model], target_len counts <s>
Tensor decoder_output(const Transformer& model, const std::vector<int>& source,
                      const std::vector<int>& target, const RecomputingSearch& search);

}  // namespace plainformer
