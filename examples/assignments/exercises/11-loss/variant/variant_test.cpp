// Label smoothing that leaves the target and the padding out: smoothing / (K - 2) for each other class.
#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "ops/cross_entropy.h"
#include "seed.h"
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

using TargetOf = double (*)(const Predictions& in, Index k, int target);

double variant_target(const Predictions& in, Index k, int target) {
  if (k == target) return 1 - in.smoothing;
  return k == kPadId ? 0 : in.smoothing / double(in.classes - 2);
}

double ordinary_target(const Predictions& in, Index k, int target) {
  return (k == target ? 1 - in.smoothing : 0) + in.smoothing / double(in.classes);
}

// x table^T
Values oracle_logits(const Predictions& in) {
  Values logits;
  for (Index row = 0; row < in.batch * in.len; ++row)
    for (Index k = 0; k < in.classes; ++k) {
      logits.push_back(0);
      for (Index j = 0; j < in.d_model; ++j)
        logits.back() += in.x[row * in.d_model + j] * in.table[k * in.d_model + j];
    }
  return logits;
}

// The loss and the log-probability.
Values oracle(const Predictions& in, const Values& logits, TargetOf target_of = variant_target) {
  double loss = 0, log_probability = 0;
  for (Index row = 0; row < in.batch * in.len; ++row) {
    const int target = in.targets[row];
    if (target == kNoTarget) continue;
    double sum = 0;
    for (Index k = 0; k < in.classes; ++k) sum += std::exp(logits[row * in.classes + k]);
    for (Index k = 0; k < in.classes; ++k)
      loss -= target_of(in, k, target) * (logits[row * in.classes + k] - std::log(sum));
    log_probability += logits[row * in.classes + target] - std::log(sum);
  }
  return {loss, log_probability};
}

void expect_loss(const CrossEntropy& found, const Predictions& in) {
  const Values expected = oracle(in, oracle_logits(in));
  EXPECT_NEAR(found.loss, expected[0], kOutputTolerance);
  EXPECT_NEAR(found.log_probability, expected[1], kOutputTolerance);
  EXPECT_EQ(found.rows, in.batch * in.len - std::count(in.targets.begin(), in.targets.end(), kNoTarget));
}

TEST(SmoothingWithoutPadding, Loss) {
  const Predictions in = draw_predictions();
  expect_loss(cross_entropy_forward(tensor(in.logits_shape(), oracle_logits(in)), in.targets, in.smoothing),
              in);
}

TEST(SmoothingWithoutPadding, Gradient) {
  const Predictions in = draw_predictions();
  Values logits = oracle_logits(in);
  const Tensor grad_x =
      cross_entropy_backward(in.grad_loss, tensor(in.logits_shape(), logits), in.targets, in.smoothing);
  const auto loss = [&] { return in.grad_loss * oracle(in, logits)[0]; };
  EXPECT_TRUE(is_gradient(grad_x, in.logits_shape(), loss, logits));
}

TEST(SmoothingWithoutPadding, LossOfTheProjection) {
  Predictions in = draw_predictions();
  Parameter table(tensor({in.classes, in.d_model}, in.table));
  table.grad = tensor({in.classes, in.d_model}, in.table_grad);
  Tensor grad_x;
  expect_loss(projected_cross_entropy_forward_backward(in.grad_loss, tensor(in.x_shape(), in.x), table,
                                                       in.targets, in.smoothing, grad_x),
              in);
  // The second term: its gradient is the one that was there before.
  const auto loss = [&] {
    return in.grad_loss * oracle(in, oracle_logits(in))[0] + dot(in.table_grad, in.table);
  };
  EXPECT_TRUE(is_gradient(grad_x, in.x_shape(), loss, in.x)) << "of x";
  EXPECT_TRUE(is_gradient(table.grad, {in.classes, in.d_model}, loss, in.table)) << "of the table";
}

TEST(Fair, SmoothingWithoutPadding) {
  Predictions in = draw_predictions();
  Values logits = oracle_logits(in);
  const auto loss = [&] { return in.grad_loss * oracle(in, logits)[0]; };
  const auto ordinary_loss = [&] { return in.grad_loss * oracle(in, logits, ordinary_target)[0]; };
  EXPECT_TRUE(outputs_are_far_apart({loss()}, {ordinary_loss()}));
  EXPECT_TRUE(differences_are_fair(loss, logits));
  EXPECT_TRUE(gradients_are_far_apart(loss, ordinary_loss, logits));

  const auto projected_loss = [&] { return in.grad_loss * oracle(in, oracle_logits(in))[0]; };
  EXPECT_TRUE(differences_are_fair(projected_loss, in.x));
  EXPECT_TRUE(differences_are_fair(projected_loss, in.table));
}

}  // namespace
}  // namespace plainformer::course
