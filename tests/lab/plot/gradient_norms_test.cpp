// One pass through a stack of encoder layers, with parts left out.
#include "lab/plot/gradient_norms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/elementwise.h"
#include "support/tensors.h"
#include "transformer/initialize.h"

namespace plainformer {
namespace {

constexpr Index kSentences = 2, kLen = 5, kWidth = 8;

Encoder small_encoder(Index layers) {
  Encoder encoder({.d_model = kWidth, .d_ff = 12, .heads = 2, .encoder_layers = layers}, /*first_site=*/0);
  ParameterList parameters;
  encoder.append_parameters("encoder", parameters);
  initialize(parameters, /*seed=*/3);
  return encoder;
}

double norm(const Tensor& x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += double{x.data()[i]} * double{x.data()[i]};
  return std::sqrt(sum);
}

TEST(GradientNorms, OfThePapersStackAreThoseOfTheEncoder) {
  Encoder encoder = small_encoder(2);
  const Tensor x = random_tensor({kSentences, kLen, kWidth}, 1),
               grad = random_tensor({kSentences, kLen, kWidth}, 2);
  Encoder::Cache cache;
  const AttentionMask all = {.key_lengths = {kLen, kLen}};
  encoder.forward(x, all, {}, cache);
  const double second = norm(encoder.layers[1].backward(grad, cache.layers[1]));
  const double first = norm(encoder.backward(grad, cache));

  const StackTrace trace = trace_stack(encoder, {.residual = true, .layer_norm = true}, x, grad);
  ASSERT_EQ(trace.gradient_norms.size(), 2u);
  EXPECT_EQ(trace.gradient_norms[0], first);
  EXPECT_EQ(trace.gradient_norms[1], second);
}

TEST(GradientNorms, WithoutBothThereAreOnlyTheSublayers) {
  Encoder encoder = small_encoder(1);
  EncoderLayer& layer = encoder.layers[0];
  const Tensor x = random_tensor({kSentences, kLen, kWidth}, 1),
               grad = random_tensor({kSentences, kLen, kWidth}, 2);
  const AttentionMask all = {.key_lengths = {kLen, kLen}};
  MultiHeadAttention::Cache attention;
  FeedForward::Cache feed_forward;
  layer.feed_forward.forward(layer.self_attention.forward(x, x, x, all, attention), feed_forward);
  const auto grads =
      layer.self_attention.backward(layer.feed_forward.backward(grad, feed_forward), attention);
  const double expected = norm(add(add(grads.query, grads.key), grads.value));

  const StackTrace trace = trace_stack(encoder, {.residual = false, .layer_norm = false}, x, grad);
  EXPECT_NEAR(trace.gradient_norms.at(0), expected, 1e-5 * expected);
}

// If all sublayers return 0, a residual connection passes the gradient on, and nothing else does.
TEST(GradientNorms, OnlyAResidualConnectionPassesASublayerOfZeros) {
  Encoder encoder = small_encoder(1);
  EncoderLayer& layer = encoder.layers[0];
  for (Parameter* w : {&layer.self_attention.w_o, &layer.feed_forward.w_2})
    w->value = Tensor::zeros(w->value.shape());
  const Tensor x = random_tensor({kSentences, kLen, kWidth}, 1),
               grad = random_tensor({kSentences, kLen, kWidth}, 2);
  const auto norm_of = [&](StackVariant variant) {
    return trace_stack(encoder, variant, x, grad).gradient_norms.at(0);
  };
  EXPECT_NEAR(norm_of({.residual = true, .layer_norm = false}), norm(grad), 1e-5 * norm(grad));
  EXPECT_GT(norm_of({.residual = true, .layer_norm = true}), 0.1 * norm(grad));
  EXPECT_EQ(norm_of({.residual = false, .layer_norm = true}), 0);
  EXPECT_EQ(norm_of({.residual = false, .layer_norm = false}), 0);
}

// Rows (1, 0), (0, 1), (1, 1): cosines 0, 1 / sqrt(2) and 1 / sqrt(2). The sublayers add nothing.
TEST(GradientNorms, SimilarityIsTheMeanCosineOfTwoPositions) {
  Encoder encoder({.d_model = 2, .d_ff = 3, .heads = 1, .encoder_layers = 1}, /*first_site=*/0);
  const Tensor x = tensor({1, 3, 2}, {1, 0, 0, 1, 1, 1});
  const StackTrace trace = trace_stack(encoder, {.residual = true, .layer_norm = false}, x, x);
  EXPECT_NEAR(trace.similarity.at(0), 2 / std::sqrt(2.0) / 3, 1e-6);
}

}  // namespace
}  // namespace plainformer
