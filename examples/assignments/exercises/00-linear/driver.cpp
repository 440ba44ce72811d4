#include "driver.h"

#include "ops/linear.h"

namespace plainformer::course {

namespace {

// W is square, so that exchanged indices stay within it and have numbers of their own.
const Tensor kX = random_input({2, 2, 3}, 1'000), kGradY = random_input({2, 2, 3}, 2'000);

Parameter random_weight() {
  Parameter w(random_input({3, 3}, 3'000));
  w.grad = random_input({3, 3}, 4'000);  // of another use of W
  return w;
}

Parameter random_bias() {
  Parameter b(random_input({3}, 5'000));
  b.grad = random_input({3}, 6'000);
  return b;
}

void forward() {
  show("x W", linear_forward(kX, random_weight()));
}

void backward() {
  Parameter w = random_weight();
  show("grad_x", linear_backward(kGradY, kX, w));
  show("grad_w", w.grad);
}

void bias_forward() {
  show("x W + b", linear_bias_forward(kX, random_weight(), random_bias()));
}

void bias_backward() {
  Parameter w = random_weight(), b = random_bias();
  linear_bias_backward(kGradY, kX, w, b);
  show("grad_b", b.grad);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"linear_forward", forward},
          {"linear_backward", backward},
          {"linear_bias_forward", bias_forward},
          {"linear_bias_backward", bias_backward}};
}

}  // namespace plainformer::course
