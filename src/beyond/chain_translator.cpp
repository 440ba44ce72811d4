#include "beyond/chain_translator.h"

#include "beyond/one_position.h"
#include "beyond/tanh.h"
#include "beyond/token_input.h"
#include "core/random_streams.h"
#include "ops/linear.h"
#include "transformer/initialize.h"

namespace plainformer {

namespace {

constexpr int kChainOutputSite = random_site::kFirstLayer;  // of dropout

}  // namespace

ChainTranslator::ChainTranslator(const Sizes& sizes, std::uint64_t seed)
    : embedding(Tensor::zeros({sizes.vocab, sizes.d_model})),
      reader(sizes.d_model, sizes.d_state),
      writer(sizes.d_model, sizes.d_state),
      w_o(Tensor::zeros({sizes.d_state, sizes.d_model})),
      b_o(Tensor::zeros({sizes.d_model})) {
  initialize(parameters(), seed, {token_table(embedding)});
}

Tensor ChainTranslator::output_forward(const Tensor& states) const {
  return tanh_forward(linear_bias_forward(states, w_o, b_o));
}

Tensor ChainTranslator::forward(const TokenBatch& source, const TokenBatch& target_input,
                                const DropoutState& dropout, Cache& cache) const {
  cache.source = source;
  cache.target_input = target_input;
  cache.dropout = dropout;

  // Step 1. Read the source, and keep the state after its last token.
  const Tensor x = token_input_forward(source, embedding, dropout, random_site::kSourceInput);
  const Tensor last =
      take_last_position(reader.forward(x, cache.reader), source.lengths);  // [batch, d_state]

  // Step 2. Write the target from there: s_t = unit(y_t, s_{t-1}), s_{-1} = last.
  const Tensor y = token_input_forward(target_input, embedding, dropout, random_site::kTargetInput);
  cache.states = writer.forward_from(last, y, cache.writer);  // [batch, target_len, d_state]

  // Step 3. All positions at once: decoder_output = Dropout(tanh(s W_o + b_o)).
  cache.output = output_forward(cache.states);
  return dropout_forward(cache.output, dropout.probability, dropout.stream(kChainOutputSite));
}

void ChainTranslator::backward(const Tensor& grad_decoder_output, const Cache& cache) {
  const DropoutState& dropout = cache.dropout;

  // Step 3 was: decoder_output = Dropout(tanh(s W_o + b_o)).
  const Tensor grad_output =
      dropout_backward(grad_decoder_output, dropout.probability, dropout.stream(kChainOutputSite));
  const Tensor grad_states =
      linear_bias_backward(tanh_backward(grad_output, cache.output), cache.states, w_o, b_o);

  // Step 2 was: s_t = unit(y_t, s_{t-1}), s_{-1} = last.
  auto grad = writer.backward_from(grad_states, cache.writer);
  token_input_backward(std::move(grad.x), cache.target_input, embedding, dropout, random_site::kTargetInput);

  // Step 1 was: read the source, and keep the state after its last token. No other state has a gradient of its own.
  Tensor grad_read = Tensor::zeros({cache.source.batch, cache.source.len, grad.start.dim(1)});
  put_last_position(grad.start, cache.source.lengths, grad_read);
  token_input_backward(reader.backward(grad_read, cache.reader), cache.source, embedding, dropout,
                       random_site::kSourceInput);
}

ParameterList ChainTranslator::parameters() {
  ParameterList list = {{"embedding", &embedding}};
  reader.append_parameters("reader", list);
  writer.append_parameters("writer", list);
  list.push_back({"w_o", &w_o});
  list.push_back({"b_o", &b_o});
  return list;
}

}  // namespace plainformer
