#include "transformer/residual_layer_norm.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "core/random.h"
#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Real kEpsilon = static_cast<Real>(1e-6);
const DropoutState kNoDropout;
const DropoutState kDropout = {.probability = static_cast<Real>(0.3), .seed = 1, .attempt = 2};

TEST(ResidualLayerNorm, NormalizesTheSum) {
  ResidualLayerNorm norm(2, kEpsilon, 0);
  norm.gain.value = tensor({2}, {10, 100});
  norm.bias.value = tensor({2}, {1, 2});
  ResidualLayerNorm::Cache cache;
  // x + Sublayer(x) = (1, 5), which is (-1, 1) when standardized. Sublayer(x) alone would be (1, -1).
  const Tensor output =
      norm.forward(tensor({1, 1, 2}, {-2, 3}), tensor({1, 1, 2}, {3, 2}), kNoDropout, cache);
  EXPECT_TRUE(near(output, {1, 1, 2}, {-9, 102}, 1e-4));
}

TEST(DropoutState, EachSiteAttemptAndBatchHasAStreamOfItsOwn) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> streams;
  for (const int site : {0, 1, 1281})
    for (const Index attempt : {0, 1})
      for (const Index batch : {0, 1}) {
        const DropoutState dropout = {.seed = 1, .attempt = attempt, .batch = batch};
        const RandomStream stream = dropout.stream(site);
        streams.insert({stream.first, stream.second});
      }
  EXPECT_EQ(streams.size(), 3u * 2 * 2);
}

TEST(ResidualLayerNorm, RefusesShapesThatDoNotFit) {
  ResidualLayerNorm norm(7, kEpsilon, 0);
  ResidualLayerNorm::Cache cache;
  EXPECT_THROW(norm.forward(Tensor({2, 3, 5}), Tensor({2, 3, 5}), kNoDropout, cache), std::logic_error);
  EXPECT_THROW(norm.forward(Tensor({2, 3, 7}), Tensor({2, 2, 7}), kNoDropout, cache), std::logic_error);
  norm.forward(Tensor::zeros({2, 3, 7}), Tensor::zeros({2, 3, 7}), kDropout, cache);
  EXPECT_THROW(norm.backward(Tensor::zeros({3, 2, 7}), cache), std::logic_error);
}

GRADIENT_TEST(ResidualLayerNorm, Gradient) {
  for (const DropoutState& dropout : {kNoDropout, kDropout}) {
    ResidualLayerNorm norm(5, kEpsilon, 3);
    norm.gain = random_parameter({5}, 3);
    norm.bias = random_parameter({5}, 4);
    Tensor x = random_tensor({2, 3, 5}, 1), sublayer_output = random_tensor({2, 3, 5}, 2);
    const Tensor grad_output = random_tensor({2, 3, 5}, 5);
    ResidualLayerNorm::Cache cache;
    norm.forward(x, sublayer_output, dropout, cache);
    const auto grad = norm.backward(grad_output, cache);
    const auto loss = [&] {
      ResidualLayerNorm::Cache unused;
      return dot(grad_output, norm.forward(x, sublayer_output, dropout, unused));
    };
    EXPECT_TRUE(gradients_agree(loss, {{"x", &x, grad.x},
                                       {"sublayer_output", &sublayer_output, grad.sublayer_output},
                                       {"gain", &norm.gain.value, norm.gain.grad},
                                       {"bias", &norm.bias.value, norm.bias.grad}}))
        << "dropout " << dropout.probability;
  }
}

}  // namespace
}  // namespace plainformer
