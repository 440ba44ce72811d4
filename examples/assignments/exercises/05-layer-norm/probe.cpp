#include "probe.h"

#include "ops/layer_norm.h"

namespace plainformer::course {

void probe() {
  const Tensor x = random_input({3, 4}, 1), grad_y = random_input({3, 4}, 2);
  Parameter gain(random_input({4}, 3)), bias(random_input({4}, 4));
  LayerNormCache cache;
  show("y", layer_norm_forward(x, gain, bias, /*epsilon=*/0.5, cache));

  const Tensor grad_x = layer_norm_backward(grad_y, cache, gain, bias);
  show("grad of gain", gain.mutable_grad());
  show("grad of bias", bias.mutable_grad());
  show("grad_x", grad_x);
}

}  // namespace plainformer::course
