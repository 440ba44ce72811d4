// Paper: 1 Introduction. A test for each sentence that says how a layer computes.
#include <gtest/gtest.h>

#include <algorithm>

#include "beyond/recurrent_layer.h"
#include "core/operation_calls.h"
#include "lab/table_1/sequence_layer.h"
#include "support/attention.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

constexpr Index kD = 6;

RecurrentLayer random_recurrent_layer() {
  RecurrentLayer layer(kD);
  layer.w_x = random_parameter({kD, kD}, 1);
  layer.w_h = random_parameter({kD, kD}, 2);
  layer.b = random_parameter({kD}, 3);
  return layer;
}

// "they generate a sequence of hidden states h_t, as a function of the previous hidden state h_{t-1} and the
// input for position t": whatever came before, the same h_{t-1} and x_t give the same h_t.
TEST(Section1, ARecurrentStateIsAFunctionOfThePreviousStateAndTheInput) {
  RecurrentLayer layer = random_recurrent_layer();
  const Tensor x = random_tensor({1, 5, kD}, 4);
  RecurrentLayer::Cache cache;
  const Tensor hidden = layer.forward(x, cache);
  for (Index t = 0; t < 5; ++t)
    for (Index j = 0; j < kD; ++j) {
      double sum = layer.b.value.at({j});
      for (Index i = 0; i < kD; ++i) {
        sum += x.at({0, t, i}) * layer.w_x.value.at({i, j});
        if (t > 0) sum += hidden.at({0, t - 1, i}) * layer.w_h.value.at({i, j});
      }
      EXPECT_NEAR(hidden.at({0, t, j}), std::tanh(sum), 1e-5) << t;
    }
}

// "This inherently sequential nature precludes parallelization within training examples": a recurrent layer
// waits once for each position. The Transformer, "allowing for significantly more parallelization", does not
// wait longer for a longer sentence.
TEST(Section1, TheTransformerWaitsNoLongerForALongerSentence) {
  RecurrentLayer layer = random_recurrent_layer();
  const Transformer model(small_config(), 1);
  const auto recurrent_calls = [&](Index len) {
    const std::int64_t before = operation_calls();
    RecurrentLayer::Cache cache;
    layer.forward(random_tensor({1, len, kD}, 4), cache);
    return operation_calls() - before;
  };
  const auto transformer_calls = [&](Index len) {
    const TokenBatch tokens = TokenBatch::from({std::vector<int>(len, 5)});
    const std::int64_t before = operation_calls();
    Transformer::Cache cache;
    model.forward(tokens, tokens, dropout_of(0), cache);
    return operation_calls() - before;
  };
  EXPECT_EQ(recurrent_calls(14) - recurrent_calls(4), 10);
  EXPECT_EQ(transformer_calls(14), transformer_calls(4));
  EXPECT_GT(transformer_calls(4), 0);
}

// "Attention mechanisms have become an integral part ..., allowing modeling of dependencies without regard to
// their distance in the input or output sequences": a word that stands elsewhere contributes as much.
TEST(Section1, AttentionModelsDependenciesWithoutRegardToTheirDistance) {
  constexpr Index kLen = 9;
  const AttentionMask mask = {.key_lengths = {kLen}, .causal = false};
  const Tensor query = random_tensor({1, 1, kD}, 1), word = random_tensor({1, 1, kD}, 2);
  const auto weight_of_word_at = [&](Index place) {
    Tensor key = Tensor::zeros({1, kLen, kD});
    std::copy_n(word.data(), kD, key.mutable_data() + place * kD);
    return plain_attention(query, key, key, mask).weights.at({0, 0, 0, place});
  };
  for (Index place = 1; place < kLen; ++place)
    EXPECT_NEAR(weight_of_word_at(place), weight_of_word_at(0), 1e-6) << place;
}

}  // namespace
}  // namespace plainformer
