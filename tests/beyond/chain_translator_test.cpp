#include "beyond/chain_translator.h"

#include <gtest/gtest.h>

#include "beyond/layer_checks.h"
#include "transformer/translation_batch.h"

namespace plainformer {
namespace {

constexpr ChainTranslator::Sizes kChainSizes = {.vocab = 11, .d_model = 5, .d_state = 7};

// Two sentences of different lengths.
TranslationBatch two_chain_pairs() {
  return TranslationBatch::from({{4, 5, 6, 7}, {8, 9}}, {{5, 4}, {10, 9, 8}});
}

// Biases other than 0. The same dropout masks both ways; the embedding gets gradients from the source and from the target.
GRADIENT_TEST(ChainTranslator, Gradient) {
  ChainTranslator model(kChainSizes, 1);
  std::uint64_t seed = 10;
  for (const NamedParameter& p : model.parameters())
    if (p.parameter->value.rank() == 1) *p.parameter = random_parameter(p.parameter->value.shape(), seed++);
  const TranslationBatch batch = two_chain_pairs();
  const DropoutState dropout = {.probability = Real(0.25), .seed = 3};
  ChainTranslator::Cache cache;
  const Tensor output = model.forward(batch.source, batch.target_input, dropout, cache);
  const Tensor grad_output = random_tensor(output.shape(), 2);
  zero_gradients(model.parameters());
  model.backward(grad_output, cache);
  const auto loss = [&] {
    ChainTranslator::Cache unused;
    return dot(grad_output, model.forward(batch.source, batch.target_input, dropout, unused));
  };
  EXPECT_TRUE(gradients_agree(loss, differentiated(model.parameters())));
}

// The writer gets the reader's last state and nothing else. So two sources with the same one have the same translation,
// and what stands behind the last token, in the padding, has no influence.
TEST(ChainTranslator, KnowsTheSourceByItsLastStateOnly) {
  ChainTranslator model(kChainSizes, 1);
  TranslationBatch batch = two_chain_pairs();
  ChainTranslator::Cache cache;
  const Tensor before = model.forward(batch.source, batch.target_input, {}, cache);

  batch.source.ids.back() = 7;  // padding of the second sentence
  EXPECT_TRUE(same_bits(model.forward(batch.source, batch.target_input, {}, cache), before));

  batch.source.ids.front() = 10;  // the first token of the first sentence
  const Tensor changed = model.forward(batch.source, batch.target_input, {}, cache);
  const Index half = before.size() / 2;
  EXPECT_FALSE(std::equal(before.data(), before.data() + half, changed.data()));
  EXPECT_TRUE(std::equal(before.data() + half, before.data() + 2 * half, changed.data() + half));

  // Gates that replace nothing: every last state is 0, whatever was read.
  model.reader.b.value = Tensor::filled(model.reader.b.value.shape(), -1000);
  const Tensor unread = model.forward(batch.source, batch.target_input, {}, cache);
  batch.source.ids.front() = 4;
  EXPECT_TRUE(same_bits(model.forward(batch.source, batch.target_input, {}, cache), unread));
}

TEST(ChainTranslator, HasTheToysNumberOfWeights) {
  Index weights = 0;
  ChainTranslator model({.vocab = 285}, 1);
  for (const NamedParameter& p : model.parameters()) weights += p.parameter->value.size();
  EXPECT_EQ(weights, 692'912);  // the toy preset: 695,936
}

}  // namespace
}  // namespace plainformer
