// Normalization by the root mean square: y = gain x / sqrt(mean(x^2) + epsilon) + bias.
#include <gtest/gtest.h>

#include "ops/layer_norm.h"
#include "seed.h"
#include "variant.h"

namespace plainformer::course {
namespace {

struct Rows {
  Index batch, len, d;
  double epsilon;
  Values x, gain, bias, grad_y, gain_grad, bias_grad;  // the latter two: what the gradients are before

  Shape shape() const { return {batch, len, d}; }
};

Rows draw_rows() {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(3, 2, 7);
  const Index d = extents[2], size = extents[0] * extents[1] * d;
  return {.batch = extents[0],
          .len = extents[1],
          .d = d,
          .epsilon = draw.value(0.01, 0.1),
          .x = draw.values(size, -1, 3),
          .gain = draw.values(d),
          .bias = draw.values(d),
          .grad_y = draw.values(size),
          .gain_grad = draw.values(d),
          .bias_grad = draw.values(d)};
}

// centered: subtracts the mean of each row, as the ordinary layer norm does
Values oracle(const Rows& in, bool centered = false) {
  Values y;
  for (Index row = 0; row < in.batch * in.len; ++row) {
    double mean = 0, square = 0;
    for (Index j = 0; j < in.d && centered; ++j) mean += in.x[row * in.d + j] / double(in.d);
    for (Index j = 0; j < in.d; ++j) square += std::pow(in.x[row * in.d + j] - mean, 2) / double(in.d);
    for (Index j = 0; j < in.d; ++j)
      y.push_back(in.gain[j] * (in.x[row * in.d + j] - mean) / std::sqrt(square + in.epsilon) + in.bias[j]);
  }
  return y;
}

struct Found {
  Tensor y, grad_x;
  Parameter gain, bias;
};

Found found_output(const Rows& in, LayerNormCache& cache) {
  Found found = {.y = {},
                 .grad_x = {},
                 .gain = Parameter(tensor({in.d}, in.gain)),
                 .bias = Parameter(tensor({in.d}, in.bias))};
  found.y = layer_norm_forward(tensor(in.shape(), in.x), found.gain, found.bias, in.epsilon, cache);
  return found;
}

Found found_gradients(const Rows& in) {
  LayerNormCache cache;
  Found found = found_output(in, cache);
  found.gain.grad = tensor({in.d}, in.gain_grad);
  found.bias.grad = tensor({in.d}, in.bias_grad);
  found.grad_x = layer_norm_backward(tensor(in.shape(), in.grad_y), cache, found.gain, found.bias);
  return found;
}

TEST(RootMeanSquare, Output) {
  const Rows in = draw_rows();
  LayerNormCache cache;
  EXPECT_TRUE(near(found_output(in, cache).y, in.shape(), oracle(in), kOutputTolerance));
}

TEST(RootMeanSquare, GradientOfX) {
  Rows in = draw_rows();
  const auto loss = [&] { return dot(in.grad_y, oracle(in)); };
  EXPECT_TRUE(is_gradient(found_gradients(in).grad_x, in.shape(), loss, in.x));
}

TEST(RootMeanSquare, GradientsOfGainAndBiasAddUp) {
  Rows in = draw_rows();
  // The terms beside y: their gradients are those that were there before.
  const auto loss = [&] {
    return dot(in.grad_y, oracle(in)) + dot(in.gain_grad, in.gain) + dot(in.bias_grad, in.bias);
  };
  const Found found = found_gradients(in);
  EXPECT_TRUE(is_gradient(found.gain.grad, {in.d}, loss, in.gain)) << "of gain";
  EXPECT_TRUE(is_gradient(found.bias.grad, {in.d}, loss, in.bias)) << "of bias";
}

TEST(Fair, RootMeanSquare) {
  Rows in = draw_rows();
  const auto loss = [&] { return dot(in.grad_y, oracle(in)); };
  const auto ordinary_loss = [&] { return dot(in.grad_y, oracle(in, true)); };
  EXPECT_TRUE(outputs_are_far_apart(oracle(in), oracle(in, true)));
  for (Values* const x : {&in.x, &in.gain, &in.bias}) EXPECT_TRUE(differences_are_fair(loss, *x));
  for (Values* const x : {&in.x, &in.gain}) EXPECT_TRUE(gradients_are_far_apart(loss, ordinary_loss, *x));
}

}  // namespace
}  // namespace plainformer::course
