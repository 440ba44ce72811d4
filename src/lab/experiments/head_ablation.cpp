#include "lab/experiments/head_ablation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"
#include "decoding/attention_capture.h"

namespace plainformer {

std::vector<NamedAttention> attentions_of(Transformer& model) {
  std::vector<NamedAttention> attentions;
  for (std::size_t i = 0; i < model.encoder.layers.size(); ++i)
    attentions.push_back(
        {"encoder." + std::to_string(i) + ".self_attention", &model.encoder.layers[i].self_attention});
  for (std::size_t i = 0; i < model.decoder.layers.size(); ++i) {
    const std::string layer = "decoder." + std::to_string(i);
    attentions.push_back({layer + ".self_attention", &model.decoder.layers[i].self_attention});
    attentions.push_back(
        {layer + ".encoder_decoder_attention", &model.decoder.layers[i].encoder_decoder_attention});
  }
  return attentions;
}

std::vector<HeadPlace> heads_of(Transformer& model) {
  std::vector<HeadPlace> places;
  for (Index attention = 0; attention < std::ssize(attentions_of(model)); ++attention)
    for (Index head = 0; head < model.config().heads; ++head) places.push_back({attention, head});
  return places;
}

Transformer without_heads(const Transformer& model, const std::vector<HeadPlace>& heads) {
  Transformer copy = model;
  const std::vector<NamedAttention> attentions = attentions_of(copy);
  for (const HeadPlace& place : heads) {
    CHECK(place.attention >= 0 && place.attention < std::ssize(attentions), "attention ", place.attention);
    CHECK(place.head >= 0 && place.head < model.config().heads, "head ", place.head);
    Tensor& w_o = attentions[place.attention].attention->w_o.value;  // [heads * d_v, d_model]
    const Index rows = model.config().head_d_v() * w_o.dim(1);
    std::fill_n(w_o.mutable_data() + place.head * rows, rows, Real{0});
  }
  return copy;
}

std::vector<std::vector<double>> head_distances(const Tensor& weights) {
  const Index heads = weights.dim(0), query_len = weights.dim(1), key_len = weights.dim(2);
  std::vector<std::vector<double>> distances(heads, std::vector<double>(heads));
  for (Index a = 0; a < heads; ++a)
    for (Index b = 0; b < heads; ++b) {
      double moved = 0;
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          moved += std::abs(double(weights(a, i, j)) - double(weights(b, i, j))) / 2;
      distances[a][b] = moved / static_cast<double>(query_len);
    }
  return distances;
}

std::vector<double> distances_from_others(Transformer& model, const std::vector<std::vector<int>>& sources,
                                          const std::vector<std::vector<int>>& targets) {
  CHECK(sources.size() == targets.size(), sources.size(), " sources, ", targets.size(), " targets");
  const std::vector<HeadPlace> places = heads_of(model);
  const Index heads = model.config().heads;
  std::vector<double> means(places.size());
  if (heads == 1) return means;
  for (std::size_t pair = 0; pair < sources.size(); ++pair) {
    const AttentionWeights weights = capture_attention(model, sources[pair], targets[pair]);
    std::vector<Tensor> maps = weights.encoder_self;  // in the order of attentions_of
    for (std::size_t layer = 0; layer < weights.decoder_self.size(); ++layer) {
      maps.push_back(weights.decoder_self[layer]);
      maps.push_back(weights.encoder_decoder[layer]);
    }
    for (std::size_t place = 0; place < places.size(); ++place) {
      const std::vector<double> row = head_distances(maps[places[place].attention])[places[place].head];
      means[place] += std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(heads - 1) /
                      static_cast<double>(sources.size());
    }
  }
  return means;
}

}  // namespace plainformer
