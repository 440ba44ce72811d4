// The recurrent translator in training and in translation: its passes for the training loop, and a greedy search.
#pragma once

#include "beyond/recurrent_translator.h"
#include "decoding/search_options.h"
#include "training/model_passes.h"

namespace plainformer {

// RecurrentTranslator::forward and RecurrentTranslator::backward, with a cache of their own. Refers to the model.
ModelPasses passes_of(RecurrentTranslator& model);

// Greedy translations, as greedy_search finds them with a Transformer, but of all sentences at once.
//   sources   token ids without </s>
std::vector<Hypothesis> greedy_search(const RecurrentTranslator& model,
                                      const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits);

}  // namespace plainformer
