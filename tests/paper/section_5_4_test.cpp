// Paper: 5.4 Regularization. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/elementwise.h"
#include "ops/linear.h"
#include "support/small_model.h"
#include "training/training_options.h"

namespace plainformer {
namespace {

class Section54 : public testing::Test {
 protected:
  Section54() : model(small_config(), 1) {
    model.forward(batch.source, batch.target_input, dropout_of(0.3), cache);
  }

  // Is every element of `sum - x` either 0 or `sublayer_output` scaled up, and some are of each kind?
  static void expect_dropped_and_added(const Tensor& sum, const Tensor& x, const Tensor& sublayer_output) {
    int dropped = 0, kept = 0;
    for (Index i = 0; i < sum.size(); ++i) {
      const double rest = double(sum.data()[i]) - double(x.data()[i]),
                   whole = sublayer_output.data()[i] / 0.7;
      if (sum.data()[i] == x.data()[i]) {
        ++dropped;
      } else {
        ++kept;
        EXPECT_NEAR(rest, whole, 1e-5) << i;
      }
    }
    const double fraction = double(dropped) / double(dropped + kept);
    EXPECT_NEAR(fraction, 0.3, 5 * std::sqrt(0.3 * 0.7 / double(dropped + kept)));
  }

  const TranslationBatch batch = small_batch();
  Transformer model;
  Transformer::Cache cache;
};

// "We apply dropout to the output of each sub-layer, before it is added to the sub-layer input and
// normalized."
TEST_F(Section54, AppliesDropoutToTheOutputOfEachSubLayerBeforeItIsAddedAndNormalized) {
  const AttentionMask source_mask = {.key_lengths = batch.source.lengths, .causal = false};
  const AttentionMask target_mask = {.key_lengths = batch.target_input.lengths, .causal = true};
  MultiHeadAttention::Cache attention;
  FeedForward::Cache feed_forward;
  for (std::size_t i = 0; i < model.encoder.layers.size(); ++i) {
    const EncoderLayer& layer = model.encoder.layers[i];
    const EncoderLayer::Cache& seen = cache.encoder.layers[i];
    const Tensor &x = seen.self_attention.query_input, &y = seen.feed_forward.x;
    expect_dropped_and_added(seen.self_attention_norm.norm.x, x,
                             layer.self_attention.forward(x, x, x, source_mask, attention));
    expect_dropped_and_added(seen.feed_forward_norm.norm.x, y, layer.feed_forward.forward(y, feed_forward));
  }
  for (std::size_t i = 0; i < model.decoder.layers.size(); ++i) {
    const DecoderLayer& layer = model.decoder.layers[i];
    const DecoderLayer::Cache& seen = cache.decoder.layers[i];
    const Tensor &x = seen.self_attention.query_input, &y = seen.encoder_decoder_attention.query_input;
    const Tensor &memory = seen.encoder_decoder_attention.key_input, &z = seen.feed_forward.x;
    expect_dropped_and_added(seen.self_attention_norm.norm.x, x,
                             layer.self_attention.forward(x, x, x, target_mask, attention));
    expect_dropped_and_added(
        seen.encoder_decoder_attention_norm.norm.x, y,
        layer.encoder_decoder_attention.forward(y, memory, memory, source_mask, attention));
    expect_dropped_and_added(seen.feed_forward_norm.norm.x, z, layer.feed_forward.forward(z, feed_forward));
  }
}

// "In addition, we apply dropout to the sums of the embeddings and the positional encodings in both the
// encoder and decoder stacks."
TEST_F(Section54, AppliesDropoutToTheSumsOfTheEmbeddingsAndThePositionalEncodings) {
  const Tensor source = model.positions.forward(embedding_forward(batch.source, model.embedding));
  const Tensor target = model.positions.forward(embedding_forward(batch.target_input, model.embedding));
  expect_dropped_and_added(cache.encoder.layers[0].self_attention.query_input, Tensor::zeros(source.shape()),
                           source);
  expect_dropped_and_added(cache.decoder.layers[0].self_attention.query_input, Tensor::zeros(target.shape()),
                           target);
}

// softmax(q k^T / sqrt(d_k)) v in every head, in double. q, k and v [batch, len, heads * d_k]
Tensor equation_1(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& mask, Index heads) {
  const Index batch = q.dim(0), len = q.dim(1), d_k = q.dim(2) / heads;
  Tensor concat({batch, len, heads * d_k});
  Real* to = concat.mutable_data();
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index h = 0; h < heads; ++h) {
        std::vector<double> average(d_k);
        double sum = 0;
        for (Index j = 0; j < mask.visible_keys(b, i); ++j) {
          double score = 0;
          for (Index p = h * d_k; p < (h + 1) * d_k; ++p) score += q.at({b, i, p}) * k.at({b, j, p});
          const double share = std::exp(score / std::sqrt(double(d_k)));
          for (Index p = 0; p < d_k; ++p) average[p] += share * v.at({b, j, h * d_k + p});
          sum += share;
        }
        for (Index p = 0; p < d_k; ++p) *to++ = static_cast<Real>(average[p] / sum);
      }
  return concat;
}

// The paper names these places and no other: no attention weight and no hidden unit is dropped.
TEST_F(Section54, AppliesDropoutNowhereElse) {
  const EncoderLayer::Cache& seen = cache.encoder.layers[0];
  const MultiHeadAttention& attention = model.encoder.layers[0].self_attention;
  const Tensor& x = seen.self_attention.query_input;
  const AttentionMask mask = {.key_lengths = batch.source.lengths, .causal = false};
  const Tensor concat = equation_1(linear_forward(x, attention.w_q), linear_forward(x, attention.w_k),
                                   linear_forward(x, attention.w_v), mask, model.config().heads);
  EXPECT_TRUE(near(seen.self_attention.concat, concat, 1e-5));

  const FeedForward& feed_forward = model.encoder.layers[0].feed_forward;
  const Tensor hidden =
      relu_forward(linear_bias_forward(seen.feed_forward.x, feed_forward.w_1, feed_forward.b_1));
  EXPECT_TRUE(near(hidden, seen.feed_forward.hidden, 1e-6));
}

// Without dropout, the step makes no difference.
TEST_F(Section54, AtInferenceNothingIsDropped) {
  DropoutState first = dropout_of(0), second = dropout_of(0);
  second.attempt = first.attempt + 1;
  const Tensor output = model.forward(batch.source, batch.target_input, first, cache);
  EXPECT_TRUE(same_bits(model.forward(batch.source, batch.target_input, second, cache), output));
  first.probability = second.probability = static_cast<Real>(0.3);
  const Tensor dropped = model.forward(batch.source, batch.target_input, first, cache);
  EXPECT_FALSE(same_bits(model.forward(batch.source, batch.target_input, second, cache), dropped));
}

// "For the base model, we use a rate of P_drop = 0.1."
TEST_F(Section54, TheRateIsOneTenth) {
  EXPECT_EQ(TrainingOptions().dropout, 0.1);
}

// "During training, we employed label smoothing of value epsilon_ls = 0.1."
TEST_F(Section54, EmploysLabelSmoothingOfValueOneTenth) {
  EXPECT_EQ(TrainingOptions().label_smoothing, 0.1);
}

// "This hurts perplexity, as the model learns to be more unsure": the smoothed loss is lowest not where the
// right word is certain, but where it has the probability 0.9 + 0.1 / vocab.
TEST_F(Section54, TheModelLearnsToBeMoreUnsure) {
  constexpr Index kVocab = 5;
  const auto smoothed_loss = [](double probability) {  // of the right word; the others share the rest
    Tensor logits =
        Tensor::filled({1, kVocab}, static_cast<Real>(std::log((1 - probability) / (kVocab - 1))));
    logits.mutable_data()[2] = static_cast<Real>(std::log(probability));
    return cross_entropy_forward(logits, std::vector<int>{2}, TrainingOptions().label_smoothing).loss;
  };
  const double best = 0.9 + 0.1 / kVocab;
  for (double other : {0.5, best - 0.01, best + 0.01, 0.9999})
    EXPECT_GT(smoothed_loss(other), smoothed_loss(best));
}

}  // namespace
}  // namespace plainformer
