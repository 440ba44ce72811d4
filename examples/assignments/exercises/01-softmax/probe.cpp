#include "probe.h"

#include <vector>

#include "core/writable_tensor.h"
#include "ops/softmax.h"

namespace plainformer::course {

void probe() {
  const std::vector<Index> visible_counts = {4, 3, 1, 0};
  const Tensor x = random_input({4, 4}, 1), grad_y = random_input({4, 4}, 2);
  const Tensor y = softmax_forward(x, visible_counts);
  show("y", y);

  Tensor large({1, 2});
  const TensorWriter element(large);
  element(0) = 10'000;
  element(1) = 10'001;
  show("y of large x", softmax_forward(large, std::vector<Index>{2}));

  show("grad_x", softmax_backward(grad_y, y, visible_counts));
}

}  // namespace plainformer::course
