#include "beyond/recurrent_decoder.h"

#include "beyond/one_position.h"
#include "beyond/tanh.h"
#include "core/check.h"
#include "ops/elementwise.h"
#include "ops/linear.h"

namespace plainformer {

namespace {

Tensor as_one_position(const Tensor& x) {
  return x.reshaped({x.dim(0), 1, x.dim(1)});
}

}  // namespace

RecurrentDecoder::RecurrentDecoder(const Sizes& sizes)
    : attention(sizes.d_state, sizes.d_attention),
      unit(sizes.d_model + sizes.d_state, sizes.d_state),
      w_s(Tensor::zeros({sizes.d_state, sizes.d_state})),
      b_s(Tensor::zeros({sizes.d_state})),
      w_o(Tensor::zeros({2 * sizes.d_state, sizes.d_model})),
      b_o(Tensor::zeros({sizes.d_model})) {}

RecurrentDecoder::Source RecurrentDecoder::read(const Tensor& memory,
                                                const AttentionMask& source_mask) const {
  return {.memory = memory, .k = attention.project_keys(memory), .mask = source_mask};
}

Tensor RecurrentDecoder::start_forward(const Tensor& memory) const {
  return tanh_forward(linear_bias_forward(take_position(memory, 0), w_s, b_s));
}

RecurrentDecoder::StateAndContext RecurrentDecoder::step_forward(const Tensor& y_t, const Tensor& s,
                                                                 const Source& source,
                                                                 StepCache& cache) const {
  // Step 1. Ask the source with the old state: c = Attention(s, memory, memory).
  const Tensor context =
      attention.attend(as_one_position(s), source.k, source.memory, source.mask, cache.attention);
  const Tensor c = context.reshaped(s.shape());

  // Step 2. Go on with the token and the context: new_s = unit([y_t, c], s).
  cache.x = join_columns(y_t, c);
  return {.s = unit.step_forward(unit.input_forward(cache.x), s, cache.unit), .c = c};
}

Tensor RecurrentDecoder::output_forward(const Tensor& states_and_contexts) const {
  return tanh_forward(linear_bias_forward(states_and_contexts, w_o, b_o));
}

Tensor RecurrentDecoder::forward(const Tensor& y, const Tensor& memory, const AttentionMask& source_mask,
                                 Cache& cache) const {
  const Index batch = y.dim(0), target_len = y.dim(1), d_state = w_s.value.dim(0);

  // Step 1. Project the memory to keys, and start: s_0 = tanh(memory_0 W_s + b_s).
  cache.source = read(memory, source_mask);
  cache.first = take_position(memory, 0);
  cache.start = start_forward(memory);

  // Step 2. One position after the other: c_t, s_t = step(y_t, s_{t-1}).
  cache.steps = std::vector<StepCache>(target_len);
  cache.states_and_contexts = Tensor({batch, target_len, 2 * d_state});
  Tensor s = cache.start;
  for (Index t = 0; t < target_len; ++t) {
    const StateAndContext next = step_forward(take_position(y, t), s, cache.source, cache.steps[t]);
    put_position(join_columns(next.s, next.c), t, cache.states_and_contexts);
    s = next.s;
  }

  // Step 3. All positions at once: output = tanh([s, c] W_o + b_o).
  cache.output = output_forward(cache.states_and_contexts);
  return cache.output;
}

RecurrentDecoder::Gradients RecurrentDecoder::backward(const Tensor& grad_output, const Cache& cache) {
  const Tensor& memory = cache.source.memory;
  const Index batch = cache.output.dim(0), target_len = cache.output.dim(1), d_model = cache.output.dim(2);
  const Index source_len = memory.dim(1), d_state = w_s.value.dim(0);
  CHECK_SHAPE(grad_output, batch, target_len, d_model);
  Tensor grad_y({batch, target_len, d_model});
  Tensor grad_k = Tensor::zeros(cache.source.k.shape());
  Tensor grad_memory = Tensor::zeros({batch, source_len, d_state});

  // Step 3 was: output = tanh([s, c] W_o + b_o).
  const Tensor grad_outputs =
      linear_bias_backward(tanh_backward(grad_output, cache.output), cache.states_and_contexts, w_o, b_o);

  // Step 2 was: c_t = Attention(s_{t-1}, memory, memory), s_t = unit([y_t, c_t], s_{t-1}), for one t after the other.
  // s_t was used by the output, and by position t + 1 twice; c_t by the output and the unit.
  Tensor grad_s = Tensor::zeros({batch, d_state});  // of s_t, from position t + 1
  for (Index t = target_len - 1; t >= 0; --t) {
    const StepCache& step = cache.steps[t];
    auto [from_output_s, from_output_c] = split_columns(take_position(grad_outputs, t), d_state);
    const auto grad_unit = unit.step_backward(add(std::move(grad_s), from_output_s), step.unit);
    const auto [grad_y_t, from_unit_c] = split_columns(unit.input_backward(grad_unit.input, step.x), d_model);
    put_position(grad_y_t, t, grad_y);
    const Tensor grad_c = add(std::move(from_output_c), from_unit_c);
    const AttentionGradients grad = attention.attend_backward(as_one_position(grad_c), step.attention);
    grad_s = add(grad_unit.h, grad.query.reshaped({batch, d_state}));
    grad_k = add(std::move(grad_k), grad.key);
    grad_memory = add(std::move(grad_memory), grad.value);
  }

  // Step 1 was: k = memory W_2, s_0 = tanh(memory_0 W_s + b_s). The memory gets three gradients: as the values, as the
  // keys, and its first position as the start.
  grad_memory = add(std::move(grad_memory), attention.project_keys_backward(grad_k, memory));
  const Tensor grad_first = linear_bias_backward(tanh_backward(grad_s, cache.start), cache.first, w_s, b_s);
  put_position(add(take_position(grad_memory, 0), grad_first), 0, grad_memory);
  return {.y = grad_y, .memory = grad_memory};
}

void RecurrentDecoder::append_parameters(const std::string& prefix, ParameterList& list) {
  attention.append_parameters(prefix + ".attention", list);
  unit.append_parameters(prefix + ".unit", list);
  list.push_back({prefix + ".w_s", &w_s});
  list.push_back({prefix + ".b_s", &b_s});
  list.push_back({prefix + ".w_o", &w_o});
  list.push_back({prefix + ".b_o", &b_o});
}

}  // namespace plainformer
