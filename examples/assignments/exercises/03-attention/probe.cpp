#include "probe.h"

#include <cmath>

#include "core/writable_tensor.h"
#include "transformer/multi_head_attention.h"
#include "ops/scaled_dot_product_attention.h"
#include "ops/softmax.h"

namespace plainformer::course {

namespace {

// No d_k that another size is, or is one less or more: a wrong factor would look like another one.
constexpr Index kHeads = 2, kDk = 6, kDv = 2, kQueryLen = 3, kKeyLen = 4, kBatch = 3;

const Tensor kQuery = random_input({kBatch, kQueryLen, kHeads* kDk}, 1'000);
const Tensor kKey = random_input({kBatch, kKeyLen, kHeads* kDk}, 2'000);
const Tensor kValue = random_input({kBatch, kKeyLen, kHeads* kDv}, 3'000);
const AttentionMask kMask = {.key_lengths = {4, 2, 0}, .causal = true};

void forward() {
  AttentionCache unmasked, masked;
  const Tensor output = attention_forward(kQuery, kKey, kValue, {.key_lengths = {4, 4, 4}}, kHeads, unmasked);
  show("weights", unmasked.weights);
  show("output", output);
  const Tensor masked_output = attention_forward(kQuery, kKey, kValue, kMask, kHeads, masked);
  show("weights under a mask", masked.weights);
  show("output under a mask", masked_output);
}

// What a right forward pass leaves.
AttentionCache filled_cache() {
  AttentionCache cache;
  cache.way = Way::kPlain;
  cache.heads = kHeads;
  cache.query = split_heads(kQuery, kHeads);
  cache.key = split_heads(kKey, kHeads);
  cache.value = split_heads(kValue, kHeads);
  cache.visible_keys = kMask.visible_keys_of_scores(kHeads, kQueryLen, kKeyLen);
  WritableTensor scores = Tensor::zeros({kBatch * kHeads * kQueryLen, kKeyLen});
  for (Index row = 0; row < scores.dim(0); ++row)
    for (Index j = 0; j < kKeyLen; ++j) {
      const Index head = row / kQueryLen;
      for (Index p = 0; p < kDk; ++p)
        scores(row, j) += cache.query(row, p) * cache.key(head * kKeyLen + j, p);
      scores(row, j) /= std::sqrt(static_cast<Real>(kDk));
    }
  cache.weights = softmax_forward(scores, cache.visible_keys).reshaped({kBatch, kHeads, kQueryLen, kKeyLen});
  return cache;
}

void backward() {
  const Tensor grad_output = random_input({kBatch, kQueryLen, kHeads * kDv}, 4'000);
  const AttentionGradients grad = attention_backward(grad_output, filled_cache());
  show("grad_value", grad.value);
  show("grad_key", grad.key);
  show("grad_query", grad.query);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"attention_forward", forward}, {"attention_backward", backward}};
}

}  // namespace plainformer::course
