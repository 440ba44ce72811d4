// Paper: 3.2.2 Multi-Head Attention ("jointly attend to information from different representation subspaces"), looked
// at in a trained model: how different its heads are, and what it can do without them. Beyond the paper: Michel et al.
// 2019, "Are Sixteen Heads Really Better than One?"; Voita et al. 2019, "Analyzing Multi-Head Self-Attention".
#pragma once

#include <string>
#include <vector>

#include "transformer/transformer.h"

namespace plainformer {

// The attentions of a model: those of the encoder, then of each decoder layer its self-attention and its
// encoder-decoder attention.
struct NamedAttention {
  std::string name;  // "encoder.0.self_attention", as in the names of its weights
  MultiHeadAttention* attention;
};
std::vector<NamedAttention> attentions_of(Transformer& model);  // valid until the model is moved

// A head by its places in attentions_of and in its attention.
struct HeadPlace {
  Index attention, head;

  bool operator==(const HeadPlace&) const = default;
};
std::vector<HeadPlace> heads_of(Transformer& model);

// A copy of the model in which these heads add nothing to their layers: their rows of W^O are 0.
Transformer without_heads(const Transformer& model, const std::vector<HeadPlace>& heads);

// How differently two heads look at a sentence: the share of its weight that a head would have to move to look as the
// other does, which is half the sum of |a - b| over the keys, on average over the queries. 0: the same; 1: they have no
// key in common.
//   weights [heads, query_len, key_len]    -> [heads][heads]
std::vector<std::vector<double>> head_distances(const Tensor& weights);

// The distance of each head from the others of its attention, on average over those and over the pairs of sentences;
// 0 for a single head. The places are those of heads_of.
//   sources[i], targets[i]   token ids of a pair, without special symbols
std::vector<double> distances_from_others(Transformer& model, const std::vector<std::vector<int>>& sources,
                                          const std::vector<std::vector<int>>& targets);

}  // namespace plainformer
