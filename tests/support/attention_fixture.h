// Random queries, keys and values for the tests of attention.
#pragma once

#include <gtest/gtest.h>

#include "ops/attention_mask.h"
#include "support/tensors.h"

namespace plainformer {

// Pairwise different extents; masks of both kinds; a batch element without any key.
class RandomAttention : public testing::Test {
 protected:
  static constexpr Index kBatch = 3, kHeads = 2, kQueryLen = 5, kKeyLen = 7, kDk = 4, kDv = 6;
  Tensor query = random_tensor({kBatch, kQueryLen, kHeads* kDk}, 1);
  Tensor key = random_tensor({kBatch, kKeyLen, kHeads* kDk}, 2);
  Tensor value = random_tensor({kBatch, kKeyLen, kHeads* kDv}, 3);
  const AttentionMask masks[4] = {{.key_lengths = {7, 7, 7}, .causal = false},
                                  {.key_lengths = {7, 3, 0}, .causal = false},
                                  {.key_lengths = {7, 7, 7}, .causal = true},
                                  {.key_lengths = {7, 3, 0}, .causal = true}};
};

}  // namespace plainformer
