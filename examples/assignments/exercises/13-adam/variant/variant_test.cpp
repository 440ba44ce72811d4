// Adam with decoupled weight decay: value -= learning_rate (m_hat / (sqrt(v_hat) + epsilon) + lambda value).
#include <gtest/gtest.h>

#include "ops/adam.h"
#include "seed.h"
#include "variant.h"

namespace plainformer::course {
namespace {

constexpr double kLambda = 0.1;
constexpr int kUpdates = 20;

struct Update {
  AdamOptions options;
  double learning_rate, t, grad_scale;
};

struct State {
  Index rows, columns;
  Update update;
  Values value, grad, m, v;

  Shape shape() const { return {rows, columns}; }
};

Update draw_update(Draw& draw) {
  const double learning_rate = draw.value(0.05, 0.2);
  const AdamOptions options = {
      .beta_1 = draw.value(0.5, 0.9), .beta_2 = draw.value(0.9, 0.99), .epsilon = draw.value(0.01, 0.1)};
  const double t = draw.whole(2, 9);
  return {options, learning_rate, t, draw.value(0.3, 0.9)};
}

State draw_state() {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(2, 2, 7);
  const Index size = extents[0] * extents[1];
  return {.rows = extents[0],
          .columns = extents[1],
          .update = draw_update(draw),
          .value = draw.values(size, 1, 3),
          .grad = draw.values(size),
          .m = draw.values(size),
          .v = draw.values(size, 0.5, 2)};
}

State draw_first_state() {
  State first = draw_state();
  first.m.assign(first.m.size(), 0);
  first.v.assign(first.v.size(), 0);
  return first;
}

Values next_gradient(const State& in, int t) {
  return Draw(100 + t).values(in.shape().elements());
}

// lambda: 0 for the ordinary Adam
void oracle_update(State& in, double lambda = kLambda) {
  const Update& by = in.update;
  const AdamOptions& o = by.options;
  for (std::size_t i = 0; i < in.value.size(); ++i) {
    const double g = by.grad_scale * in.grad[i];
    in.m[i] = o.beta_1 * in.m[i] + (1 - o.beta_1) * g;
    in.v[i] = o.beta_2 * in.v[i] + (1 - o.beta_2) * g * g;
    const double m_hat = in.m[i] / (1 - std::pow(o.beta_1, by.t));
    const double v_hat = in.v[i] / (1 - std::pow(o.beta_2, by.t));
    in.value[i] -= by.learning_rate * (m_hat / (std::sqrt(v_hat) + o.epsilon) + lambda * in.value[i]);
  }
}

void oracle_updates(State& in, double lambda = kLambda) {
  for (int t = 1; t <= kUpdates; ++t) {
    in.update.t = t;
    in.grad = next_gradient(in, t);
    oracle_update(in, lambda);
  }
}

struct Found {
  explicit Found(const State& in)
      : parameter(tensor(in.shape(), in.value)), m(tensor(in.shape(), in.m)), v(tensor(in.shape(), in.v)) {}

  void update(const State& in, const Values& grad, double t) {
    const Update& by = in.update;
    parameter.grad = tensor(in.shape(), grad);
    adam_update(parameter, m, v, by.options,
                {.t = t, .learning_rate = by.learning_rate, .grad_scale = by.grad_scale});
  }

  Parameter parameter;
  Tensor m, v;
};

void expect_state(const Found& found, const State& expected) {
  EXPECT_TRUE(near(found.parameter.value, expected.shape(), expected.value, kOutputTolerance)) << "value";
  EXPECT_TRUE(near(found.m, expected.shape(), expected.m, kOutputTolerance)) << "m";
  EXPECT_TRUE(near(found.v, expected.shape(), expected.v, kOutputTolerance)) << "v";
}

TEST(DecoupledDecay, OneUpdate) {
  State in = draw_state();
  Found found(in);
  found.update(in, in.grad, in.update.t);
  oracle_update(in);
  expect_state(found, in);
}

TEST(DecoupledDecay, ShrinksAValueWithoutGradient) {
  State in = draw_first_state();
  in.grad.assign(in.grad.size(), 0);
  Found found(in);
  found.update(in, in.grad, in.update.t);
  oracle_update(in);
  expect_state(found, in);
}

TEST(DecoupledDecay, ManyUpdates) {
  State in = draw_first_state();
  Found found(in);
  for (int t = 1; t <= kUpdates; ++t) found.update(in, next_gradient(in, t), t);
  oracle_updates(in);
  expect_state(found, in);
}

TEST(Fair, DecoupledDecay) {
  State variant = draw_state(), ordinary = draw_state();
  oracle_update(variant);
  oracle_update(ordinary, 0);
  EXPECT_TRUE(outputs_are_far_apart(variant.value, ordinary.value));
  State many = draw_first_state(), ordinary_many = draw_first_state();
  oracle_updates(many);
  oracle_updates(ordinary_many, 0);
  EXPECT_TRUE(outputs_are_far_apart(many.value, ordinary_many.value));
}

}  // namespace
}  // namespace plainformer::course
