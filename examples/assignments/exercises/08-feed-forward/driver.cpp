#include "driver.h"

#include <algorithm>
#include <limits>

#include "core/writable_tensor.h"
#include "ops/elementwise.h"
#include "ops/linear.h"
#include "transformer/feed_forward.h"

namespace plainformer::course {

namespace {

void forward_of_relu() {
  constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
  show("ReLU", relu_forward(Tensor::from({5}, {-2, 0, 3, kNan, -1})));
}

void backward_of_relu() {
  show("gradient of the ReLU", relu_backward(random_input({2, 5}, 2'000), random_input({2, 5}, 3'000)));
}

const Tensor kX = random_input({2, 3, 4}, 1'000);

void forward() {
  FeedForward network(4, 5);
  draw_parameters(network);
  FeedForward::Cache cache;
  show("output", network.forward(kX, cache));
  show("hidden", cache.hidden);
}

// What a right forward pass leaves, whatever the student's does.
Tensor right_hidden(const FeedForward& network) {
  WritableTensor hidden = linear_bias_forward(kX, network.w_1, network.b_1);
  for (Index i = 0; i < hidden.size(); ++i) hidden(i) = std::max(hidden(i), Real{0});
  return hidden;
}

void backward() {
  FeedForward network(4, 5);
  const ParameterList parameters = draw_parameters(network);
  const FeedForward::Cache cache = {.x = kX, .hidden = right_hidden(network)};
  show("grad_x", network.backward(random_input({2, 3, 4}, 4'000), cache));
  for (const NamedParameter& p : parameters) show(p.name, p.parameter->grad);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"relu_forward", forward_of_relu},
          {"relu_backward", backward_of_relu},
          {"FeedForward::forward", forward},
          {"FeedForward::backward", backward}};
}

}  // namespace plainformer::course
