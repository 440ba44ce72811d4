// A feed-forward network with the square of ReLU: FFN(x) = max(0, x W_1 + b_1)^2 W_2 + b_2.
#include <algorithm>
#include <cmath>

#include "transformer/feed_forward.h"
#include "variant.h"

namespace plainformer::course {

namespace {

struct Network {
  Index batch, len, d_model, d_ff;
  Values x, w_1, b_1, w_2, b_2, grad_output;
  Values w_1_grad, b_1_grad, w_2_grad, b_2_grad;  // before the backward pass

  Shape shape() const { return {batch, len, d_model}; }
};

Network draw_network() {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(4, 2, 6);
  const Index batch = extents[0], len = extents[1], d_model = extents[2], d_ff = extents[3];
  return {.batch = batch,
          .len = len,
          .d_model = d_model,
          .d_ff = d_ff,
          .x = draw.values(batch * len * d_model),
          .w_1 = draw.values(d_model * d_ff, -1, 1),
          .b_1 = draw.values(d_ff, -1, 1),
          .w_2 = draw.values(d_ff * d_model, -1, 1),
          .b_2 = draw.values(d_model, -1, 1),
          .grad_output = draw.values(batch * len * d_model, -1, 1),
          .w_1_grad = draw.values(d_model * d_ff),
          .b_1_grad = draw.values(d_ff),
          .w_2_grad = draw.values(d_ff * d_model),
          .b_2_grad = draw.values(d_model)};
}

#ifdef COURSE_ORACLE

Values oracle(const Network& in) {
  Values output;
  for (Index row = 0; row < in.batch * in.len; ++row) {
    Values hidden = in.b_1;
    for (Index k = 0; k < in.d_ff; ++k) {
      for (Index j = 0; j < in.d_model; ++j)
        hidden[k] += in.x[row * in.d_model + j] * in.w_1[j * in.d_ff + k];
      hidden[k] = std::pow(std::max(0.0, hidden[k]), 2);
    }
    for (Index j = 0; j < in.d_model; ++j) {
      output.push_back(in.b_2[j]);
      for (Index k = 0; k < in.d_ff; ++k) output.back() += hidden[k] * in.w_2[k * in.d_model + j];
    }
  }
  return output;
}

void output() {
  const Network in = draw_network();
  show("output", tensor(in.shape(), oracle(in)));
}

void gradient_of_x() {
  Network in = draw_network();
  show("grad_x", tensor(in.shape(), differences([&] { return dot(in.grad_output, oracle(in)); }, in.x)));
}

// The terms beside the output: their gradients are those that were there before.
void gradients_of_weights() {
  Network in = draw_network();
  const auto loss = [&] {
    return dot(in.grad_output, oracle(in)) + dot(in.w_1_grad, in.w_1) + dot(in.b_1_grad, in.b_1) +
           dot(in.w_2_grad, in.w_2) + dot(in.b_2_grad, in.b_2);
  };
  show("w_1", tensor({in.d_model, in.d_ff}, differences(loss, in.w_1)));
  show("b_1", tensor({in.d_ff}, differences(loss, in.b_1)));
  show("w_2", tensor({in.d_ff, in.d_model}, differences(loss, in.w_2)));
  show("b_2", tensor({in.d_model}, differences(loss, in.b_2)));
}

#else

struct Found {
  FeedForward network;
  Tensor output, grad_x;
};

Found found_with(bool with_backward) {
  const Network in = draw_network();
  Found found = {.network = FeedForward(in.d_model, in.d_ff), .output = {}, .grad_x = {}};
  const auto parameter = [](const Shape& shape, const Values& value, const Values& grad) {
    Parameter made(tensor(shape, value));
    made.grad = tensor(shape, grad);
    return made;
  };
  found.network.w_1 = parameter({in.d_model, in.d_ff}, in.w_1, in.w_1_grad);
  found.network.b_1 = parameter({in.d_ff}, in.b_1, in.b_1_grad);
  found.network.w_2 = parameter({in.d_ff, in.d_model}, in.w_2, in.w_2_grad);
  found.network.b_2 = parameter({in.d_model}, in.b_2, in.b_2_grad);
  FeedForward::Cache cache;
  found.output = found.network.forward(tensor(in.shape(), in.x), cache);
  if (with_backward) found.grad_x = found.network.backward(tensor(in.shape(), in.grad_output), cache);
  return found;
}

void output() {
  show("output", found_with(false).output);
}

void gradient_of_x() {
  show("grad_x", found_with(true).grad_x);
}

void gradients_of_weights() {
  const FeedForward network = found_with(true).network;
  show("w_1", network.w_1.grad);
  show("b_1", network.b_1.grad);
  show("w_2", network.w_2.grad);
  show("b_2", network.b_2.grad);
}

#endif

}  // namespace

std::vector<Stage> stages() {
  return {{"FeedForward::forward", output},
          {"FeedForward::backward, x", gradient_of_x},
          {"FeedForward::backward, weights", gradients_of_weights}};
}

}  // namespace plainformer::course
