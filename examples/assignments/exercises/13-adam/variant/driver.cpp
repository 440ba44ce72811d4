// Adam with decoupled weight decay: value -= learning_rate (m_hat / (sqrt(v_hat) + epsilon) + lambda value).
#include <cmath>

#include "ops/adam.h"
#include "variant.h"

namespace plainformer::course {

namespace {

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

#ifdef COURSE_ORACLE

constexpr double kLambda = 0.1;

void update(State& in) {
  const Update& by = in.update;
  const AdamOptions& o = by.options;
  for (std::size_t i = 0; i < in.value.size(); ++i) {
    const double g = by.grad_scale * in.grad[i];
    in.m[i] = o.beta_1 * in.m[i] + (1 - o.beta_1) * g;
    in.v[i] = o.beta_2 * in.v[i] + (1 - o.beta_2) * g * g;
    const double m_hat = in.m[i] / (1 - std::pow(o.beta_1, by.t));
    const double v_hat = in.v[i] / (1 - std::pow(o.beta_2, by.t));
    in.value[i] -= by.learning_rate * (m_hat / (std::sqrt(v_hat) + o.epsilon) + kLambda * in.value[i]);
  }
}

#else

// One update of tensors that begin as a state's.
void update(State& in) {
  Parameter parameter(tensor(in.shape(), in.value));
  Tensor m = tensor(in.shape(), in.m), v = tensor(in.shape(), in.v);
  parameter.grad = tensor(in.shape(), in.grad);
  const Update& by = in.update;
  adam_update(parameter, m, v, by.options,
              {.t = by.t, .learning_rate = by.learning_rate, .grad_scale = by.grad_scale});
  const auto values = [](const Tensor& x) { return Values(x.data(), x.data() + x.size()); };
  in.value = values(parameter.value);
  in.m = values(m);
  in.v = values(v);
}

#endif

void show_state(const State& in) {
  show("value", tensor(in.shape(), in.value));
  show("m", tensor(in.shape(), in.m));
  show("v", tensor(in.shape(), in.v));
}

void one_update() {
  State in = draw_state();
  update(in);
  show_state(in);
}

void without_gradient() {
  State in = draw_first_state();
  in.grad.assign(in.grad.size(), 0);
  update(in);
  show_state(in);
}

void many_updates() {
  State in = draw_first_state();
  for (int t = 1; t <= kUpdates; ++t) {
    in.update.t = t;
    in.grad = next_gradient(in, t);
    update(in);
  }
  show_state(in);
}

}  // namespace

std::vector<Stage> stages() {
  return {
      {"one update", one_update}, {"without a gradient", without_gradient}, {"many updates", many_updates}};
}

}  // namespace plainformer::course
