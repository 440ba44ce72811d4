#include "probe.h"

#include "ops/heads.h"
#include "transformer/multi_head_attention.h"

namespace plainformer::course {

namespace {

constexpr Index kDModel = 6, kHeads = 2;

void split() {
  show("split", split_heads(random_input({2, 3, kDModel}, 1), kHeads));
}

void concatenate() {
  show("concatenated", concatenate_heads(random_input({2, kHeads, 3, 3}, 2)));
}

const Tensor kQuery = random_input({2, 3, kDModel}, 7), kKey = random_input({2, 4, kDModel}, 8);
const Tensor kValue = random_input({2, 4, kDModel}, 9);
const AttentionMask kMask = {.key_lengths = {4, 2}, .causal = true};

void fill(MultiHeadAttention& attention) {
  unsigned seed = 3;
  for (Parameter* w : {&attention.w_q, &attention.w_k, &attention.w_v, &attention.w_o})
    w->value = random_input({kDModel, kDModel}, seed++);
}

void forward() {
  MultiHeadAttention attention(kDModel, kHeads);
  fill(attention);
  MultiHeadAttention::Cache cache;
  show("output", attention.forward(kQuery, kKey, kValue, kMask, cache));
}

void backward() {
  MultiHeadAttention attention(kDModel, kHeads);
  fill(attention);
  MultiHeadAttention::Cache cache;
  attention.forward(kQuery, kKey, kValue, kMask, cache);
  const MultiHeadAttention::InputGradients grad =
      attention.backward(random_input({2, 3, kDModel}, 10), cache);
  show("grad of w_o", attention.w_o.mutable_grad());
  show("grad of w_q", attention.w_q.mutable_grad());
  show("grad of w_k", attention.w_k.mutable_grad());
  show("grad of w_v", attention.w_v.mutable_grad());
  show("grad.query", grad.query);
  show("grad.key", grad.key);
  show("grad.value", grad.value);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"split_heads", split},
          {"concatenate_heads", concatenate},
          {"MultiHeadAttention::forward", forward},
          {"MultiHeadAttention::backward", backward}};
}

}  // namespace plainformer::course
