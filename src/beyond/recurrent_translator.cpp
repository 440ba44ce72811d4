#include "beyond/recurrent_translator.h"

#include "transformer/embedding.h"
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
  const auto drop = [&](Tensor x, int site) {
    return dropout_forward(std::move(x), dropout.probability, dropout.stream(site));
  };

  // Step 1. Embed the source: x = Dropout(Embedding(source)).
  const Tensor x = drop(embedding_forward(source, embedding), random_site::kSourceInput);

  // Step 2. Encode it: memory = Encoder(x).
  const Tensor memory = encoder.forward(x, source.lengths, cache.encoder);

  // Step 3. Embed the target: y = Dropout(Embedding(target_input)).
  const Tensor y = drop(embedding_forward(target_input, embedding), random_site::kTargetInput);

  // Step 4. Decode it: decoder_output = Dropout(Decoder(y, memory)).
  return drop(decoder.forward(y, memory, source_mask, cache.decoder), kOutputSite);
}

void RecurrentTranslator::backward(const Tensor& grad_decoder_output, const Cache& cache) {
  const auto undrop = [&](Tensor grad, int site) {
    return dropout_backward(std::move(grad), cache.dropout.probability, cache.dropout.stream(site));
  };

  // Step 4 was: decoder_output = Dropout(Decoder(y, memory)).
  auto grad = decoder.backward(undrop(grad_decoder_output, kOutputSite), cache.decoder);

  // Step 3 was: y = Dropout(Embedding(target_input)).
  embedding_backward(undrop(std::move(grad.y), random_site::kTargetInput), cache.target_input, embedding);

  // Step 2 was: memory = Encoder(x).
  Tensor grad_x = encoder.backward(grad.memory, cache.encoder);

  // Step 1 was: x = Dropout(Embedding(source)).
  embedding_backward(undrop(std::move(grad_x), random_site::kSourceInput), cache.source, embedding);
}

ParameterList RecurrentTranslator::parameters() {
  ParameterList list = {{"embedding", &embedding}};
  encoder.append_parameters("encoder", list);
  decoder.append_parameters("decoder", list);
  return list;
}

}  // namespace plainformer
