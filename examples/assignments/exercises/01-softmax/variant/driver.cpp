// softmax with one more in the sum: y_i = exp(x_i) / (1 + sum over j of exp(x_j)).
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/softmax.h"
#include "variant.h"

namespace plainformer::course {

namespace {

struct Rows {
  Index rows, n_max;
  std::vector<Index> visible_counts;
  Values x, grad_y;

  Shape shape() const { return {rows, n_max}; }
  bool is_visible(Index row, Index i) const { return i < visible_counts[row]; }
};

Rows draw_rows() {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(2, 3, 7);
  Rows drawn = {
      .rows = extents[0], .n_max = extents[1], .visible_counts = {0, extents[1]}, .x = {}, .grad_y = {}};
  while (std::ssize(drawn.visible_counts) < drawn.rows)
    drawn.visible_counts.push_back(draw.whole(1, drawn.n_max));
  drawn.x = draw.values(drawn.rows * drawn.n_max);
  drawn.grad_y = draw.values(drawn.rows * drawn.n_max);
  return drawn;
}

// The scores with nan where they are not visible.
Rows with_hidden_nan(Rows in) {
  for (Index row = 0; row < in.rows; ++row)
    for (Index i = 0; i < in.n_max; ++i)
      if (!in.is_visible(row, i)) in.x[row * in.n_max + i] = std::numeric_limits<double>::quiet_NaN();
  return in;
}

// Rows whose scores are far from 0.
Rows with_large_scores(Rows in) {
  for (Index row = 0; row < in.rows; ++row)
    for (Index i = 0; i < in.n_max; ++i) in.x[row * in.n_max + i] += row % 2 == 0 ? 1000 : -1000;
  return in;
}

#ifdef COURSE_ORACLE

Values oracle(const Rows& in) {
  Values y(in.x.size(), 0);
  for (Index row = 0; row < in.rows; ++row) {
    const double* const x = &in.x[row * in.n_max];
    double largest = 0;
    for (Index i = 0; i < in.visible_counts[row]; ++i) largest = std::max(largest, x[i]);
    double sum = std::exp(-largest);
    for (Index i = 0; i < in.visible_counts[row]; ++i) sum += std::exp(x[i] - largest);
    for (Index i = 0; i < in.visible_counts[row]; ++i) y[row * in.n_max + i] = std::exp(x[i] - largest) / sum;
  }
  return y;
}

Tensor output_of(const Rows& in) {
  return tensor(in.shape(), oracle(in));
}

void gradient() {
  Rows in = draw_rows();
  show("grad_x", tensor(in.shape(), differences([&] { return dot(in.grad_y, oracle(in)); }, in.x)));
}

#else

Tensor output_of(const Rows& in) {
  return softmax_forward(tensor(in.shape(), in.x), in.visible_counts);
}

void gradient() {
  const Rows in = draw_rows();
  show("grad_x", softmax_backward(tensor(in.shape(), in.grad_y), output_of(in), in.visible_counts));
}

#endif

void output() {
  show("y", output_of(draw_rows()));
}

void output_of_what_is_masked() {
  show("y where what is masked is nan", output_of(with_hidden_nan(draw_rows())));
}

void output_of_large_scores() {
  show("y of large x", output_of(with_large_scores(draw_rows())));
}

}  // namespace

std::vector<Stage> stages() {
  return {{"softmax_forward", output},
          {"softmax_forward, masked", output_of_what_is_masked},
          {"softmax_forward, large", output_of_large_scores},
          {"softmax_backward", gradient}};
}

}  // namespace plainformer::course
