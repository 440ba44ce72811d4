#include "lab/experiments/attention_cost.h"

#include <algorithm>
#include <chrono>

#include "beyond/linear_attention.h"
#include "lab/table_1/random_inputs.h"
#include "ops/scaled_dot_product_attention.h"

namespace plainformer {

namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// `attend` makes one pass, forward and backward, over query, key, value and the gradient of the output.
template <typename Attend>
AttentionCost cost_of(Index len, const AttentionCostOptions& options, const Attend& attend) {
  const std::function<double()> clock = options.clock ? options.clock : steady_seconds;
  const Shape shape = {1, len, options.heads * options.d_k};
  const Tensor query = random_input(shape, 1), key = random_input(shape, 2), value = random_input(shape, 3);
  const Tensor grad_output = random_input(shape, 4);
  const AttentionMask mask = {.key_lengths = {len}, .causal = true};

  attend(query, key, value, mask, grad_output);  // threads take working memory, which they keep
  const double inputs = 4.0 * sizeof(Real) * static_cast<double>(shape.elements());
  const double bytes_before = static_cast<double>(storage_statistics().used_bytes) - inputs;
  restart_storage_peak();
  attend(query, key, value, mask, grad_output);
  AttentionCost cost;
  cost.bytes = static_cast<double>(storage_statistics().peak_used_bytes) - bytes_before;
  const double begin = clock();
  for (double now = begin; now == begin || now - begin < options.seconds;) {
    attend(query, key, value, mask, grad_output);
    const double end = clock();
    cost.seconds = now == begin ? end - now : std::min(cost.seconds, end - now);
    now = end;
  }
  return cost;
}

}  // namespace

AttentionCost cost_of_softmax_attention(Index len, const AttentionCostOptions& options) {
  return cost_of(len, options,
                 [&](const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                     const Tensor& grad_output) {
                   AttentionCache cache;
                   attention_forward(query, key, value, mask, options.heads, cache);
                   attention_backward(grad_output, cache);
                 });
}

AttentionCost cost_of_linear_attention(Index len, const AttentionCostOptions& options) {
  return cost_of(len, options,
                 [&](const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                     const Tensor& grad_output) {
                   LinearAttentionCache cache;
                   linear_attention_forward(query, key, value, mask, options.heads, cache);
                   linear_attention_backward(grad_output, cache);
                 });
}

}  // namespace plainformer
