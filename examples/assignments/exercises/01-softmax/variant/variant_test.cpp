// softmax with one more in the sum: y_i = exp(x_i) / (1 + sum over j of exp(x_j)).
#include <gtest/gtest.h>

#include <limits>

#include "ops/softmax.h"
#include "seed.h"
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

// extra: 1 for the variant, 0 for the ordinary softmax
Values oracle(const Rows& in, double extra = 1) {
  Values y(in.x.size(), 0);
  for (Index row = 0; row < in.rows; ++row) {
    const double* const x = &in.x[row * in.n_max];
    double largest = 0;
    for (Index i = 0; i < in.visible_counts[row]; ++i) largest = std::max(largest, x[i]);
    double sum = extra * std::exp(-largest);
    for (Index i = 0; i < in.visible_counts[row]; ++i) sum += std::exp(x[i] - largest);
    for (Index i = 0; i < in.visible_counts[row]; ++i) y[row * in.n_max + i] = std::exp(x[i] - largest) / sum;
  }
  return y;
}

Tensor found_output(const Rows& in) {
  return softmax_forward(tensor(in.shape(), in.x), in.visible_counts);
}

TEST(PlusOne, LeavesAPartToNobody) {
  const Rows in = draw_rows();
  EXPECT_TRUE(near(found_output(in), in.shape(), oracle(in), kOutputTolerance));
}

TEST(PlusOne, NeverReadsWhatIsMasked) {
  Rows in = draw_rows();
  for (Index row = 0; row < in.rows; ++row)
    for (Index i = 0; i < in.n_max; ++i)
      if (!in.is_visible(row, i)) in.x[row * in.n_max + i] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(near(found_output(in), in.shape(), oracle(in), kOutputTolerance));
}

TEST(PlusOne, DoesNotOverflow) {
  Rows in = draw_rows();
  for (Index row = 0; row < in.rows; ++row)
    for (Index i = 0; i < in.n_max; ++i) in.x[row * in.n_max + i] += row % 2 == 0 ? 1000 : -1000;
  EXPECT_TRUE(near(found_output(in), in.shape(), oracle(in), kOutputTolerance));
}

TEST(PlusOne, Gradient) {
  Rows in = draw_rows();
  const Tensor grad_x = softmax_backward(tensor(in.shape(), in.grad_y), found_output(in), in.visible_counts);
  EXPECT_TRUE(is_gradient(
      grad_x, in.shape(), [&] { return dot(in.grad_y, oracle(in)); }, in.x));
}

TEST(Fair, PlusOne) {
  Rows in = draw_rows();
  const auto loss = [&] { return dot(in.grad_y, oracle(in)); };
  const auto ordinary_loss = [&] { return dot(in.grad_y, oracle(in, 0)); };
  EXPECT_TRUE(differences_are_fair(loss, in.x));
  EXPECT_TRUE(outputs_are_far_apart(oracle(in), oracle(in, 0)));
  EXPECT_TRUE(gradients_are_far_apart(loss, ordinary_loss, in.x));
}

}  // namespace
}  // namespace plainformer::course
