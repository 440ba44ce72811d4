// Section 3.2.1, Scaled Dot-Product Attention (docs/3.2.1-scaled-dot-product-attention.md)
//
// "We suspect that for large values of d_k, the dot products grow large in magnitude, pushing the softmax function into
// regions where it has extremely small gradients." This measures it for random queries with 16 keys each, whose
// components have mean 0 and variance 1. The table has the deviation of the scores, and the norm (the root of the sum of
// squares) of the derivatives of the weights: with respect to the scores, and with respect to the query, which trains
// W^Q.
//
//   cmake --preset toy && cmake --build build/toy --target softmax_gradient
//   build/toy/examples/experiments/softmax_gradient
#include <plainformer/core/random.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/softmax.h>
#include <plainformer/report/command_line.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace plainformer;

constexpr Index kKeys = 16;

// The query's scores, [1, keys], are its dot products with the keys, over the divisor.
Tensor scores_of(const std::vector<double>& query, const Tensor& keys, double divisor) {
  WritableTensor scores = Tensor::zeros({1, kKeys});
  for (Index j = 0; j < kKeys; ++j)
    for (Index p = 0; p < keys.dim(1); ++p) scores(0, j) += Real(query[p] * keys(j, p) / divisor);
  return scores;
}

// The matrix of derivatives of the weights w is diag(w) - w w^T, which is symmetric: softmax_backward multiplies by it.
double squared_norm_of_product(const Tensor& column, const Tensor& w) {
  const Tensor product = softmax_backward(column, w, std::vector<Index>{kKeys});
  double squares = 0;
  for (Index j = 0; j < kKeys; ++j) squares += double(product(0, j)) * product(0, j);
  return squares;
}

// With respect to the scores: the matrix itself, that is its products with the columns of the identity.
double norm_at_scores(const Tensor& w) {
  double squares = 0;
  for (Index j = 0; j < kKeys; ++j) {
    WritableTensor one = Tensor::zeros({1, kKeys});
    one(0, j) = 1;
    squares += squared_norm_of_product(one, w);
  }
  return std::sqrt(squares);
}

// With respect to the query: the matrix times the keys, over the divisor.
double norm_at_query(const Tensor& w, const Tensor& keys, double divisor) {
  double squares = 0;
  for (Index p = 0; p < keys.dim(1); ++p) {
    WritableTensor column({1, kKeys});
    for (Index j = 0; j < kKeys; ++j) column(0, j) = keys(j, p);
    squares += squared_norm_of_product(column, w);
  }
  return std::sqrt(squares) / divisor;
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 5};
  if (const auto exit_code = options.read("softmax_gradient", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  std::puts(csv ? "d_k,divisor,deviation,scores,query_mean,query_median,query_tenth"
                : "                 scores:             query:\n"
                  " d_k   divisor   deviation  norm     norm: mean  median  a tenth has more than");
  for (Index d_k = 1; d_k <= 1024; d_k *= quick ? 32 : 2)
    for (const double power : {0.0, 0.5, 1.0}) {
      const double divisor = std::pow(d_k, power), queries = seeds * (quick ? 100.0 : 2000.0);
      double variance = 0, at_scores = 0, mean_at_query = 0;
      std::vector<double> at_query;
      Random random(random_stream(/*seed=*/1, 0, d_k));
      while (std::ssize(at_query) < queries) {
        std::vector<double> query(d_k);
        for (double& component : query) component = random.normal();
        WritableTensor keys({kKeys, d_k});
        for (Index i = 0; i < keys.size(); ++i) keys(i) = Real(random.normal());

        const Tensor scores = scores_of(query, keys, divisor);
        const Tensor w = softmax_forward(scores, std::vector<Index>{kKeys});
        for (Index j = 0; j < kKeys; ++j) variance += scores(0, j) * scores(0, j) / kKeys / queries;
        at_scores += norm_at_scores(w) / queries;
        at_query.push_back(norm_at_query(w, keys, divisor));
        mean_at_query += at_query.back() / queries;
      }
      std::sort(at_query.begin(), at_query.end());
      const double median = at_query[at_query.size() / 2], tenth = at_query[at_query.size() * 9 / 10];
      std::printf(csv ? "%td,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n" : "%4td%10.2f%12.2f%6.3f%15.3f%8.3f%23.3f\n",
                  d_k, divisor, std::sqrt(variance), at_scores, mean_at_query, median, tenth);
      std::fprintf(stderr, "d_k = %td, divided by %g: done\n", d_k, divisor);
    }
}
