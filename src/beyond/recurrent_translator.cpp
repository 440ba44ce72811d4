#include "beyond/recurrent_translator.h"

#include "beyond/token_input.h"
#include "transformer/initialize.h"

namespace plainformer {

namespace {

constexpr int kOutputSite = random_site::kFirstLayer;  // of dropout

}  // namespace

RecurrentTranslator::RecurrentTranslator(const Sizes& sizes, std::uint64_t seed)
    : embedding(Tensor::zeros({sizes.vocab, sizes.d_model})),
      encoder(sizes.d_model, sizes.d_state),
      decoder({sizes.d_model, sizes.d_state, sizes.d_attention}) {
  // `initialize` leaves vectors as they are. The attention's v is drawn like the matrix [d_attention, 1] that it is.
  Parameter& v = decoder.attention.v;
  v.value = v.value.reshaped({sizes.d_attention, 1});
  initialize(parameters(), seed, {token_table(embedding)});
  v.value = v.value.reshaped({sizes.d_attention});
}

Tensor RecurrentTranslator::forward(const TokenBatch& source, const TokenBatch& target_input,
                                    const DropoutState& dropout, Cache& cache) const {
  const AttentionMask source_mask = {.key_lengths = source.lengths, .causal = false};
  cache.source = source;
  cache.target_input = target_input;
  cache.dropout = dropout;

  // Step 1. Embed the source: x = Dropout(Embedding(source)).
  const Tensor x = token_input_forward(source, embedding, dropout, random_site::kSourceInput);

  // Step 2. Encode it: memory = Encoder(x).
  const Tensor memory = encoder.forward(x, source.lengths, cache.encoder);

  // Step 3. Embed the target: y = Dropout(Embedding(target_input)).
  const Tensor y = token_input_forward(target_input, embedding, dropout, random_site::kTargetInput);

  // Step 4. Decode it: decoder_output = Dropout(Decoder(y, memory)).
  return dropout_forward(decoder.forward(y, memory, source_mask, cache.decoder), dropout.probability,
                         dropout.stream(kOutputSite));
}

void RecurrentTranslator::backward(const Tensor& grad_decoder_output, const Cache& cache) {
  const DropoutState& dropout = cache.dropout;

  // Step 4 was: decoder_output = Dropout(Decoder(y, memory)).
  auto grad = decoder.backward(
      dropout_backward(grad_decoder_output, dropout.probability, dropout.stream(kOutputSite)), cache.decoder);

  // Step 3 was: y = Dropout(Embedding(target_input)).
  token_input_backward(std::move(grad.y), cache.target_input, embedding, dropout, random_site::kTargetInput);

  // Step 2 was: memory = Encoder(x).
  Tensor grad_x = encoder.backward(grad.memory, cache.encoder);

  // Step 1 was: x = Dropout(Embedding(source)).
  token_input_backward(std::move(grad_x), cache.source, embedding, dropout, random_site::kSourceInput);
}

ParameterList RecurrentTranslator::parameters() {
  ParameterList list = {{"embedding", &embedding}};
  encoder.append_parameters("encoder", list);
  decoder.append_parameters("decoder", list);
  return list;
}

}  // namespace plainformer
