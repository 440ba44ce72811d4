#include "driver.h"

#include "core/writable_tensor.h"
#include "ops/linear.h"
#include "transformer/multi_head_attention.h"

namespace plainformer::course {

namespace {

constexpr Index kDModel = 6, kHeads = 2, kDHead = 3;

void split() {
  show("split", split_heads(random_input({2, 3, kDModel}, 1'000), kHeads));
}

void concatenate() {
  show("concatenated", concatenate_heads(random_input({2, kHeads, 3, 3}, 2'000)));
}

const Tensor kQuery = random_input({2, 3, kDModel}, 3'000), kKey = random_input({2, 4, kDModel}, 4'000);
const Tensor kValue = random_input({2, 4, kDModel}, 5'000);
const AttentionMask kMask = {.key_lengths = {4, 2}, .causal = true};

void forward() {
  MultiHeadAttention attention(kDModel, kHeads);
  draw_parameters(attention);
  MultiHeadAttention::Cache cache;
  show("output", attention.forward(kQuery, kKey, kValue, kMask, cache));
}

// The blocks of columns, without the student's functions.
Tensor in_heads(const Tensor& x) {
  WritableTensor head({x.dim(0), kHeads, x.dim(1), kDHead});
  for (Index e = 0; e < x.size(); ++e) {
    const Index row = e / kDModel, column = e % kDModel;
    head(row / x.dim(1), column / kDHead, row % x.dim(1), column % kDHead) = x(e);
  }
  return head;
}

// The cache of a right forward pass, whatever the student's does.
MultiHeadAttention::Cache cache_of(const MultiHeadAttention& attention) {
  MultiHeadAttention::Cache cache = {.query_input = kQuery, .key_input = kKey, .value_input = kValue};
  const Tensor head = attention_forward(
      in_heads(linear_forward(kQuery, attention.w_q)), in_heads(linear_forward(kKey, attention.w_k)),
      in_heads(linear_forward(kValue, attention.w_v)), kMask, cache.attention.emplace<AttentionCache>());
  WritableTensor concat({2, 3, kDModel});
  for (Index e = 0; e < concat.size(); ++e) {
    const Index row = e / kDModel, column = e % kDModel;
    concat(e) = head(row / 3, column / kDHead, row % 3, column % kDHead);
  }
  cache.concat = concat;
  return cache;
}

void attend() {
  const MultiHeadAttention attention(kDModel, kHeads);
  MultiHeadAttention::Cache cache;
  show("concat", attention.attend(kQuery, kKey, kValue, kMask, cache));
}

void attend_backward() {
  MultiHeadAttention attention(kDModel, kHeads);
  draw_parameters(attention);
  const AttentionGradients grad =
      attention.attend_backward(random_input({2, 3, kDModel}, 7'000), cache_of(attention));
  show("grad.q", grad.q);
  show("grad.k", grad.k);
  show("grad.v", grad.v);
}

void backward() {
  MultiHeadAttention attention(kDModel, kHeads);
  draw_parameters(attention);
  const MultiHeadAttention::InputGradients grad =
      attention.backward(random_input({2, 3, kDModel}, 6'000), cache_of(attention));
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
          {"MultiHeadAttention::attend", attend},
          {"MultiHeadAttention::forward", forward},
          {"MultiHeadAttention::attend_backward", attend_backward},
          {"MultiHeadAttention::backward", backward}};
}

}  // namespace plainformer::course
