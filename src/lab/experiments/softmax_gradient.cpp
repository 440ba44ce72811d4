#include "lab/experiments/softmax_gradient.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "core/writable_tensor.h"
#include "ops/elementwise.h"
#include "ops/softmax.h"

namespace plainformer {

namespace {

// The dot products of each query with its keys, [queries, keys].
Tensor random_scores(Index d_k, const SoftmaxGradientOptions& options) {
  Random random(random_stream(options.seed, 0, static_cast<std::uint64_t>(d_k)));
  Tensor scores = Tensor::zeros({options.queries, options.keys});
  TensorWriter score(scores);
  std::vector<double> query(static_cast<std::size_t>(d_k));
  for (Index i = 0; i < options.queries; ++i) {
    for (double& component : query) component = random.normal();
    for (Index j = 0; j < options.keys; ++j) {
      double sum = 0;
      for (const double component : query) sum += component * random.normal();
      score(i, j) = static_cast<Real>(sum);
    }
  }
  return scores;
}

// The squares of all entries of diag(w) - w w^T add up to
//   sum of w_i^2 (1 - w_i)^2 + sum over i != j of w_i^2 w_j^2 = sum w_i^2 - 2 sum w_i^3 + (sum w_i^2)^2.
double jacobian_norm(const Real* weights, Index count) {
  double squares = 0, cubes = 0;
  for (Index i = 0; i < count; ++i) {
    const double w = double{weights[i]};
    squares += w * w;
    cubes += w * w * w;
  }
  return std::sqrt(std::max(0.0, squares - 2 * cubes + squares * squares));
}

void measure(const Tensor& scores, double& norm, double& largest_weight) {
  const Index queries = scores.dim(0), keys = scores.dim(1);
  const std::vector<Index> all_visible(static_cast<std::size_t>(queries), keys);
  const Tensor weights = softmax_forward(scores, all_visible);
  for (Index i = 0; i < queries; ++i) {
    const Real* row = weights.data() + i * keys;
    norm += jacobian_norm(row, keys) / static_cast<double>(queries);
    largest_weight += double{*std::max_element(row, row + keys)} / static_cast<double>(queries);
  }
}

}  // namespace

SoftmaxGradient softmax_gradient(Index d_k, const SoftmaxGradientOptions& options) {
  const Tensor scores = random_scores(d_k, options);
  SoftmaxGradient result;
  for (Index e = 0; e < scores.size(); ++e)
    result.variance += double{scores(e)} * double{scores(e)} / static_cast<double>(scores.size());
  measure(scores, result.norm, result.largest_weight);
  measure(scale(scores, 1 / std::sqrt(static_cast<Real>(d_k))), result.scaled_norm,
          result.scaled_largest_weight);
  return result;
}

}  // namespace plainformer
