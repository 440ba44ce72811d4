#include "probe.h"

#include "ops/heads.h"
#include "transformer/multi_head_attention.h"

namespace plainformer::course {

void probe() {
  constexpr Index kDModel = 6, kHeads = 2;
  show("split", split_heads(random_input({2, 3, kDModel}, 1), kHeads));
  show("concatenated", concatenate_heads(random_input({2, kHeads, 3, 3}, 2)));

  MultiHeadAttention attention(kDModel, kHeads);
  unsigned seed = 3;
  for (Parameter* w : {&attention.w_q, &attention.w_k, &attention.w_v, &attention.w_o})
    w->value = random_input({kDModel, kDModel}, seed++);
  const Tensor query = random_input({2, 3, kDModel}, 7), key = random_input({2, 4, kDModel}, 8);
  const Tensor value = random_input({2, 4, kDModel}, 9), grad_output = random_input({2, 3, kDModel}, 10);
  MultiHeadAttention::Cache cache;
  const AttentionMask mask = {.key_lengths = {4, 2}, .causal = true};
  show("output", attention.forward(query, key, value, mask, cache));

  const MultiHeadAttention::InputGradients grad = attention.backward(grad_output, cache);
  show("grad of w_o", attention.w_o.mutable_grad());
  show("grad of w_q", attention.w_q.mutable_grad());
  show("grad of w_k", attention.w_k.mutable_grad());
  show("grad of w_v", attention.w_v.mutable_grad());
  show("grad.query", grad.query);
  show("grad.key", grad.key);
  show("grad.value", grad.value);
}

}  // namespace plainformer::course
