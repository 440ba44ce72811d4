#include "probe.h"

#include "ops/scaled_dot_product_attention.h"

namespace plainformer::course {

void probe() {
  constexpr Index kHeads = 2;
  const Tensor query = random_input({3, 3, kHeads * 3}, 1), key = random_input({3, 4, kHeads * 3}, 2);
  const Tensor value = random_input({3, 4, kHeads * 2}, 3);
  const Tensor grad_output = random_input({3, 3, kHeads * 2}, 4);

  AttentionCache unmasked, masked;
  show("output", attention_forward(query, key, value, {.key_lengths = {4, 4, 4}}, kHeads, unmasked));
  const AttentionMask mask = {.key_lengths = {4, 2, 0}, .causal = true};
  show("output under a mask", attention_forward(query, key, value, mask, kHeads, masked));

  const AttentionGradients grad = attention_backward(grad_output, masked);
  show("grad_value", grad.value);
  show("grad_key", grad.key);
  show("grad_query", grad.query);
}

}  // namespace plainformer::course
