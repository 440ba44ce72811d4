// Section 5.4, Regularization (docs/5.4-regularization.md), and docs/lab/table-3.md
//
// Two ways to keep a model from relying on few attention weights P. Each weight is dropped with probability p, as in 6.3
// ("dropout, both attention and residual"); or the loss grows by lambda times the sum of P^2, which is 1 for a query that
// looks at one key, and 1/n for one that looks at n alike. Two layers learn, from 200 words alone, to write words
// backwards. The table has the loss for each letter of these words and of others, and the mean sum of P^2 of a query.
//
//   cmake --preset toy && cmake --build build/toy --target attention_dropout
//   build/toy/examples/experiments/attention_dropout
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/random.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/reductions.h>
#include <plainformer/ops/softmax.h>
#include <plainformer/report/command_line.h>
#include <plainformer/transformer/transformer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

using namespace plainformer;

constexpr Index kLength = 8, kLetters = 26, kWords = 200;

struct Attention {
  Index d;
  Parameter w_q{Tensor::zeros({d, d})}, w_k{Tensor::zeros({d, d})}, w_v{Tensor::zeros({d, d})};
  Tensor x = {}, q = {}, k = {}, v = {};  // [batch, len, d]
  Tensor weights = {}, kept = {};         // [batch, len, len]: P, and P after dropout
  RandomStream stream = {};

  Tensor forward(const Tensor& input, Real dropout, RandomStream dropout_stream) {
    // Step 1. Project: q = x W^Q, k = x W^K, v = x W^V.
    x = input;
    q = linear_forward(x, w_q);
    k = linear_forward(x, w_k);
    v = linear_forward(x, w_v);

    // Step 2. P = softmax(q k^T / sqrt(d)).
    const Index batch = x.dim(0), len = x.dim(1);
    WritableTensor scores = Tensor::zeros({batch, len, len}), output = Tensor::zeros(x.shape());
    for (Index b = 0; b < batch; ++b)
      for (Index i = 0; i < len; ++i)
        for (Index j = 0; j < len; ++j)
          for (Index c = 0; c < d; ++c) scores(b, i, j) += q(b, i, c) * k(b, j, c) / std::sqrt(Real(d));
    weights = softmax_forward(scores, std::vector<Index>(batch * len, len));

    // Step 3. Drop: each weight becomes P_ij / (1 - p), or 0 with probability p.
    stream = dropout_stream;
    kept = dropout_forward(weights, dropout, stream);

    // Step 4. output = kept v.
    for (Index b = 0; b < batch; ++b)
      for (Index i = 0; i < len; ++i)
        for (Index j = 0; j < len; ++j)
          for (Index c = 0; c < d; ++c) output(b, i, c) += kept(b, i, j) * v(b, j, c);
    return output;
  }

  Tensor backward(const Tensor& grad_output, Real dropout, Real penalty) {
    // Step 4 was: output = kept v.
    const Index batch = x.dim(0), len = x.dim(1);
    WritableTensor grad_kept = Tensor::zeros(kept.shape()), grad_v = Tensor::zeros(v.shape());
    for (Index b = 0; b < batch; ++b)
      for (Index i = 0; i < len; ++i)
        for (Index j = 0; j < len; ++j)
          for (Index c = 0; c < d; ++c) {
            grad_kept(b, i, j) += grad_output(b, i, c) * v(b, j, c);
            grad_v(b, j, c) += grad_output(b, i, c) * kept(b, i, j);
          }

    // Step 3 was: drop. P also goes to the penalty, whose gradient is 2 lambda P.
    const Tensor grad_weights =
        add(dropout_backward(grad_kept, dropout, stream), scale(weights, 2 * penalty));

    // Step 2 was: P = softmax(q k^T / sqrt(d)).
    const Tensor grad_scores = softmax_backward(grad_weights, weights, std::vector<Index>(batch * len, len));
    WritableTensor grad_q = Tensor::zeros(q.shape()), grad_k = Tensor::zeros(k.shape());
    for (Index b = 0; b < batch; ++b)
      for (Index i = 0; i < len; ++i)
        for (Index j = 0; j < len; ++j)
          for (Index c = 0; c < d; ++c) {
            grad_q(b, i, c) += grad_scores(b, i, j) * k(b, j, c) / std::sqrt(Real(d));
            grad_k(b, j, c) += grad_scores(b, i, j) * q(b, i, c) / std::sqrt(Real(d));
          }

    // Step 1 was: q = x W^Q, k = x W^K, v = x W^V. x was used three times.
    const Tensor grad_x = add(linear_backward(grad_q, x, w_q), linear_backward(grad_k, x, w_k));
    return add(grad_x, linear_backward(grad_v, x, w_v));
  }

  ParameterList parameters() { return {{"w_q", &w_q}, {"w_k", &w_k}, {"w_v", &w_v}}; }
};

