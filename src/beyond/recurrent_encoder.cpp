#include "beyond/recurrent_encoder.h"

#include "beyond/one_position.h"
#include "core/check.h"
#include "ops/elementwise.h"

namespace plainformer {

RecurrentEncoder::RecurrentEncoder(Index d_model, Index d_state)
    : forward_unit(d_model, d_state / 2), backward_unit(d_model, d_state / 2) {
  CHECK(d_state % 2 == 0, "d_state ", d_state, " is odd");
}

Tensor RecurrentEncoder::forward(const Tensor& x, const std::vector<Index>& lengths, Cache& cache) const {
  cache.lengths = lengths;

  // Step 1. Read from the first word to the last.
  const Tensor forward = forward_unit.forward(x, cache.forward);

  // Step 2. Read from the last word to the first: turn around, read, turn back.
  const Tensor backward =
      turn_around(backward_unit.forward(turn_around(x, lengths), cache.backward), lengths);

  // Step 3. Put the states of each word beside each other.
  return join_columns(forward, backward);
}

Tensor RecurrentEncoder::backward(const Tensor& grad_memory, const Cache& cache) {
  const std::vector<Index>& lengths = cache.lengths;

  // Step 3 was: memory = [forward, backward].
  const auto [grad_forward, grad_backward] = split_columns(grad_memory, grad_memory.dim(2) / 2);

  // Step 2 was: turn around, read, turn back.
  Tensor grad_x =
      turn_around(backward_unit.backward(turn_around(grad_backward, lengths), cache.backward), lengths);

  // Step 1 was: read from the first word to the last. x was used twice, so two gradients add up.
  return add(std::move(grad_x), forward_unit.backward(grad_forward, cache.forward));
}

void RecurrentEncoder::append_parameters(const std::string& prefix, ParameterList& list) {
  forward_unit.append_parameters(prefix + ".forward", list);
  backward_unit.append_parameters(prefix + ".backward", list);
}

}  // namespace plainformer
