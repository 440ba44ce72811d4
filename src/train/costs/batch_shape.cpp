#include "train/costs/batch_shape.h"

#include <algorithm>

namespace plainformer {

namespace {

Index longest(const std::vector<Index>& lengths) {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

}  // namespace

BatchShape BatchShape::of(const TranslationBatch& batch) {
  return {.source_lengths = batch.source.lengths, .target_lengths = batch.target_input.lengths};
}

BatchShape BatchShape::equal_lengths(Index sentences, Index source_len, Index target_len) {
  return {.source_lengths = std::vector<Index>(sentences, source_len),
          .target_lengths = std::vector<Index>(sentences, target_len)};
}

Index BatchShape::source_len() const {
  return longest(source_lengths);
}

Index BatchShape::target_len() const {
  return longest(target_lengths);
}

}  // namespace plainformer