void check_gradients() {
  Attention layer = {.d = 4};
  const Real dropout = Real(0.3), penalty = Real(0.5);
  Parameter x(Tensor::zeros({10, 4})), cotangent(x.value);
  ParameterList inputs = layer.parameters();
  inputs.push_back({"x", &x});
  initialize(inputs, 1, {{&x, 1}});
  initialize({{"cotangent", &cotangent}}, 2, {{&cotangent, 1}});
  const auto loss = [&] {
    const Tensor y = layer.forward(x.value.reshaped({2, 5, 4}), dropout, {1, 2});
    return dot(cotangent.value, y) + penalty * sum_of_squares(layer.weights);
  };
  loss();
  x.grad = layer.backward(cotangent.value.reshaped({2, 5, 4}), dropout, penalty).reshaped({10, 4});
  if (auto errors = gradient_errors(loss, checked_tensors(inputs)); !errors.empty())
    throw std::logic_error(errors);
}

struct Regularizer {
  const char* name;
  Real dropout, penalty;  // p, lambda
};
struct Result {
  double training_loss = 0, loss = 0, squares = 0;
};

// Adds the results of one seed to the mean.
void train(const Regularizer& regularizer, Index steps, std::uint64_t seed, Result& mean, Index seeds) {
  const Index d = 32;
  Parameter table(Tensor::zeros({kLetters, d}));
  const PositionalEncoding positions(kLength, d);
  std::vector<Attention> stack(2, Attention{.d = d});
  ParameterList parameters = {{"table", &table}};
  for (Attention& layer : stack)
    for (const NamedParameter& each : layer.parameters()) parameters.push_back(each);
  initialize(parameters, seed, {token_table(table)});
  Adam adam(parameters, {});
  Random random(random_stream(seed, 1, 0));
  // The second half of the words is not trained on.
  std::vector<std::vector<int>> words(2 * kWords, std::vector<int>(kLength));
  for (auto& word : words)
    for (int& letter : word) letter = int(random.below(kLetters));

  // Forward, and the mean loss of a letter of the words from `first` on. With a step, which counts from 1: backward, too.
  const auto loss_of = [&](Index first, Index count, Index step) {
    const std::vector<std::vector<int>> some(words.begin() + first, words.begin() + first + count);
    std::vector<int> targets;
    for (const auto& word : some) targets.insert(targets.end(), word.rbegin(), word.rend());
    const TokenBatch batch = TokenBatch::from(some);
    const Real dropout = step == 0 ? 0 : regularizer.dropout, share = Real(1) / targets.size();
    Tensor x = positions.forward(embedding_forward(batch, table)), grad;
    for (Index i = 0; i < 2; ++i) x = add(stack[i].forward(x, dropout, random_stream(seed, step, i + 2)), x);
    if (step == 0) return projected_cross_entropy_forward(x, table, targets, 0).loss * share;
    const double loss =
        projected_cross_entropy_forward_backward(share, x, table, targets, 0, grad).loss * share;
    for (Index i = 1; i >= 0; --i)
      grad = add(stack[i].backward(grad, dropout, regularizer.penalty * share), grad);
    embedding_backward(grad, batch, table);
    return loss;
  };
  for (Index step = 1; step <= steps; ++step) {
    zero_gradients(parameters);
    loss_of(random.below(kWords - 31), 32, step);
    adam.step(parameters, 0.003 * std::min({1.0, step / 50.0, 2 - 2.0 * step / steps}), /*grad_scale=*/1);
  }
  mean.training_loss += loss_of(0, kWords, 0) / seeds;
  mean.loss += loss_of(kWords, kWords, 0) / seeds;
  const double queries = 2 * kWords * kLength * seeds;
  for (const Attention& layer : stack) mean.squares += sum_of_squares(layer.weights) / queries;
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 3};
  if (const auto exit_code = options.read("attention_dropout", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  check_gradients();
  std::puts(csv ? "regularizer,training_loss,loss,squares"
                : "regularizer    training loss  loss of others  sum of P^2");
  for (const Regularizer& each :
       {Regularizer{"none", 0, 0}, Regularizer{"dropout 0.1", Real(0.1), 0},
        Regularizer{"dropout 0.3", Real(0.3), 0}, Regularizer{"penalty 0.1", 0, Real(0.1)}}) {
    Result mean = {};
    for (Index seed = 1; seed <= seeds; ++seed) train(each, quick ? 300 : 2000, seed, mean, seeds);
    std::printf(csv ? "%s,%.4f,%.4f,%.4f\n" : "%-13s%15.3f%16.3f%12.3f\n", each.name, mean.training_loss,
                mean.loss, mean.squares);
    std::fprintf(stderr, "%s: done\n", each.name);
  }
}
