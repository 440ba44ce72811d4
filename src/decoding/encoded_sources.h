// The encoder's side of decoding: computed once for a sentence, read at every step.
#pragma once

#include <span>

#include "transformer/transformer.h"

namespace plainformer {

struct EncodedSources {
  Tensor memory;               // [batch, source_len, d_model]: the encoder's output
  std::vector<Index> lengths;  // [batch]: source tokens, </s> included

  Index batch() const { return static_cast<Index>(lengths.size()); }
};

// Reads each source and </s>. A source longer than longest_source is a programmer's error (CHECK).
//   sources   at least one; without </s>
EncodedSources encode_sources(const Transformer& model, const std::vector<std::vector<int>>& sources);

// The most tokens that a source may have, without </s>.
Index longest_source(const ModelConfig& config);

// The elements with these indices, in this order; an index may occur more than once.
EncodedSources select(const EncodedSources& encoded, std::span<const Index> elements);

}  // namespace plainformer
