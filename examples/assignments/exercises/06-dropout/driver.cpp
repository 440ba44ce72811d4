#include "driver.h"

#include "ops/elementwise.h"

namespace plainformer::course {

namespace {

const RandomStream kStream = {.first = 1, .second = 2};

void forward() {
  show("y", dropout_forward(random_input({4, 5}, 1'000), static_cast<Real>(0.3), kStream));
}

void backward() {
  show("grad_x", dropout_backward(random_input({4, 5}, 2'000), static_cast<Real>(0.3), kStream));
}

}  // namespace

std::vector<Stage> stages() {
  return {{"dropout_forward", forward}, {"dropout_backward", backward}};
}

}  // namespace plainformer::course
