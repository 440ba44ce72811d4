#include "lab/experiments/softmax_gradient.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.h"
#include "core/random.h"
#include "core/writable_tensor.h"
#include "ops/elementwise.h"
#include "ops/softmax.h"

namespace plainformer {

namespace {

using Numbers = std::vector<double>;

// A query's keys [keys, d_k], and its dot product with each, [1, keys].
struct RandomQuery {
  Numbers keys;
  Tensor products;
};

RandomQuery random_query(Index d_k, Index keys, Random& random) {
  RandomQuery drawn = {.keys = Numbers(static_cast<std::size_t>(keys * d_k)),
                       .products = Tensor::zeros({1, keys})};
  Numbers query(static_cast<std::size_t>(d_k));
  for (double& component : query) component = random.normal();
  TensorWriter product(drawn.products);
  for (Index j = 0; j < keys; ++j) {
    double sum = 0;
    for (Index p = 0; p < d_k; ++p) sum += query[p] * (drawn.keys[j * d_k + p] = random.normal());
    product(0, j) = static_cast<Real>(sum);
  }
  return drawn;
}

// The squares of all entries of diag(w) - w w^T add up to
//   sum of w_i^2 (1 - w_i)^2 + sum over i != j of w_i^2 w_j^2 = sum w_i^2 - 2 sum w_i^3 + (sum w_i^2)^2.
double jacobian_norm(const Tensor& weights) {
  double squares = 0, cubes = 0;
  for (Index i = 0; i < weights.size(); ++i) {
    const double w = double{weights(i)};
    squares += w * w;
    cubes += w * w * w;
  }
  return std::sqrt(std::max(0.0, squares - 2 * cubes + squares * squares));
}

// Row i of (diag(w) - w w^T) K is w_i (k_i - sum of w_j k_j): how far key i lies from the average key.
double query_norm(const Tensor& weights, const Numbers& keys, double divisor) {
  const Index count = weights.size(), d_k = std::ssize(keys) / count;
  double squares = 0;
  for (Index p = 0; p < d_k; ++p) {
    double average = 0;
    for (Index j = 0; j < count; ++j) average += double{weights(j)} * keys[j * d_k + p];
    for (Index i = 0; i < count; ++i) {
      const double entry = double{weights(i)} * (keys[i * d_k + p] - average);
      squares += entry * entry;
    }
  }
  return std::sqrt(squares) / divisor;
}

// The number that this share of all does not exceed.
double quantile(Numbers all, double share) {
  CHECK(!all.empty(), "no numbers");
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size() - 1) + 0.5);
  std::nth_element(all.begin(), all.begin() + at, all.end());
  return all[at];
}

// Collects the queries for one divisor of the scores.
class Divided {
 public:
  explicit Divided(double divisor) : divisor_(divisor) {}

  void add(const RandomQuery& query) {
    const Tensor scores = scale(query.products, static_cast<Real>(1 / divisor_));
    const Tensor weights = softmax_forward(scores, std::vector<Index>{scores.dim(1)});
    sums_.largest_weight += double{*std::max_element(weights.data(), weights.data() + weights.size())};
    sums_.norm += jacobian_norm(weights);
    at_query_.push_back(query_norm(weights, query.keys, divisor_));
    sums_.query_mean += at_query_.back();
  }

  DividedScores result() const {
    const auto count = static_cast<double>(at_query_.size());
    return {.largest_weight = sums_.largest_weight / count,
            .norm = sums_.norm / count,
            .query_mean = sums_.query_mean / count,
            .query_median = quantile(at_query_, 0.5),
            .query_ninth_decile = quantile(at_query_, 0.9)};
  }

 private:
  double divisor_;
  DividedScores sums_;
  Numbers at_query_;
};

}  // namespace

SoftmaxGradient softmax_gradient(Index d_k, const SoftmaxGradientOptions& options) {
  const auto width = static_cast<double>(d_k);
  Random random(random_stream(options.seed, 0, static_cast<std::uint64_t>(d_k)));
  Divided by_nothing(1), by_root(std::sqrt(width)), by_d_k(width);
  double squares = 0;
  for (Index i = 0; i < options.queries; ++i) {
    const RandomQuery query = random_query(d_k, options.keys, random);
    for (Index j = 0; j < options.keys; ++j)
      squares += double{query.products(0, j)} * double{query.products(0, j)};
    for (Divided* divided : {&by_nothing, &by_root, &by_d_k}) divided->add(query);
  }
  return {.variance = squares / static_cast<double>(options.queries * options.keys),
          .by_nothing = by_nothing.result(),
          .by_root = by_root.result(),
          .by_d_k = by_d_k.result()};
}

}  // namespace plainformer
