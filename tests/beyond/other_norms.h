// The small configuration and batch on which models with other norms than the paper's are tested, and their gradient check.
#pragma once

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "transformer/transformer.h"
#include "transformer/translation_batch.h"

namespace plainformer {

inline ModelConfig other_norms_config() {
  return {.d_model = 6, .d_ff = 5, .heads = 2, .encoder_layers = 2, .decoder_layers = 2, .vocab = 11};
}

// Two sentences of different lengths.
inline TranslationBatch two_padded_pairs() {
  return TranslationBatch::from({{4, 5, 6, 7}, {8, 9}}, {{5, 4}, {10, 9, 8}});
}

// Draws gains and biases. The same dropout masks both ways; padding of the output gets no gradient, as in the loss.
template <typename Model>
testing::AssertionResult model_gradients_agree(Model model) {
  std::uint64_t seed = 10;
  for (const NamedParameter& p : model.parameters())
    if (p.parameter->value.rank() == 1) *p.parameter = random_parameter(p.parameter->value.shape(), seed++);
  const TranslationBatch batch = two_padded_pairs();
  const DropoutState dropout = {.probability = Real(0.25), .seed = 3};
  typename Model::Cache cache;
  const Tensor output = model.forward(batch.source, batch.target_input, dropout, cache);
  Tensor grad_output = random_tensor(output.shape(), 2);
  std::fill_n(grad_output.mutable_data() + 3 * 6, 6, Real(0));  // the first sentence has 3 of 4 positions
  zero_gradients(model.parameters());
  model.backward(grad_output, cache);
  const auto loss = [&] {
    typename Model::Cache unused;
    return dot(grad_output, model.forward(batch.source, batch.target_input, dropout, unused));
  };
  return gradients_agree(loss, differentiated(model.parameters()));
}

// Does an earlier output stay as it was, bit for bit, when a later token of the target changes?
template <typename Outputs>
bool sees_a_later_target(const Outputs& outputs) {
  const TranslationBatch batch = two_padded_pairs();
  TokenBatch changed = batch.target_input;
  changed.ids[2] = 10;  // the last token of the first sentence
  const Tensor before = outputs(batch.source, batch.target_input), after = outputs(batch.source, changed);
  return !std::equal(before.data(), before.data() + 2 * before.dim(2), after.data());
}

}  // namespace plainformer
