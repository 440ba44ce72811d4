#include "driver.h"

#include "ops/cross_entropy.h"

namespace plainformer::course {

namespace {

void show_loss(const char* name, const CrossEntropy& sums) {
  const double numbers[] = {sums.loss, sums.log_probability, static_cast<double>(sums.rows)};
  show(name, numbers);
}

const Tensor x = random_input({2, 3, 5}, 1);
const std::vector<int> every_row = {0, 4, 2, 1, 3, 3}, some_rows = {0, kNoTarget, 2, 1, 3, kNoTarget};

void forward() {
  show_loss("not smoothed", cross_entropy_forward(x, every_row, 0));
  show_loss("smoothed", cross_entropy_forward(x, every_row, 0.1));
  show_loss("of some rows", cross_entropy_forward(x, some_rows, 0.1));
  show_loss("of large logits",
            cross_entropy_forward(Tensor::from({1, 2}, {0, 10'000}), std::vector<int>{0}, 0.1));
}

void backward() {
  show("gradient of the sum", cross_entropy_backward(1, x, every_row, 0.1));
  show("gradient of some rows", cross_entropy_backward(static_cast<Real>(0.25), x, some_rows, 0.1));
}

}  // namespace

std::vector<Stage> stages() {
  return {{"cross_entropy_forward", forward}, {"cross_entropy_backward", backward}};
}

}  // namespace plainformer::course
