// Paper: 3.4 Embeddings and Softmax. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ops/elementwise.h"
#include "ops/linear.h"
#include "ops/softmax.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

class Section34 : public testing::Test {
 protected:
  Section34() : model(small_config(), 1) {}

  Transformer model;
  Transformer::Cache cache;
  const TranslationBatch batch = small_batch();
};

// "we use learned embeddings to convert the input tokens and output tokens to vectors of dimension d_model."
TEST_F(Section34, UsesLearnedEmbeddingsForInputAndOutputTokens) {
  EXPECT_EQ(embedding_forward(batch.source, model.embedding).dim(2), model.config().d_model);
  EXPECT_EQ(embedding_forward(batch.target_input, model.embedding).dim(2), model.config().d_model);
  for (const TokenBatch& tokens : {batch.source, batch.target_input}) {
    Parameter table(model.embedding.value);
    embedding_backward(embedding_forward(tokens, table), tokens, table);
    for (int id = 0; id < static_cast<int>(model.config().vocab); ++id) {
      if (id == kPadId) continue;
      const bool is_used = std::count(tokens.ids.begin(), tokens.ids.end(), id) > 0;
      bool has_gradient = false;
      for (Index i = 0; i < table.grad.dim(1); ++i) has_gradient |= table.grad.at({id, i}) != 0;
      EXPECT_EQ(has_gradient, is_used) << "token " << id;
    }
  }
}

// "We also use the usual learned linear transformation and softmax function to convert the decoder output to
// predicted next-token probabilities."
TEST_F(Section34, ConvertsTheDecoderOutputToNextTokenProbabilities) {
  const Tensor decoder_output = model.forward(batch.source, batch.target_input, dropout_of(0), cache);
  const Tensor logits = output_projection_forward(decoder_output, model.embedding);
  EXPECT_EQ(logits.shape(), (Shape{3, batch.target_input.len, model.config().vocab}));
  const Index vocab = logits.dim(2), rows = logits.size() / vocab;
  const Tensor probabilities = softmax_forward(logits, std::vector<Index>(rows, vocab));
  for (Index row = 0; row < rows; ++row) {
    double sum = 0;
    for (Index k = 0; k < vocab; ++k) sum += probabilities.data()[row * vocab + k];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

// "we share the same weight matrix between the two embedding layers and the pre-softmax linear
// transformation".
TEST_F(Section34, SharesTheSameWeightMatrix) {
  // There is one matrix with a row for each word, ...
  int matrices = 0;
  for (const NamedParameter& p : model.parameters())
    matrices += p.parameter->value.dim(0) == model.config().vocab;
  EXPECT_EQ(matrices, 1);

  // ... whose gradient is the sum of the three shares.
  const Tensor decoder_output = model.forward(batch.source, batch.target_input, dropout_of(0), cache);
  const Tensor logits = output_projection_forward(decoder_output, model.embedding);
  const Tensor grad_logits = cross_entropy_backward(1, logits, batch.targets(), 0.1);
  Parameter as_projection(model.embedding.value), as_target(model.embedding.value),
      as_source(model.embedding.value);
  const Tensor grad_output = linear_transposed_backward(grad_logits, decoder_output, as_projection);
  const auto grad = model.decoder.backward(grad_output, cache.decoder);
  embedding_backward(grad.x, batch.target_input, as_target);
  embedding_backward(model.encoder.backward(grad.memory, cache.encoder), batch.source, as_source);
  zero_gradients(model.parameters());
  backpropagate(model, batch, dropout_of(0), 0.1);
  EXPECT_TRUE(near(model.embedding.grad, add(add(as_projection.grad, as_target.grad), as_source.grad), 1e-4));
  for (const Parameter* share : {&as_projection, &as_target, &as_source})
    EXPECT_GT(dot(share->grad, share->grad), 1e-3);
}

// "In the embedding layers, we multiply those weights by sqrt(d_model)" - there, and not in the projection.
TEST_F(Section34, MultipliesThoseWeightsBySqrtDModel) {
  const double root = std::sqrt(static_cast<double>(model.config().d_model));
  const Tensor embedded = embedding_forward(batch.source, model.embedding);
  for (Index i = 0; i < batch.source.lengths[0]; ++i)
    for (Index d = 0; d < model.config().d_model; ++d)
      EXPECT_NEAR(embedded.at({0, i, d}), root * model.embedding.value.at({batch.source.ids[i], d}), 1e-6);

  const Tensor x = random_tensor({1, 1, model.config().d_model}, 1);
  const Tensor logits = output_projection_forward(x, model.embedding);
  for (Index word = 0; word < model.config().vocab; ++word) {
    double product = 0;
    for (Index d = 0; d < model.config().d_model; ++d)
      product += x.at({0, 0, d}) * model.embedding.value.at({word, d});
    EXPECT_NEAR(logits.at({0, 0, word}), product, 1e-5);
  }
}

}  // namespace
}  // namespace plainformer
