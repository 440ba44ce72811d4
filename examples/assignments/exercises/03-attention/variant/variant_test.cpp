// Attention with a soft cap on the scores: softmax(2 tanh(Q K^T / (2 sqrt(d_k)))) V.
#include <gtest/gtest.h>

#include "ops/scaled_dot_product_attention.h"
#include "seed.h"
#include "variant.h"

namespace plainformer::course {
namespace {

constexpr double kCap = 2;

double capped(double score) {
  return kCap * std::tanh(score / kCap);
}

double uncapped(double score) {
  return score;
}

using Cap = double (*)(double score);

struct Scene {
  Index batch, heads, query_len, key_len, d_k, d_v;
  AttentionMask mask;
  Values query, key, value, grad_output;

  Shape query_shape() const { return {batch, heads, query_len, d_k}; }
  Shape key_shape() const { return {batch, heads, key_len, d_k}; }
  Shape value_shape() const { return {batch, heads, key_len, d_v}; }
  Shape output_shape() const { return {batch, heads, query_len, d_v}; }
};

Scene draw_scene(bool causal) {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(4, 2, 6);
  Scene drawn = {.batch = 3,
                 .heads = 2,
                 .query_len = extents[0],
                 .key_len = extents[1],
                 .d_k = extents[2],
                 .d_v = extents[3],
                 .mask = {.key_lengths = {extents[1], draw.whole(1, extents[1]), 0}, .causal = causal},
                 .query = {},
                 .key = {},
                 .value = {},
                 .grad_output = {}};
  drawn.query = draw.values(drawn.query_shape().elements());
  drawn.key = draw.values(drawn.key_shape().elements());
  drawn.value = draw.values(drawn.value_shape().elements());
  drawn.grad_output = draw.values(drawn.output_shape().elements());
  return drawn;
}

// The output of query i of one head.
void attend(const Scene& in, Cap cap, Index b, Index h, Index i, Values& output) {
  Index visible = in.mask.key_lengths[b];
  if (in.mask.causal) visible = std::min(visible, i + 1);
  Values power;
  double sum = 0;
  for (Index j = 0; j < visible; ++j) {
    double score = 0;
    for (Index p = 0; p < in.d_k; ++p)
      score += in.query[((b * in.heads + h) * in.query_len + i) * in.d_k + p] *
               in.key[((b * in.heads + h) * in.key_len + j) * in.d_k + p];
    power.push_back(std::exp(cap(score / std::sqrt(double(in.d_k)))));
    sum += power.back();
  }
  for (Index j = 0; j < visible; ++j)
    for (Index p = 0; p < in.d_v; ++p)
      output[((b * in.heads + h) * in.query_len + i) * in.d_v + p] +=
          power[j] / sum * in.value[((b * in.heads + h) * in.key_len + j) * in.d_v + p];
}

Values oracle(const Scene& in, Cap cap = capped) {
  Values output(in.output_shape().elements(), 0);
  for (Index b = 0; b < in.batch; ++b)
    for (Index h = 0; h < in.heads; ++h)
      for (Index i = 0; i < in.query_len; ++i) attend(in, cap, b, h, i, output);
  return output;
}

Tensor found_output(const Scene& in, AttentionCache& cache) {
  return attention_forward(tensor(in.query_shape(), in.query), tensor(in.key_shape(), in.key),
                           tensor(in.value_shape(), in.value), in.mask, cache);
}

AttentionGradients found_gradients(const Scene& in) {
  AttentionCache cache;
  found_output(in, cache);
  return attention_backward(tensor(in.output_shape(), in.grad_output), cache);
}

TEST(SoftCap, Output) {
  for (const bool causal : {false, true}) {
    const Scene in = draw_scene(causal);
    AttentionCache cache;
    EXPECT_TRUE(near(found_output(in, cache), in.output_shape(), oracle(in), kOutputTolerance));
  }
}

TEST(SoftCap, GradientsOfQueryAndKey) {
  for (const bool causal : {false, true}) {
    Scene in = draw_scene(causal);
    const auto loss = [&] { return dot(in.grad_output, oracle(in)); };
    const AttentionGradients found = found_gradients(in);
    EXPECT_TRUE(is_gradient(found.q, in.query_shape(), loss, in.query)) << "of query";
    EXPECT_TRUE(is_gradient(found.k, in.key_shape(), loss, in.key)) << "of key";
  }
}

TEST(SoftCap, GradientOfValue) {
  for (const bool causal : {false, true}) {
    Scene in = draw_scene(causal);
    const auto loss = [&] { return dot(in.grad_output, oracle(in)); };
    EXPECT_TRUE(is_gradient(found_gradients(in).v, in.value_shape(), loss, in.value));
  }
}

TEST(Fair, SoftCap) {
  for (const bool causal : {false, true}) {
    Scene in = draw_scene(causal);
    const auto loss = [&] { return dot(in.grad_output, oracle(in)); };
    const auto ordinary_loss = [&] { return dot(in.grad_output, oracle(in, uncapped)); };
    EXPECT_TRUE(outputs_are_far_apart(oracle(in), oracle(in, uncapped)));
    for (Values* const x : {&in.query, &in.key, &in.value}) {
      EXPECT_TRUE(differences_are_fair(loss, *x));
      EXPECT_TRUE(gradients_are_far_apart(loss, ordinary_loss, *x));
    }
  }
}

}  // namespace
}  // namespace plainformer::course
