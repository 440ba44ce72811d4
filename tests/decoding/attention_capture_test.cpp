// The weights of every head, read from a forward pass.
#include "decoding/attention_capture.h"

#include <gtest/gtest.h>

#include <limits>

#include "ops/ways.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

ModelConfig small_config() {
  ModelConfig config;
  config.d_model = 8;
  config.d_ff = 12;
  config.heads = 2;
  config.encoder_layers = 3;
  config.decoder_layers = 1;
  config.vocab = 11;
  config.max_length = 16;
  return config;
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
  const std::string message =
      thrown_message<std::runtime_error>([&] { capture_attention(model, kSource, kTarget); });
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

TEST_F(AttentionCapture, LayersAndHeadsAreDifferent) {
  const Tensor &first = weights_.encoder_self[0], &last = weights_.encoder_self[2];
  EXPECT_NE(first.at({0, 1, 2}), last.at({0, 1, 2}));
  EXPECT_NE(first.at({0, 1, 2}), first.at({1, 1, 2}));
}

TEST_F(AttentionCapture, LeavesTheWaysAsTheyWere) {
  Ways fast;
  fast.attention = Way::kFast;
  const WaysInScope in_scope(fast);
  EXPECT_EQ(capture_attention(model_, kSource, kTarget).encoder_decoder[0].shape(), Shape({2, 3, 5}));
  EXPECT_EQ(ways.attention, Way::kFast);
}

}  // namespace
}  // namespace plainformer
