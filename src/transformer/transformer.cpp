#include "transformer/transformer.h"

#include "ops/dropout.h"
#include "transformer/initialize.h"

namespace plainformer {

namespace {

// The dropout sites: one in each input, then two in each encoder layer and three in each decoder layer.
constexpr int kSourceSite = 0, kTargetSite = 1, kFirstEncoderSite = 2;

int first_decoder_site(const ModelConfig& config) {
  return kFirstEncoderSite + static_cast<int>(config.encoder_layers) * EncoderLayer::kDropoutSites;
}

const ModelConfig& checked(const ModelConfig& config) {
  config.check("model");
  return config;
}

AttentionMask padding_mask(const std::vector<Index>& lengths) {
  return {.key_lengths = lengths, .causal = false};
}
AttentionMask causal_mask(const std::vector<Index>& lengths) {
  return {.key_lengths = lengths, .causal = true};
}

}  // namespace

Transformer::Transformer(const ModelConfig& config, std::uint64_t seed)
    : embedding(Tensor::zeros({checked(config).vocab, config.d_model})),
      position_embedding(Tensor::zeros({config.learns_positions() ? config.max_length : 0, config.d_model})),
      encoder(config, kFirstEncoderSite),
      decoder(config, first_decoder_site(config)),
      config_(config),
      positional_encoding_(config.learns_positions() ? 0 : config.max_length, config.d_model) {
  initialize(parameters(), seed);
}

Tensor Transformer::forward(const TokenBatch& source, const TokenBatch& target_input,
                            const DropoutState& dropout, Cache& cache) const {
  // Step 1. Encode the source: memory = Encoder(Dropout(Embedding(source) + PE)).
  const Tensor memory = encode(source, dropout, cache);  // [batch, source_len, d_model]

  // Step 2. Decode: decoder_output = Decoder(Dropout(Embedding(target_input) + PE), memory).
  return decode(target_input, memory, source.lengths, dropout, cache);
}

void Transformer::backward(const Tensor& grad_decoder_output, const Cache& cache) {
  // Step 2 was: decoder_output = Decoder(Dropout(Embedding(target_input) + PE), memory).
  auto grad = decoder.backward(grad_decoder_output, cache.decoder);
  input_backward(std::move(grad.x), kTargetSite, cache.target_input);

  // Step 1 was: memory = Encoder(Dropout(Embedding(source) + PE)).
  input_backward(encoder.backward(grad.memory, cache.encoder), kSourceSite, cache.source_input);
}

Tensor Transformer::encode(const TokenBatch& source, const DropoutState& dropout, Cache& cache) const {
  const Tensor x = input_forward(source, kSourceSite, dropout, cache.source_input);
  return encoder.forward(x, padding_mask(source.lengths), dropout, cache.encoder);
}

Tensor Transformer::decode(const TokenBatch& target_input, const Tensor& memory,
                           const std::vector<Index>& source_lengths, const DropoutState& dropout,
                           Cache& cache) const {
  const Tensor x = input_forward(target_input, kTargetSite, dropout, cache.target_input);
  cache.decoder_output = decoder.forward(x, memory, causal_mask(target_input.lengths),
                                         padding_mask(source_lengths), dropout, cache.decoder);
  return cache.decoder_output;
}

Tensor Transformer::input_forward(const TokenBatch& tokens, int site, const DropoutState& dropout,
                                  InputCache& cache) const {
  cache.tokens = tokens;
  cache.dropout = dropout;
  // Step 1. Embed the tokens and add their positions: x = Embedding(tokens) + PE.
  Tensor x = add_positions(embedding_forward(tokens, embedding));  // [batch, len, d_model]

  // Step 2. Drop: output = Dropout(x).
  return dropout_forward(std::move(x), dropout.probability, dropout.stream(site));
}

void Transformer::input_backward(Tensor grad_output, int site, const InputCache& cache) {
  // Step 2 was: output = Dropout(x).
  Tensor grad_x =
      dropout_backward(std::move(grad_output), cache.dropout.probability, cache.dropout.stream(site));

  // Step 1 was: x = Embedding(tokens) + PE. Both get the gradient; PE needs it only if it is learned.
  if (config_.learns_positions()) position_embedding_backward(grad_x, position_embedding);
  embedding_backward(std::move(grad_x), cache.tokens, embedding);
}

Tensor Transformer::add_positions(Tensor x, Index first_position) const {
  return config_.learns_positions()
             ? position_embedding_forward(std::move(x), position_embedding, first_position)
             : positional_encoding_.forward(std::move(x), first_position);
}

ParameterList Transformer::parameters() {
  ParameterList list = {{"embedding", &embedding}};
  encoder.append_parameters("encoder", list);
  decoder.append_parameters("decoder", list);
  if (config_.learns_positions()) list.push_back({"position_embedding", &position_embedding});
  return list;
}

}  // namespace plainformer
