// The nearest neighbors of words in a model's embedding (3.4).
#pragma once

#include <string>
#include <vector>

#include "model_folder/model_folder.h"

namespace plainformer {

struct NearToken {
  int id;
  double cosine;  // of the two rows of the embedding
};

// The tokens whose rows of the embedding have the largest cosine with that of `id`, without itself and without the
// special symbols; of equal ones the lower id first. Fewer if the vocabulary has fewer.
std::vector<NearToken> nearest_tokens(const Tensor& embedding, int id, Index count);

// A line for each word: its nearest tokens and their cosines. input_error if a word is none of the vocabulary's tokens.
std::string nearest_text(const LoadedModel& model, const std::vector<std::string>& words, Index count);

}  // namespace plainformer
