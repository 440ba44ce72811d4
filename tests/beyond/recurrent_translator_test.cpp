#include "beyond/recurrent_translator.h"

#include <gtest/gtest.h>

#include "beyond/layer_checks.h"
#include "transformer/translation_batch.h"

namespace plainformer {
namespace {

constexpr RecurrentTranslator::Sizes kSizes = {.vocab = 11, .d_model = 5, .d_state = 6, .d_attention = 3};

// Two sentences of different lengths.
TranslationBatch two_pairs() {
  return TranslationBatch::from({{4, 5, 6, 7}, {8, 9}}, {{5, 4}, {10, 9, 8}});
}

// Biases other than 0. The same dropout masks both ways; the embedding gets gradients from the source and from the target.
GRADIENT_TEST(RecurrentTranslator, Gradient) {
  RecurrentTranslator model(kSizes, 1);
  std::uint64_t seed = 10;
  for (const NamedParameter& p : model.parameters())
    if (p.parameter->value.rank() == 1) *p.parameter = random_parameter(p.parameter->value.shape(), seed++);
  const TranslationBatch batch = two_pairs();
  const DropoutState dropout = {.probability = Real(0.25), .seed = 3};
  RecurrentTranslator::Cache cache;
  const Tensor output = model.forward(batch.source, batch.target_input, dropout, cache);
  const Tensor grad_output = random_tensor(output.shape(), 2);
  zero_gradients(model.parameters());
  model.backward(grad_output, cache);
  const auto loss = [&] {
    RecurrentTranslator::Cache unused;
    return dot(grad_output, model.forward(batch.source, batch.target_input, dropout, unused));
  };
  EXPECT_TRUE(gradients_agree(loss, differentiated(model.parameters())));
}

// "the dependence on the previous position": a later target token changes no earlier output.
TEST(RecurrentTranslator, SeesNoLaterTargetAndNoOtherSentence) {
  const RecurrentTranslator model(kSizes, 1);
  const TranslationBatch batch = two_pairs();
  RecurrentTranslator::Cache cache;
  const Tensor before = model.forward(batch.source, batch.target_input, {}, cache);
  TokenBatch changed = batch.target_input;
  changed.ids[2] = 10;  // the last token of the first sentence
  const Tensor after = model.forward(batch.source, changed, {}, cache);
  EXPECT_TRUE(std::equal(before.data(), before.data() + 2 * 5, after.data()));
  EXPECT_FALSE(std::equal(before.data() + 2 * 5, before.data() + 3 * 5, after.data() + 2 * 5));
  EXPECT_TRUE(std::equal(before.data() + 4 * 5, before.data() + 8 * 5, after.data() + 4 * 5));
}

TEST(RecurrentTranslator, HasTheToysNumberOfWeights) {
  Index weights = 0;
  RecurrentTranslator model({.vocab = 285}, 1);
  for (const NamedParameter& p : model.parameters()) weights += p.parameter->value.size();
  EXPECT_EQ(weights, 685'520);  // the toy preset: 695,936
}

}  // namespace
}  // namespace plainformer
