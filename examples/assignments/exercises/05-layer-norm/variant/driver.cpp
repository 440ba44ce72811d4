// Normalization by the root mean square: y = gain x / sqrt(mean(x^2) + epsilon) + bias.
#include <cmath>

#include "ops/layer_norm.h"
#include "variant.h"

namespace plainformer::course {

namespace {

struct Rows {
  Index batch, len, d;
  double epsilon;
  Values x, gain, bias, grad_y, gain_grad, bias_grad;  // the latter two: what the gradients are before

  Shape shape() const { return {batch, len, d}; }
};

Rows draw_rows() {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(3, 2, 7);
  const Index d = extents[2], size = extents[0] * extents[1] * d;
  return {.batch = extents[0],
          .len = extents[1],
          .d = d,
          .epsilon = draw.value(0.01, 0.1),
          .x = draw.values(size, -1, 3),
          .gain = draw.values(d),
          .bias = draw.values(d),
          .grad_y = draw.values(size),
          .gain_grad = draw.values(d),
          .bias_grad = draw.values(d)};
}

#ifdef COURSE_ORACLE

Values oracle(const Rows& in) {
  Values y;
  for (Index row = 0; row < in.batch * in.len; ++row) {
    double square = 0;
    for (Index j = 0; j < in.d; ++j) square += std::pow(in.x[row * in.d + j], 2) / double(in.d);
    for (Index j = 0; j < in.d; ++j)
      y.push_back(in.gain[j] * in.x[row * in.d + j] / std::sqrt(square + in.epsilon) + in.bias[j]);
  }
  return y;
}

void output() {
  const Rows in = draw_rows();
  show("y", tensor(in.shape(), oracle(in)));
}

void gradient_of_x() {
  Rows in = draw_rows();
  show("grad_x", tensor(in.shape(), differences([&] { return dot(in.grad_y, oracle(in)); }, in.x)));
}

// The terms beside y: their gradients are those that were there before.
void gradients_of_parameters() {
  Rows in = draw_rows();
  const auto loss = [&] {
    return dot(in.grad_y, oracle(in)) + dot(in.gain_grad, in.gain) + dot(in.bias_grad, in.bias);
  };
  show("grad of gain", tensor({in.d}, differences(loss, in.gain)));
  show("grad of bias", tensor({in.d}, differences(loss, in.bias)));
}

#else

struct Found {
  Tensor y, grad_x;
  Parameter gain, bias;
};

Found found_output(const Rows& in, LayerNormCache& cache) {
  Found found = {.y = {},
                 .grad_x = {},
                 .gain = Parameter(tensor({in.d}, in.gain)),
                 .bias = Parameter(tensor({in.d}, in.bias))};
  found.y = layer_norm_forward(tensor(in.shape(), in.x), found.gain, found.bias, in.epsilon, cache);
  return found;
}

Found found_gradients() {
  const Rows in = draw_rows();
  LayerNormCache cache;
  Found found = found_output(in, cache);
  found.gain.grad = tensor({in.d}, in.gain_grad);
  found.bias.grad = tensor({in.d}, in.bias_grad);
  found.grad_x = layer_norm_backward(tensor(in.shape(), in.grad_y), cache, found.gain, found.bias);
  return found;
}

void output() {
  LayerNormCache cache;
  show("y", found_output(draw_rows(), cache).y);
}

void gradient_of_x() {
  show("grad_x", found_gradients().grad_x);
}

void gradients_of_parameters() {
  const Found found = found_gradients();
  show("grad of gain", found.gain.grad);
  show("grad of bias", found.bias.grad);
}

#endif

}  // namespace

std::vector<Stage> stages() {
  return {{"layer_norm_forward", output},
          {"layer_norm_backward, x", gradient_of_x},
          {"layer_norm_backward, gain and bias", gradients_of_parameters}};
}

}  // namespace plainformer::course
