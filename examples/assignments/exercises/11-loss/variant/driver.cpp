// Label smoothing that leaves the target and the padding out: smoothing / (K - 2) for each other class.
#include <cmath>

#include "core/special_symbols.h"
#include "ops/cross_entropy.h"
#include "variant.h"

namespace plainformer::course {

namespace {

struct Predictions {
  Index batch, len, classes;
  double smoothing, grad_loss;
  std::vector<int> targets;
  Values logits;

  Shape shape() const { return {batch, len, classes}; }
};

Predictions draw_predictions() {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(3, 3, 8);
  const Index batch = extents[0], len = extents[1], classes = extents[2];
  std::vector<int> targets = {kNoTarget};
  while (std::ssize(targets) < batch * len)
    targets.push_back(static_cast<int>(draw.whole(kPadId + 1, classes - 1)));
  return {.batch = batch,
          .len = len,
          .classes = classes,
          .smoothing = draw.value(0.1, 0.4),
          .grad_loss = draw.value(0.5, 2),
          .targets = targets,
          .logits = draw.values(batch * len * classes)};
}

#ifdef COURSE_ORACLE

double target_of(const Predictions& in, Index k, int target) {
  if (k == target) return 1 - in.smoothing;
  return k == kPadId ? 0 : in.smoothing / double(in.classes - 2);
}

// The loss, the log-probability, and the rows that count.
Values oracle(const Predictions& in) {
  double loss = 0, log_probability = 0, rows = 0;
  for (Index row = 0; row < in.batch * in.len; ++row) {
    const int target = in.targets[row];
    if (target == kNoTarget) continue;
    ++rows;
    double sum = 0;
    for (Index k = 0; k < in.classes; ++k) sum += std::exp(in.logits[row * in.classes + k]);
    for (Index k = 0; k < in.classes; ++k)
      loss -= target_of(in, k, target) * (in.logits[row * in.classes + k] - std::log(sum));
    log_probability += in.logits[row * in.classes + target] - std::log(sum);
  }
  return {loss, log_probability, rows};
}

void loss() {
  show("loss, log-probability, rows", oracle(draw_predictions()));
}

void gradient() {
  Predictions in = draw_predictions();
  const auto scaled_loss = [&] { return in.grad_loss * oracle(in)[0]; };
  show("grad_x", tensor(in.shape(), differences(scaled_loss, in.logits)));
}

#else

void loss() {
  const Predictions in = draw_predictions();
  const CrossEntropy found = cross_entropy_forward(tensor(in.shape(), in.logits), in.targets, in.smoothing);
  show("loss, log-probability, rows", Values{found.loss, found.log_probability, double(found.rows)});
}

void gradient() {
  const Predictions in = draw_predictions();
  show("grad_x",
       cross_entropy_backward(in.grad_loss, tensor(in.shape(), in.logits), in.targets, in.smoothing));
}

#endif

}  // namespace

std::vector<Stage> stages() {
  return {{"cross_entropy_forward", loss}, {"cross_entropy_backward", gradient}};
}

}  // namespace plainformer::course
