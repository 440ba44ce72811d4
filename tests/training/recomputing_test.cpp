// A model that keeps each layer's input only.
#include "training/recomputing.h"

#include <gtest/gtest.h>

#include "support/small_model.h"

namespace plainformer {
namespace {

TEST(RecomputingTransformer, KeepsInputsOnlyAndGivesTheSameGradients) {
  Transformer model(small_config_with_learned_positions(), 1);
  randomize(model.parameters(), 10);
  const TranslationBatch batch = small_batch();
  const DropoutState dropout = dropout_of(0.3);
  const Tensor grad_output = random_tensor({3, 7, 6}, 1);
  const auto results = [&](const Tensor& output) {
    std::vector<Tensor> tensors = {output};
    for (const NamedParameter& p : model.parameters()) tensors.push_back(p.parameter->grad);
    return tensors;
  };
  Transformer::Cache all;
  zero_gradients(model.parameters());
  const Tensor output = model.forward(batch.source, batch.target_input, dropout, all);
  model.backward(grad_output, all);
  const std::vector<Tensor> expected = results(output);

  RecomputingTransformer recomputing(model);
  Transformer::Cache inputs;
  zero_gradients(model.parameters());
  const Tensor same_output = recomputing.forward(batch.source, batch.target_input, dropout, inputs);
  recomputing.backward(grad_output, inputs);
  const std::vector<Tensor> actual = results(same_output);

  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(same_bits(actual[i], expected[i])) << (i == 0 ? "output" : model.parameters()[i - 1].name);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_FALSE(all.encoder.layers[i].feed_forward.x.empty());
    EXPECT_TRUE(inputs.encoder.layers[i].feed_forward.x.empty());
    EXPECT_TRUE(inputs.decoder.layers[i].feed_forward.x.empty());
    EXPECT_EQ(inputs.encoder.layers[i].self_attention.query_input.shape(), (Shape{3, 6, 6}));
    EXPECT_EQ(inputs.decoder.layers[i].self_attention.query_input.shape(), (Shape{3, 7, 6}));
  }
}

}  // namespace
}  // namespace plainformer
