// A model small enough to check every element, with pairwise different extents, and sentences of different
// lengths for it.
#pragma once

#include "ops/cross_entropy.h"
#include "support/tensors.h"
#include "transformer/token_batch.h"
#include "transformer/transformer.h"

namespace plainformer {

inline ModelConfig small_config() {
  return {.d_model = 6,
          .d_ff = 10,
          .heads = 2,
          .encoder_layers = 2,
          .decoder_layers = 2,
          .vocab = 13,
          .max_length = 16};
}

inline ModelConfig small_config_with_learned_positions() {
  ModelConfig config = small_config();
  config.positions = Positions::kLearned;
  config.max_length = 7;  // as long as small_batch, so that every position has a gradient
  return config;
}

// Three pairs: sources of 4, 2 and 5 tokens, targets of 3, 6 and 1 (and a special symbol each).
inline TranslationBatch small_batch() {
  return TranslationBatch::from({{4, 5, 6, 7}, {8, 4}, {9, 10, 11, 12, 4}},
                                {{6, 5, 12}, {7, 8, 9, 10, 11, 5}, {4}});
}

// A layer's parameters under their names within it.
template <typename Layer>
ParameterList parameters_of(Layer& layer) {
  ParameterList parameters;
  layer.append_parameters("", parameters);
  for (NamedParameter& each : parameters) each.name.erase(0, 1);  // the dot after the empty prefix
  return parameters;
}

// Weights large enough for sharp attention, and gains and biases that differ from 1 and 0: so that each of
// them has a gradient that a test can see.
inline void randomize(const ParameterList& parameters, std::uint64_t first_seed) {
  for (const NamedParameter& p : parameters) {
    Tensor value = random_tensor(p.parameter->value.shape(), first_seed++);
    const Real center = p.name.ends_with(".gain") ? 1 : 0;
    Real* data = value.mutable_data();
    for (Index i = 0; i < value.size(); ++i) data[i] = center + static_cast<Real>(0.7) * data[i];
    *p.parameter = Parameter(value);
  }
}

inline DropoutState dropout_of(double probability) {
  return {.probability = static_cast<Real>(probability), .seed = 7, .attempt = 3};
}

inline Tensor logits_of(const Transformer& model, const TokenBatch& source, const TokenBatch& target_input,
                        const DropoutState& dropout) {
  Transformer::Cache cache;
  return output_projection_forward(model.forward(source, target_input, dropout, cache), model.embedding);
}

inline double loss_of(const Transformer& model, const TranslationBatch& batch, const DropoutState& dropout,
                      double smoothing = 0.1) {
  Transformer::Cache cache;
  const Tensor decoder_output = model.forward(batch.source, batch.target_input, dropout, cache);
  return projected_cross_entropy_forward(decoder_output, model.embedding, batch.targets(), smoothing).loss;
}

// The same, and adds grad_loss times its gradients to those of all parameters.
inline double backpropagate(Transformer& model, const TranslationBatch& batch, const DropoutState& dropout,
                            double smoothing = 0.1, Real grad_loss = 1) {
  Transformer::Cache cache;
  const Tensor decoder_output = model.forward(batch.source, batch.target_input, dropout, cache);
  Tensor grad_decoder_output;
  const CrossEntropy sums = projected_cross_entropy_forward_backward(
      grad_loss, decoder_output, model.embedding, batch.targets(), smoothing, grad_decoder_output);
  model.backward(grad_decoder_output, cache);
  return sums.loss;
}

}  // namespace plainformer
