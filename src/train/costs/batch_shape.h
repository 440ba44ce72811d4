// The lengths of a batch's sentences: all of a batch that its cost depends on.
#pragma once

#include <cstdint>
#include <vector>

#include "transformer/token_batch.h"

namespace plainformer {

// Lengths count the special symbols: a source ends with </s>, and a target begins with <s>.
struct BatchShape {
  std::vector<Index> source_lengths, target_lengths;  // [batch]

  static BatchShape of(const TranslationBatch& batch);
  static BatchShape equal_lengths(Index sentences, Index source_len, Index target_len);

  Index batch() const { return static_cast<Index>(source_lengths.size()); }
  Index source_len() const;  // of the longest, to which the others are padded
  Index target_len() const;
  std::int64_t source_positions() const { return std::int64_t{batch()} * source_len(); }  // with the padding
  std::int64_t target_positions() const { return std::int64_t{batch()} * target_len(); }
};

}  // namespace plainformer
