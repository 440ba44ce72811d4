#include "transformer/transformer.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "ops/elementwise.h"

namespace plainformer {

namespace {

// The dropout sites: one in each input, then two in each encoder layer and three in each decoder layer.
int first_decoder_site(const ModelConfig& config) {
  return random_site::kFirstLayer + static_cast<int>(config.encoder_layers) * EncoderLayer::kDropoutSites;
}

const ModelConfig& checked(const ModelConfig& config) {
  config.check("model");
  return config;
}

}  // namespace

Transformer::Transformer(const ModelConfig& config)
    : embedding(Tensor::zeros({checked(config).vocab, config.d_model})),
      positions(config.max_length, config.d_model, config.positions),
      encoder(config, random_site::kFirstLayer),
      decoder(config, first_decoder_site(config)),
      config_(config) {}

Transformer::Transformer(const ModelConfig& config, std::uint64_t seed) : Transformer(config) {
  std::vector<EmbeddingTable> tables = {token_table(embedding)};
  if (positions.is_learned()) tables.push_back(position_table(positions.table));
  initialize(parameters(), seed, tables);
}

Tensor Transformer::forward(const TokenBatch& source, const TokenBatch& target_input,
                            const DropoutState& dropout, Cache& cache) const {
  const AttentionMask source_mask = {.key_lengths = source.lengths, .causal = false};
  const AttentionMask target_mask = {.key_lengths = target_input.lengths, .causal = true};

  // Step 1. Embed the source: x = Dropout(Embedding(source) + PE).
  const Tensor x = input_forward(source, random_site::kSourceInput, dropout, cache.source_input);

  // Step 2. Encode it: memory = Encoder(x).
  const Tensor memory = encoder.forward(x, source_mask, dropout, cache.encoder);

  // Step 3. Embed the target: y = Dropout(Embedding(target_input) + PE).
  const Tensor y = input_forward(target_input, random_site::kTargetInput, dropout, cache.target_input);

  // Step 4. Decode it: decoder_output = Decoder(y, memory).
  return decoder.forward(y, memory, target_mask, source_mask, dropout, cache.decoder);
}

void Transformer::backward(const Tensor& grad_decoder_output, const Cache& cache) {
  // Step 4 was: decoder_output = Decoder(y, memory).
  auto grad = decoder.backward(grad_decoder_output, cache.decoder);

  // Step 3 was: y = Dropout(Embedding(target_input) + PE).
  input_backward(std::move(grad.x), random_site::kTargetInput, cache.target_input);

  // Step 2 was: memory = Encoder(x).
  Tensor grad_x = encoder.backward(grad.memory, cache.encoder);

  // Step 1 was: x = Dropout(Embedding(source) + PE).
  input_backward(std::move(grad_x), random_site::kSourceInput, cache.source_input);
}

CrossEntropy Transformer::loss_forward_backward(Real grad_loss, const Tensor& decoder_output,
                                                const TranslationBatch& batch, double smoothing,
                                                Tensor& grad_decoder_output) {
  return projected_cross_entropy_forward_backward(grad_loss, decoder_output, embedding, batch.targets(),
                                                  smoothing, grad_decoder_output);
}

Tensor Transformer::encode(const TokenBatch& source) const {
  const Tensor x = positions.forward(embedding_forward(source, embedding));
  return encoder.forward(x, {.key_lengths = source.lengths, .causal = false});
}

Tensor Transformer::decode(const TokenBatch& target_input, const Tensor& memory,
                           const std::vector<Index>& source_lengths) const {
  const Tensor y = positions.forward(embedding_forward(target_input, embedding));
  const AttentionMask target_mask = {.key_lengths = target_input.lengths, .causal = true};
  const AttentionMask source_mask = {.key_lengths = source_lengths, .causal = false};
  return decoder.forward(y, memory, target_mask, source_mask);
}

Tensor Transformer::input_forward(const TokenBatch& tokens, int site, const DropoutState& dropout,
                                  InputCache& cache) const {
  cache.tokens = tokens;
  cache.dropout = dropout;

  // Step 1. Embed the tokens and add their positions: x = Embedding(tokens) + PE.
  Tensor x = positions.forward(embedding_forward(tokens, embedding));  // [batch, len, d_model]

  // Step 2. Drop: output = Dropout(x).
  return dropout_forward(std::move(x), dropout.probability, dropout.stream(site));
}

void Transformer::input_backward(Tensor grad_output, int site, const InputCache& cache) {
  // Step 2 was: output = Dropout(x).
  Tensor grad_x =
      dropout_backward(std::move(grad_output), cache.dropout.probability, cache.dropout.stream(site));

  // Step 1 was: x = Embedding(tokens) + PE. The embedding gets the gradient, and so do learned positions;
  // sines and cosines have none.
  positions.backward(grad_x);
  embedding_backward(std::move(grad_x), cache.tokens, embedding);
}

ParameterList Transformer::parameters() {
  ParameterList list = {{"embedding", &embedding}};
  encoder.append_parameters("encoder", list);
  decoder.append_parameters("decoder", list);
  if (positions.is_learned()) list.push_back({"position_embedding", &positions.table});
  return list;
}

namespace {

// The bound is torch.nn.Linear's. At first a sub-layer's output is small compared with its input (of
// variance 1), and the attention weights are nearly equal. The model learns sooner than with the larger
// weights of Glorot & Bengio 2010 (docs/lab/multi30k.md).
void initialize_uniform(Tensor& w, Random random) {
  const double bound = 1 / std::sqrt(static_cast<double>(w.dim(0)));
  std::generate_n(w.mutable_data(), w.size(),
                  [&] { return static_cast<Real>(bound * (2 * random.uniform() - 1)); });
}

void initialize_normal(Tensor& table, double deviation, Random random) {
  std::generate_n(table.mutable_data(), table.size(),
                  [&] { return static_cast<Real>(deviation * random.normal()); });
}

}  // namespace

EmbeddingTable token_table(const Parameter& table) {
  return {&table, 1 / std::sqrt(static_cast<double>(table.value.dim(1)))};
}

EmbeddingTable position_table(const Parameter& table) {
  return {&table, std::sqrt(0.5)};
}

void initialize(const ParameterList& parameters, std::uint64_t seed,
                const std::vector<EmbeddingTable>& tables) {
  std::uint64_t site = random_site::kFirstWeight;
  for (const NamedParameter& p : parameters) {
    const Random random(random_stream(seed, 0, site++));
    Tensor& value = p.parameter->value;
    if (value.rank() != 2) continue;
    const auto table =
        std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.table == p.parameter; });
    if (table != tables.end())
      initialize_normal(value, table->deviation, random);
    else
      initialize_uniform(value, random);
  }
}

}  // namespace plainformer
