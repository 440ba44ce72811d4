#include "transformer/encoder.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

constexpr Index kBatch = 2, kSourceLen = 5, kDModel = 6;
const AttentionMask kSourceMask = {.key_lengths = {5, 3}, .causal = false};

Tensor random_input() {
  return random_tensor({kBatch, kSourceLen, kDModel}, 1);
}

TEST(EncoderLayer, IsAttentionThenFeedForwardEachWithItsResidual) {
  EncoderLayer layer(small_config(), 0);
  ParameterList parameters;
  layer.append_parameters("layer", parameters);
  randomize(parameters, 10);
  const Tensor x = random_input();
  EncoderLayer::Cache cache;
  const Tensor output = layer.forward(x, kSourceMask, dropout_of(0), cache);

  MultiHeadAttention::Cache attention_cache;
  ResidualLayerNorm::Cache norm_cache;
  FeedForward::Cache feed_forward_cache;
  const Tensor attended = layer.self_attention.forward(x, x, x, kSourceMask, attention_cache);
  const Tensor y = layer.self_attention_norm.forward(x, attended, dropout_of(0), norm_cache);
  const Tensor transformed = layer.feed_forward.forward(y, feed_forward_cache);
  EXPECT_TRUE(same_bits(output, layer.feed_forward_norm.forward(y, transformed, dropout_of(0), norm_cache)));
}

// One check for EncoderLayer and Encoder, which have the same interface.
template <typename Part>
void check_encoder_gradients(double dropout) {
  Part part(small_config(), 5);
  ParameterList parameters;
  part.append_parameters("", parameters);
  randomize(parameters, 10);
  Tensor x = random_input();
  const Tensor grad_output = random_tensor(x.shape(), 2);
  typename Part::Cache cache;
  part.forward(x, kSourceMask, dropout_of(dropout), cache);
  const Tensor grad_x = part.backward(grad_output, cache);
  std::vector<Differentiated> inputs = differentiated(parameters);
  inputs.push_back({"x", &x, grad_x});
  const auto loss = [&] {
    typename Part::Cache unused;
    return dot(grad_output, part.forward(x, kSourceMask, dropout_of(dropout), unused));
  };
  EXPECT_TRUE(gradients_agree(loss, inputs));
}

GRADIENT_TEST(EncoderLayer, Gradient) {
  check_encoder_gradients<EncoderLayer>(0.3);
}
GRADIENT_TEST(Encoder, Gradient) {
  check_encoder_gradients<Encoder>(0.3);
}

}  // namespace
}  // namespace plainformer
