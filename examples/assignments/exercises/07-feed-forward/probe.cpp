#include "probe.h"

#include <limits>

#include "ops/relu.h"
#include "transformer/feed_forward.h"

namespace plainformer::course {

void probe() {
  constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
  show("ReLU", relu_forward(Tensor::from({5}, {-2, 0, 3, kNan, -1})));

  FeedForward network(4, 5);
  ParameterList parameters;
  network.append_parameters("", parameters);
  unsigned seed = 10;
  for (const NamedParameter& p : parameters)
    p.parameter->value = random_input(p.parameter->value.shape(), seed++);
  FeedForward::Cache cache;
  show("output", network.forward(random_input({2, 3, 4}, 1), cache));
  show("hidden", cache.hidden);

  show("gradient of the ReLU", relu_backward(random_input({2, 5}, 2), relu_forward(random_input({2, 5}, 3))));
  show("grad_x", network.backward(random_input({2, 3, 4}, 4), cache));
  for (const NamedParameter& p : parameters) show(p.name.c_str(), p.parameter->grad);
}

}  // namespace plainformer::course
