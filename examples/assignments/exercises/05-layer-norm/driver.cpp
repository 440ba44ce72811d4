#include "driver.h"

#include <cmath>

#include "core/writable_tensor.h"
#include "ops/layer_norm.h"

namespace plainformer::course {

namespace {

constexpr Index kRows = 3, kColumns = 4;
constexpr Real kEpsilon = 0.5;

const Tensor kX = random_input({kRows, kColumns}, 1'000);

void forward() {
  const Parameter gain(random_input({kColumns}, 3'000)), bias(random_input({kColumns}, 4));
  LayerNormCache cache;
  show("y", layer_norm_forward(kX, gain, bias, kEpsilon, cache));
  show("the cache's mean", cache.mean);
  show("the cache's rstd", cache.rstd);
}

// Powers of two, so that the squares lose the variance in every order of the additions.
void forward_of_a_large_mean() {
  constexpr Real kLarge = 1 << 30;
  const Parameter gain(Tensor::filled({kColumns}, 2)), bias(Tensor::filled({kColumns}, 1));
  LayerNormCache cache;
  const Tensor x = Tensor::from({1, kColumns}, {kLarge - 1, kLarge + 1, kLarge + 1, kLarge - 1});
  show("y", layer_norm_forward(x, gain, bias, kEpsilon, cache));
  show("the cache's rstd", cache.rstd);
}

// What a right forward pass leaves.
LayerNormCache filled_cache() {
  WritableTensor mean = Tensor::zeros({kRows}), rstd = Tensor::zeros({kRows});
  for (Index row = 0; row < kRows; ++row) {
    Real variance = 0;
    for (Index j = 0; j < kColumns; ++j) mean(row) += kX(row, j) / kColumns;
    for (Index j = 0; j < kColumns; ++j) variance += (kX(row, j) - mean(row)) * (kX(row, j) - mean(row));
    rstd(row) = 1 / std::sqrt(variance / kColumns + kEpsilon);
  }
  return {.x = kX, .mean = mean, .rstd = rstd};
}

// The gradients of the parameters are not 0 before: backward adds to them.
void backward() {
  Parameter gain(random_input({kColumns}, 3'000)), bias(random_input({kColumns}, 4));
  gain.grad = random_input({kColumns}, 5'000);
  bias.grad = random_input({kColumns}, 6'000);
  const Tensor grad_x =
      layer_norm_backward(random_input({kRows, kColumns}, 2'000), filled_cache(), gain, bias);
  show("grad of gain", gain.mutable_grad());
  show("grad of bias", bias.mutable_grad());
  show("grad_x", grad_x);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"layer_norm_forward", forward},
          {"layer_norm_forward of a large mean", forward_of_a_large_mean},
          {"layer_norm_backward", backward}};
}

}  // namespace plainformer::course
