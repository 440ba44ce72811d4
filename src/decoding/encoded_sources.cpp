#include "decoding/encoded_sources.h"

#include <algorithm>

#include "core/check.h"
#include "transformer/token_batch.h"

namespace plainformer {

EncodedSources encode_sources(const Transformer& model, const std::vector<std::vector<int>>& sources) {
  CHECK(!sources.empty(), "nothing to encode");
  const Index longest = longest_source(model.config());
  for (const std::vector<int>& source : sources)
    CHECK(std::ssize(source) <= longest, "a source of ", source.size(),
          " tokens, and the model reads at most ", longest);
  const TokenBatch tokens = TokenBatch::from(with_end(sources));
  return {.memory = model.encode(tokens), .lengths = tokens.lengths};
}

Index longest_source(const ModelConfig& config) {
  return config.max_length - 1;
}

EncodedSources select(const EncodedSources& encoded, std::span<const Index> elements) {
  const Index source_len = encoded.memory.dim(1), d_model = encoded.memory.dim(2);
  EncodedSources selected = {.memory = Tensor({std::ssize(elements), source_len, d_model}), .lengths = {}};
  Real* to = selected.memory.mutable_data();
  for (const Index element : elements) {
    selected.lengths.push_back(encoded.lengths[element]);
    to = std::copy_n(encoded.memory.data() + element * source_len * d_model, source_len * d_model, to);
  }
  return selected;
}

}  // namespace plainformer
