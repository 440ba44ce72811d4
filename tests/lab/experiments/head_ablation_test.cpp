#include "lab/experiments/head_ablation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/writable_tensor.h"
#include "decoding/tiny_model.h"

namespace plainformer {
namespace {

TEST(HeadAblation, NamesTheAttentionsAsTheirWeights) {
  Transformer model = tiny_model(1);
  std::set<std::string> names;
  for (const NamedParameter& each : model.parameters()) names.insert(each.name);
  EXPECT_EQ(attentions_of(model).size(), 5u);  // an encoder layer, two decoder layers
  for (const NamedAttention& each : attentions_of(model))
    EXPECT_TRUE(names.count(each.name + ".w_o")) << each.name;
  EXPECT_EQ(heads_of(model).size(), 15u);
  EXPECT_EQ(heads_of(model)[4], (HeadPlace{.attention = 1, .head = 1}));
}

TEST(HeadAblation, ZerosTheRowsOfTheHeadAndNothingElse) {
  Transformer model = tiny_model(1);
  const Tensor before = model.decoder.layers[0].encoder_decoder_attention.w_o.value;
  Transformer changed = without_heads(model, {{.attention = 2, .head = 1}});
  const Tensor& after = changed.decoder.layers[0].encoder_decoder_attention.w_o.value;  // [3 heads of 4, 12]
  for (Index row = 0; row < 12; ++row)
    for (Index column = 0; column < 12; ++column)
      EXPECT_EQ(after(row, column), row / 4 == 1 ? 0 : before(row, column));
  EXPECT_NE(before(4, 0), 0);

  const ParameterList old = model.parameters(), now = changed.parameters();
  int different = 0;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const Tensor &a = old[i].parameter->value, &b = now[i].parameter->value;
    different += std::equal(a.data(), a.data() + a.size(), b.data()) ? 0 : 1;
  }
  EXPECT_EQ(different, 1);  // and the model itself is as it was
  EXPECT_THROW(without_heads(model, {{.attention = 2, .head = 3}}), std::logic_error);
  EXPECT_THROW(without_heads(model, {{.attention = 5, .head = 0}}), std::logic_error);
}

// Concat(head_1, 0, head_3) W^O: the others keep their columns and their rows.
TEST(HeadAblation, TakesTheOutputOfTheHeadOutOfTheSum) {
  Transformer model = tiny_model(1);
  Random random(random_stream(7, 1, 0));
  WritableTensor input({1, 5, 12});
  for (Index i = 0; i < input.size(); ++i)
    input(i / 60, i / 12 % 5, i % 12) = static_cast<Real>(random.uniform());
  const AttentionMask mask = {.key_lengths = {5}, .causal = true};
  const auto output = [&](const Transformer& each) {
    MultiHeadAttention::Cache cache;
    return each.decoder.layers[1].self_attention.forward(input, input, input, mask, cache);
  };
  const Tensor all = output(model);
  Tensor sum = Tensor::zeros(all.shape());
  for (Index kept = 0; kept < 3; ++kept) {
    std::vector<HeadPlace> gone;
    for (Index head = 0; head < 3; ++head)
      if (head != kept) gone.push_back({.attention = 3, .head = head});
    const Tensor alone = output(without_heads(model, gone));
    for (Index i = 0; i < sum.size(); ++i) sum.mutable_data()[i] += alone.data()[i];
  }
  for (Index i = 0; i < all.size(); ++i) EXPECT_NEAR(sum.data()[i], all.data()[i], 1e-5);
}

TEST(HeadAblation, TheDistanceIsTheWeightThatLiesElsewhere) {
  // Two queries, two keys. Head 1 looks as head 0 does; head 2 exchanges the keys of the first query.
  const Tensor weights =
      Tensor::from({3, 2, 2}, {1, 0, 0.25, 0.75, /*head 1*/ 1, 0, 0.25, 0.75, /*head 2*/ 0, 1, 0.25, 0.75});
  const auto distances = head_distances(weights);
  EXPECT_EQ(distances, (std::vector<std::vector<double>>{{0, 0, 0.5}, {0, 0, 0.5}, {0.5, 0.5, 0}}));
}

TEST(HeadAblation, HeadsWithEqualProjectionsHaveNoDistance) {
  Transformer model = tiny_model(1);
  const std::vector<std::vector<int>> sources = {{4, 5, 6}, {7, 8}}, targets = {{5, 4}, {8, 7, 6, 5}};
  const std::vector<double> before = distances_from_others(model, sources, targets);
  ASSERT_EQ(before.size(), 15u);
  for (const double distance : before) EXPECT_GT(distance, 0);
  MultiHeadAttention& attention = model.decoder.layers[1].encoder_decoder_attention;  // place 4
  for (Parameter* each : {&attention.w_q, &attention.w_k}) {
    const TensorWriter w(each->value);
    for (Index row = 0; row < 12; ++row)
      for (Index column = 4; column < 12; ++column) w(row, column) = each->value(row, column % 4);
  }
  const std::vector<double> after = distances_from_others(model, sources, targets);
  for (std::size_t place = 0; place < 15; ++place) {
    if (place >= 12)
      EXPECT_NEAR(after[place], 0, 1e-6);
    else
      EXPECT_EQ(after[place], before[place]);
  }
}

TEST(HeadAblation, ASingleHeadHasNoOther) {
  ModelConfig config = tiny_model(1).config();
  config.heads = 1;
  Transformer model(config, 1);
  EXPECT_EQ(distances_from_others(model, {{4}}, {{5}}), std::vector<double>(5, 0.0));
}

}  // namespace
}  // namespace plainformer
