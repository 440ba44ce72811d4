// The recurrent translators in training and in translation: their passes for the training loop, and a greedy search.
#pragma once

#include "beyond/chain_translator.h"
#include "beyond/recurrent_translator.h"
#include "decoding/search_options.h"
#include "training/model_passes.h"

namespace plainformer {

// The model's forward and backward, with a cache of their own. Refers to the model.
ModelPasses passes_of(RecurrentTranslator& model);
ModelPasses passes_of(ChainTranslator& model);

// Greedy translations, as greedy_search finds them with a Transformer.
//   sources   token ids without </s>
std::vector<Hypothesis> greedy_search(const RecurrentTranslator& model,
                                      const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits);
std::vector<Hypothesis> greedy_search(const ChainTranslator& model,
                                      const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits);

}  // namespace plainformer
