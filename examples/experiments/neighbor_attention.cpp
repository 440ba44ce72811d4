// Section 4, Why Self-Attention (docs/4-why-self-attention.md), and the appendix on long sequences
//
// "Self-attention could be restricted to considering only a neighborhood of size r in the input sequence centered around
// the respective output position. This would increase the maximum path length to O(n/r)." Two layers must name, at the
// last position, the one marked symbol of a sequence, `distance` before. They see all positions, or a window of 9, or the
// window and one global position, which sees all and is seen by all. The table has the loss. (A guess has 2.77.)
//
//   cmake --preset toy && cmake --build build/toy --target neighbor_attention
//   build/toy/examples/experiments/neighbor_attention
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/random.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/linear.h>
#include <plainformer/report/command_line.h>
#include <plainformer/transformer/transformer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

using namespace plainformer;

constexpr Index kSymbols = 16;

// Which positions a position sees: those at most `reach` away, and the first `global` ones, which see all themselves.
struct Neighborhood {
  Index reach, global;

  bool sees(Index query, Index key) const {
    return std::abs(query - key) <= reach || query < global || key < global;
  }
};

// Equation (1) over the keys that a query sees. The work of n queries is n (2 reach + 1 + 2 global) d_k, and not n^2 d_k.
struct NeighborAttention {
  Neighborhood neighbors;
  Index d;
  Parameter w_q{Tensor::zeros({d, d})}, w_k{Tensor::zeros({d, d})}, w_v{Tensor::zeros({d, d})};
  Tensor x = {}, q = {}, k = {}, v = {}, weights = {};  // [batch, len, d]; weights [batch, len, len]

  // The keys that query i sees, ascending.
  template <typename Body>
  void for_each_key(Index i, Body body) const {
    for (Index j = 0; j < x.dim(1); ++j)
      if (neighbors.sees(i, j)) body(j);
  }

  Tensor forward(const Tensor& input) {
    // Step 1. Project: q = x W^Q, k = x W^K, v = x W^V.
    x = input;
    q = linear_forward(x, w_q);
    k = linear_forward(x, w_k);
    v = linear_forward(x, w_v);
    const Real scale = 1 / std::sqrt(Real(d));
    WritableTensor p = Tensor::zeros({x.dim(0), x.dim(1), x.dim(1)}), output = Tensor::zeros(x.shape());
    for (Index b = 0; b < x.dim(0); ++b)
      for (Index i = 0; i < x.dim(1); ++i) {
        // Step 2. p_ij = softmax over the visible j of q_i . k_j / sqrt(d_k).
        Real largest = -INFINITY, sum = 0;
        for_each_key(i, [&](Index j) {
          for (Index c = 0; c < d; ++c) p(b, i, j) += q(b, i, c) * k(b, j, c) * scale;
          largest = std::max(largest, p(b, i, j));
        });
        for_each_key(i, [&](Index j) {
          p(b, i, j) = std::exp(p(b, i, j) - largest);
          sum += p(b, i, j);
        });

        // Step 3. output_i = sum of p_ij v_j.
        for_each_key(i, [&](Index j) {
          p(b, i, j) /= sum;
          for (Index c = 0; c < d; ++c) output(b, i, c) += p(b, i, j) * v(b, j, c);
        });
      }
    weights = p;
    return output;
  }

  Tensor backward(const Tensor& grad_output) {
    const Real scale = 1 / std::sqrt(Real(d));
    WritableTensor grad_q = Tensor::zeros(x.shape()), grad_k = Tensor::zeros(x.shape());
    WritableTensor grad_v = Tensor::zeros(x.shape()), grad_p = Tensor::zeros(weights.shape());
    for (Index b = 0; b < x.dim(0); ++b)
      for (Index i = 0; i < x.dim(1); ++i) {
        // Step 3 was: output_i = sum of p_ij v_j.
        Real sum = 0;  // of grad_p_ij p_ij
        for_each_key(i, [&](Index j) {
          for (Index c = 0; c < d; ++c) {
            grad_p(b, i, j) += grad_output(b, i, c) * v(b, j, c);
            grad_v(b, j, c) += grad_output(b, i, c) * weights(b, i, j);
          }
          sum += grad_p(b, i, j) * weights(b, i, j);
        });

        // Step 2 was: p_ij = softmax over the visible j of q_i . k_j / sqrt(d_k).
        for_each_key(i, [&](Index j) {
          const Real grad_score = weights(b, i, j) * (grad_p(b, i, j) - sum) * scale;
          for (Index c = 0; c < d; ++c) {
            grad_q(b, i, c) += grad_score * k(b, j, c);
            grad_k(b, j, c) += grad_score * q(b, i, c);
          }
        });
      }

    // Step 1 was: q = x W^Q, k = x W^K, v = x W^V. x was used three times.
    const Tensor grad_x = add(linear_backward(grad_q, x, w_q), linear_backward(grad_k, x, w_k));
    return add(grad_x, linear_backward(grad_v, x, w_v));
  }

