// Section 7, Conclusion (docs/7-conclusion.md)
//
// Rotary positions (Su et al. 2021): nothing is added to the words. Instead, each query and each key is
// turned by an angle that grows with its position, so that their score depends on the distance between them
// only.
//
//   cmake --preset toy && cmake --build build/toy --target rotary_positions
//   build/toy/examples/rotary_positions
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/rows.h>

#include <cmath>
#include <cstdio>
#include <utility>

using namespace plainformer;

// Turns columns 2i and 2i + 1 of each head, as a point in the plane, by the angle pos / 10000^(2i/d_k).
// x [batch, len, heads * d_k]. The backward of a turn is the turn back: direction -1.
Tensor rotate(Tensor x, Index d_k, int direction, Index first_position = 0) {
  const Index len = x.dim(1);
  const TensorWriter y(x);
  for (Index row = 0; row < row_count(x); ++row)
    for (Index column = 0; column < row_length(x); column += 2) {
      const Real exponent = Real(column % d_k) / Real(d_k), position = Real(row % len + first_position);
      const Real angle = Real(direction) * position / std::pow(Real(10000), exponent);
      const Real a = y(row, column), b = y(row, column + 1);
      y(row, column) = a * std::cos(angle) - b * std::sin(angle);
      y(row, column + 1) = a * std::sin(angle) + b * std::cos(angle);
    }
  return x;
}

void only_the_distance_counts(const Tensor& q, const Tensor& k) {
  std::puts("SCORES    of the query (1, 2, 3, 4) and the key (2, 1, 0, 1)\n");
  for (const auto& [at_q, at_k] : {std::pair<Index, Index>{0, 0}, {7, 7}, {5, 4}, {5, 2}, {105, 102}, {2, 5}})
    std::printf("  query at %3td, key at %3td, distance %2td: %7.3f\n", at_q, at_k, at_q - at_k,
                dot(rotate(q, 4, 1, at_q), rotate(k, 4, 1, at_k)));
}

void check_the_gradient(Tensor x) {
  const Tensor cotangent = Tensor::from({1, 3, 4}, {1, -2, 3, 1, 2, 2, -1, 3, 1, 1, 4, -3});
  const auto loss = [&] { return dot(cotangent, rotate(x, 4, 1)); };
  const auto agrees = [&](int direction) {
    return gradient_errors(loss, {{"x", &x, rotate(cotangent, 4, direction)}}).empty() ? "agrees" : "differs";
  };
  std::puts("\n\nTHE CHECK    of the gradient, beside differences of the loss\n");
  std::printf("  turned back            %s\n", agrees(-1));
  std::printf("  turned on, a mistake   %s\n", agrees(1));
}

int main() {
  only_the_distance_counts(Tensor::from({1, 1, 4}, {1, 2, 3, 4}), Tensor::from({1, 1, 4}, {2, 1, 0, 1}));
  check_the_gradient(Tensor::from({1, 3, 4}, {1, 2, 3, 4, 2, 1, 0, 1, -1, 3, 2, -2}));
}
