// The scores of a given translation, and the weights of every head, read from a forward pass.
#include "decoding/given_translation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "decoding/tiny_model.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

using Sentences = std::vector<std::vector<int>>;

// With embeddings of zero all 11 tokens have logit 0, so probability 1/11.
TEST(SequenceScore, AUniformModelGivesEachTokenTheSameShare) {
  Transformer model = tiny_model(0);
  model.embedding = Parameter(Tensor::zeros(model.embedding.value.shape()));
  const auto scores = score_sequences(model, {{4, 5, 6}, {}}, {{7, 8}, {}});
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0].tokens, 3);  // </s> included
  EXPECT_NEAR(scores[0].log_probability, -3 * std::log(11.0), 1e-5);
  EXPECT_EQ(scores[1].tokens, 1);
  EXPECT_NEAR(scores[1].log_probability, -std::log(11.0), 1e-5);
}

TEST(SequenceScore, APairDoesNotDependOnItsBatchAndKeepsItsPlace) {
  const Transformer model = tiny_model(6);
  const Sentences sources = random_sources(6, 70), targets = random_sources(7, 70);
  const auto together = score_sequences(model, sources, targets);
  ASSERT_EQ(together.size(), 70u);
  for (std::size_t i = 0; i < sources.size(); i += 9) {
    const SequenceScore alone = score_sequences(model, {sources[i]}, {targets[i]}).front();
    EXPECT_EQ(alone.log_probability, together[i].log_probability);
    EXPECT_EQ(alone.tokens, together[i].tokens);
  }
}

TEST(SequenceScore, RefusesSentencesThatAreTooLongAndThoseWithoutTranslation) {
  const Transformer model = tiny_model(0, 11, 6);
  const std::vector<int> five(5, 4), six(6, 4);
  EXPECT_EQ(score_sequences(model, {five}, {five}).front().tokens, 6);
  const auto refusal = [&](const std::vector<int>& source, const std::vector<int>& target) {
    return thrown_message<std::logic_error>([&] { score_sequences(model, {{}, source}, {{}, target}); });
  };
  EXPECT_TRUE(contains(refusal(six, {}), "7 positions"));
  EXPECT_TRUE(contains(refusal({}, six), "7 positions"));
  EXPECT_THROW(score_sequences(model, {{3}, {4}}, {{3}}), std::logic_error);
}

ModelConfig small_config() {
  return {.d_model = 8,
          .d_ff = 12,
          .heads = 2,
          .encoder_layers = 3,
          .decoder_layers = 1,
          .vocab = 11,
          .max_length = 16};
}

const std::vector<int> kSource = {4, 5, 6, 7}, kTarget = {8, 9};

class AttentionCapture : public testing::Test {
 protected:
  const Transformer model_{small_config(), /*seed=*/1};
  const AttentionWeights weights_ = capture_attention(model_, kSource, kTarget);
};

TEST_F(AttentionCapture, HasEveryLayerOfEachKind) {
  ASSERT_EQ(weights_.encoder_self.size(), 3u);
  ASSERT_EQ(weights_.decoder_self.size(), 1u);
  ASSERT_EQ(weights_.encoder_decoder.size(), 1u);
  for (const Tensor& layer : weights_.encoder_self) EXPECT_EQ(layer.shape(), Shape({2, 5, 5}));
  EXPECT_EQ(weights_.decoder_self[0].shape(), Shape({2, 3, 3}));
  EXPECT_EQ(weights_.encoder_decoder[0].shape(), Shape({2, 3, 5}));
}

// A page and a file of numbers would show NaN as 0.
TEST_F(AttentionCapture, AModelThatOverflowsIsAnError) {
  Transformer model(small_config(), /*seed=*/1);
  model.encoder.layers[1].self_attention.w_q.value = Tensor::filled({8, 8}, std::numeric_limits<Real>::max());
  const std::string message = error_of([&] { capture_attention(model, kSource, kTarget); });
  EXPECT_TRUE(message.starts_with("model: its attention is not a finite number (hint: ")) << message;
}

TEST_F(AttentionCapture, EachRowSumsTo1AndTheFutureHasNoWeight) {
  for (const Tensor& layer :
       {weights_.encoder_self[2], weights_.decoder_self[0], weights_.encoder_decoder[0]}) {
    for (Index head = 0; head < 2; ++head) {
      for (Index query = 0; query < layer.dim(1); ++query) {
        double sum = 0;
        for (Index key = 0; key < layer.dim(2); ++key)
          sum += static_cast<double>(layer.at({head, query, key}));
        EXPECT_NEAR(sum, 1, 1e-6);
      }
    }
  }
  for (Index head = 0; head < 2; ++head) {
    EXPECT_EQ(weights_.decoder_self[0].at({head, 0, 0}), 1);
    EXPECT_EQ(weights_.decoder_self[0].at({head, 1, 2}), 0);
    EXPECT_GT(weights_.decoder_self[0].at({head, 2, 1}), 0);
  }
}

}  // namespace
}  // namespace plainformer
