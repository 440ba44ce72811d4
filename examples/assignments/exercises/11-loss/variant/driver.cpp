// Label smoothing that leaves the target and the padding out: smoothing / (K - 2) for each other class.
#include <cmath>

#include "core/special_symbols.h"
#include "ops/cross_entropy.h"
#include "variant.h"

namespace plainformer::course {

namespace {

struct Predictions {
  Index batch, len, d_model, classes;
  double smoothing, grad_loss;
  std::vector<int> targets;
  Values x, table, table_grad;  // x: before the projection; table_grad: before the backward pass

  Shape x_shape() const { return {batch, len, d_model}; }
  Shape logits_shape() const { return {batch, len, classes}; }
};

Predictions draw_predictions() {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(4, 3, 8);
  const Index batch = extents[0], len = extents[1], d_model = extents[2], classes = extents[3];
  std::vector<int> targets = {kNoTarget};
  while (std::ssize(targets) < batch * len)
    targets.push_back(static_cast<int>(draw.whole(kPadId + 1, classes - 1)));
  return {.batch = batch,
          .len = len,
          .d_model = d_model,
          .classes = classes,
          .smoothing = draw.value(0.1, 0.4),
          .grad_loss = draw.value(0.5, 2),
          .targets = targets,
          .x = draw.values(batch * len * d_model),
          .table = draw.values(classes * d_model),
          .table_grad = draw.values(classes * d_model)};
}

// x table^T: what the loss takes, or the classes before the loss of the projection
Values logits_of(const Predictions& in) {
  Values logits;
  for (Index row = 0; row < in.batch * in.len; ++row)
    for (Index k = 0; k < in.classes; ++k) {
      logits.push_back(0);
      for (Index j = 0; j < in.d_model; ++j)
        logits.back() += in.x[row * in.d_model + j] * in.table[k * in.d_model + j];
    }
  return logits;
}

#ifdef COURSE_ORACLE

double target_of(const Predictions& in, Index k, int target) {
  if (k == target) return 1 - in.smoothing;
  return k == kPadId ? 0 : in.smoothing / double(in.classes - 2);
}

// The loss, the log-probability, and the rows that count.
Values oracle(const Predictions& in, const Values& logits) {
  double loss = 0, log_probability = 0, rows = 0;
  for (Index row = 0; row < in.batch * in.len; ++row) {
    const int target = in.targets[row];
    if (target == kNoTarget) continue;
    ++rows;
    double sum = 0;
    for (Index k = 0; k < in.classes; ++k) sum += std::exp(logits[row * in.classes + k]);
    for (Index k = 0; k < in.classes; ++k)
      loss -= target_of(in, k, target) * (logits[row * in.classes + k] - std::log(sum));
    log_probability += logits[row * in.classes + target] - std::log(sum);
  }
  return {loss, log_probability, rows};
}

void loss() {
  const Predictions in = draw_predictions();
  show("loss, log-probability, rows", oracle(in, logits_of(in)));
}

void gradient() {
  const Predictions in = draw_predictions();
  Values logits = logits_of(in);
  const auto scaled_loss = [&] { return in.grad_loss * oracle(in, logits)[0]; };
  show("grad_x", tensor(in.logits_shape(), differences(scaled_loss, logits)));
}

// The second term: its gradient is the one that was there before.
void loss_of_the_projection() {
  Predictions in = draw_predictions();
  const auto scaled_loss = [&] {
    return in.grad_loss * oracle(in, logits_of(in))[0] + dot(in.table_grad, in.table);
  };
  show("loss, log-probability, rows", oracle(in, logits_of(in)));
  show("grad_x", tensor(in.x_shape(), differences(scaled_loss, in.x)));
  show("grad of the table", tensor({in.classes, in.d_model}, differences(scaled_loss, in.table)));
}

#else

void show_loss(const CrossEntropy& found) {
  show("loss, log-probability, rows", Values{found.loss, found.log_probability, double(found.rows)});
}

void loss() {
  const Predictions in = draw_predictions();
  show_loss(cross_entropy_forward(tensor(in.logits_shape(), logits_of(in)), in.targets, in.smoothing));
}

void gradient() {
  const Predictions in = draw_predictions();
  show("grad_x", cross_entropy_backward(in.grad_loss, tensor(in.logits_shape(), logits_of(in)), in.targets,
                                        in.smoothing));
}

void loss_of_the_projection() {
  const Predictions in = draw_predictions();
  Parameter table(tensor({in.classes, in.d_model}, in.table));
  table.grad = tensor({in.classes, in.d_model}, in.table_grad);
  Tensor grad_x;
  show_loss(projected_cross_entropy_forward_backward(in.grad_loss, tensor(in.x_shape(), in.x), table,
                                                     in.targets, in.smoothing, grad_x));
  show("grad_x", grad_x);
  show("grad of the table", table.grad);
}

#endif

}  // namespace

std::vector<Stage> stages() {
  return {{"cross_entropy_forward", loss},
          {"cross_entropy_backward", gradient},
          {"the loss of the projection", loss_of_the_projection}};
}

}  // namespace plainformer::course