  ParameterList parameters() { return {{"w_q", &w_q}, {"w_k", &w_k}, {"w_v", &w_v}}; }
};

void check_gradients() {
  NeighborAttention layer = {.neighbors = {.reach = 1, .global = 1}, .d = 4};
  Parameter x(Tensor::zeros({10, 4})), cotangent(x.value);
  ParameterList inputs = layer.parameters();
  inputs.push_back({"x", &x});
  initialize(inputs, 1, {{&x, 1}});
  initialize({{"cotangent", &cotangent}}, 2, {{&cotangent, 1}});
  const auto loss = [&] { return dot(cotangent.value, layer.forward(x.value.reshaped({2, 5, 4}))); };
  loss();
  x.grad = layer.backward(cotangent.value.reshaped({2, 5, 4})).reshaped({10, 4});
  if (auto errors = gradient_errors(loss, checked_tensors(inputs)); !errors.empty())
    throw std::logic_error(errors);
}

double loss_after_training(Neighborhood neighbors, Index distance, Index steps, std::uint64_t seed) {
  const Index len = distance + 3, d = 32;
  Parameter table(Tensor::zeros({2 * kSymbols, d}));
  const PositionalEncoding positions(len, d);
  std::vector<NeighborAttention> stack(2, NeighborAttention{.neighbors = neighbors, .d = d});
  ParameterList parameters = {{"table", &table}};
  for (NeighborAttention& layer : stack)
    for (const NamedParameter& each : layer.parameters()) parameters.push_back(each);
  initialize(parameters, seed, {token_table(table)});
  Adam adam(parameters, {});
  Random random(random_stream(seed, 1, 0));
  for (Index step = 1;; ++step) {  // the last one is the test
    std::vector<std::vector<int>> rows(step > steps ? 200 : 32, std::vector<int>(len));
    std::vector<int> targets;
    for (auto& row : rows) {
      for (int& symbol : row) symbol = int(random.below(kSymbols));
      const Index marked = step > steps ? 2 : 1 + random.below(len - 2);  // in training, at any distance
      targets.resize(targets.size() + len, kNoTarget);
      targets.back() = row[marked];
      row[marked] += kSymbols;
    }
    const TokenBatch batch = TokenBatch::from(rows);
    Tensor x = positions.forward(embedding_forward(batch, table)), grad;
    for (NeighborAttention& layer : stack) x = add(layer.forward(x), x);
    if (step > steps) return projected_cross_entropy_forward(x, table, targets, 0).loss / rows.size();
    zero_gradients(parameters);
    projected_cross_entropy_forward_backward(Real(1) / rows.size(), x, table, targets, 0, grad);
    for (Index i = 1; i >= 0; --i) grad = add(stack[i].backward(grad), grad);
    embedding_backward(grad, batch, table);
    adam.step(parameters, 0.003 * std::min({1.0, step / 50.0, 2 - 2.0 * step / steps}), /*grad_scale=*/1);
  }
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 2};
  if (const auto exit_code = options.read("neighbor_attention", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  check_gradients();
  std::puts(csv ? "distance,all,window,window_and_global" : "distance    all  window  window and global");
  for (const Index n : quick ? std::vector<Index>{12} : std::vector<Index>{4, 8, 16, 32}) {
    double loss[3] = {};  // the means of the seeds
    const Neighborhood neighborhoods[] = {{n + 3, 0}, {4, 0}, {4, 1}};
    for (int i = 0; i < 3; ++i)
      for (Index seed = 1; seed <= seeds; ++seed)
        loss[i] += loss_after_training(neighborhoods[i], n, quick ? 200 : 1000, seed) / seeds;
    std::printf(csv ? "%td,%.4f,%.4f,%.4f\n" : "%8td%7.3f%8.3f%19.3f\n", n, loss[0], loss[1], loss[2]);
    std::fprintf(stderr, "distance %td: done\n", n);
  }
}
