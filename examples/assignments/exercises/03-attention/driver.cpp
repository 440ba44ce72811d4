#include "driver.h"

#include <cmath>

#include "core/writable_tensor.h"
#include "ops/scaled_dot_product_attention.h"
#include "ops/softmax.h"

namespace plainformer::course {

namespace {

// No d_k that another size is, or is one less or more: a wrong factor would look like another one.
constexpr Index kHeads = 2, kDk = 6, kDv = 2, kQueryLen = 3, kKeyLen = 4, kBatch = 3;

const Tensor kQ = random_input({kBatch, kHeads, kQueryLen, kDk}, 1'000);
const Tensor kK = random_input({kBatch, kHeads, kKeyLen, kDk}, 2'000);
const Tensor kV = random_input({kBatch, kHeads, kKeyLen, kDv}, 3'000);
const AttentionMask kMask = {.key_lengths = {4, 2, 0}, .causal = true};

void forward() {
  AttentionCache unmasked, masked;
  const Tensor output = attention_forward(kQ, kK, kV, {.key_lengths = {4, 4, 4}}, unmasked);
  show("weights", unmasked.weights);
  show("output", output);
  const Tensor masked_output = attention_forward(kQ, kK, kV, kMask, masked);
  show("weights under a mask", masked.weights);
  show("output under a mask", masked_output);
}

// What a right forward pass leaves.
AttentionCache filled_cache() {
  AttentionCache cache;
  cache.q = kQ;
  cache.k = kK;
  cache.v = kV;
  cache.visible_keys = kMask.visible_keys_of_scores(kHeads, kQueryLen, kKeyLen);
  WritableTensor scores = Tensor::zeros({kBatch * kHeads * kQueryLen, kKeyLen});
  for (Index row = 0; row < scores.dim(0); ++row)
    for (Index j = 0; j < kKeyLen; ++j) {
      const Index head = row / kQueryLen;
      for (Index p = 0; p < kDk; ++p) scores(row, j) += kQ(row, p) * kK(head * kKeyLen + j, p);
      scores(row, j) /= std::sqrt(static_cast<Real>(kDk));
    }
  cache.weights = softmax_forward(scores, cache.visible_keys).reshaped({kBatch, kHeads, kQueryLen, kKeyLen});
  return cache;
}

void backward() {
  const Tensor grad_output = random_input({kBatch, kHeads, kQueryLen, kDv}, 4'000);
  const AttentionGradients grad = attention_backward(grad_output, filled_cache());
  show("grad_v", grad.v);
  show("grad_k", grad.k);
  show("grad_q", grad.q);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"attention_forward", forward}, {"attention_backward", backward}};
}

}  // namespace plainformer::course
