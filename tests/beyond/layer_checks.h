// What every layer of beyond/ is tested for. `Layer` has forward(x, cache), backward and
// append_parameters.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/multiply_adds.h"
#include "core/operation_calls.h"
#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {

// Draws every parameter.
template <typename Layer>
Layer randomized(Layer layer) {
  ParameterList parameters;
  layer.append_parameters("layer", parameters);
  std::uint64_t seed = 10;
  for (const NamedParameter& p : parameters)
    *p.parameter = random_parameter(p.parameter->value.shape(), seed++);
  return layer;
}

// "layer.w_x [3, 3]" for each parameter, in order.
template <typename Layer>
std::vector<std::string> names_and_shapes(Layer layer) {
  ParameterList parameters;
  layer.append_parameters("layer", parameters);
  std::vector<std::string> names;
  for (const NamedParameter& p : parameters)
    names.push_back(p.name + " " + p.parameter->value.shape().to_string());
  return names;
}

// Do input and parameters get the gradients that differences give?
template <typename Layer>
testing::AssertionResult layer_gradients_agree(Layer layer, const Shape& shape) {
  layer = randomized(std::move(layer));
  ParameterList parameters;
  layer.append_parameters("layer", parameters);
  Tensor x = random_tensor(shape, 1);
  const Tensor grad_output = random_tensor(shape, 2);
  typename Layer::Cache cache;
  layer.forward(x, cache);
  const Tensor grad_x = layer.backward(grad_output, cache);
  std::vector<Differentiated> inputs = differentiated(parameters);
  inputs.push_back({"x", &x, grad_x});
  const auto loss = [&] {
    typename Layer::Cache unused;
    return dot(grad_output, layer.forward(x, unused));
  };
  return gradients_agree(loss, inputs);
}

// Do positions before `changed` stay as they were, bit for bit, when all from there on change? So a layer sees
// no later position, and no padding at the end.
template <typename Layer>
testing::AssertionResult sees_no_later_position(Layer layer, const Shape& shape, Index changed) {
  layer = randomized(std::move(layer));
  Tensor x = random_tensor(shape, 1);
  typename Layer::Cache cache;
  const Tensor before = layer.forward(x, cache);
  const Index batch = shape[0], len = shape[1], d = shape[2];
  for (Index b = 0; b < batch; ++b)
    std::fill_n(x.mutable_data() + (b * len + changed) * d, (len - changed) * d, Real(7));
  const Tensor after = layer.forward(x, cache);
  for (Index b = 0; b < batch; ++b)
    for (Index t = 0; t < len; ++t) {
      const bool same = std::equal(before.data() + (b * len + t) * d, before.data() + (b * len + t + 1) * d,
                                   after.data() + (b * len + t) * d);
      if (same != (t < changed)) return testing::AssertionFailure() << "element " << b << ", position " << t;
    }
  return testing::AssertionSuccess();
}

struct Work {
  std::int64_t multiply_adds, operation_calls;
  bool operator==(const Work&) const = default;
};

inline Work work_of(const std::function<void()>& run) {
  const std::int64_t products = multiply_adds(), calls = operation_calls();
  run();
  return {multiply_adds() - products, operation_calls() - calls};
}

inline std::ostream& operator<<(std::ostream& stream, const Work& work) {
  return stream << work.multiply_adds << " multiply-adds in " << work.operation_calls << " calls";
}

}  // namespace plainformer
