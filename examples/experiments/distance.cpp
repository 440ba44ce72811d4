// Section 4, Why Self-Attention (docs/4-why-self-attention.md), Table 1
//
// "Learning long-range dependencies is a key challenge." Two layers of self-attention, two recurrent ones or two
// convolutions learn to repeat the symbol that came `distance` before. The table has their loss. (A guess has 2.77.)
//
//   cmake --preset toy && cmake --build build/toy --target distance && build/toy/examples/experiments/distance
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

constexpr Index kSymbols = 16, kKernel = 3;
enum Kind { kAttention, kRecurrent, kConvolution };

// h_t = tanh(x_t W + b + h_{t-1} U): position t waits for the one before.    x, h [batch, len, d]
struct Recurrent {
  Index d;
  Parameter w{Tensor::zeros({d, d})}, u{Tensor::zeros({d, d})}, b{Tensor::zeros({d})};
  Tensor x = {};
  std::vector<Tensor> h = {};  // [len + 1][batch, d], from the zeros before the first position on

  Tensor forward(const Tensor& input) {
    x = input;
    const Index batch = x.dim(0), len = x.dim(1);
    const Tensor sums = linear_bias_forward(x, w, b);  // for all positions at once
    WritableTensor output(x.shape());
    h = {Tensor::zeros({batch, d})};
    for (Index t = 0; t < len; ++t) {
      WritableTensor next = linear_forward(h[t], u);
      for (Index e = 0; e < batch; ++e)
        for (Index j = 0; j < d; ++j) {
          next(e, j) = std::tanh(next(e, j) + sums(e, t, j));
          output(e, t, j) = next(e, j);
        }
      h.push_back(next);
    }
    return output;
  }

  Tensor backward(const Tensor& grad_output) {
    WritableTensor grad_sums(x.shape());
    Tensor grad_h =
        Tensor::zeros({x.dim(0), d});  // h_t has a gradient from the output, and this one from h_{t+1}
    for (Index t = x.dim(1) - 1; t >= 0; --t) {
      WritableTensor grad_sum(grad_h.shape());
      for (Index e = 0; e < x.dim(0); ++e)
        for (Index j = 0; j < d; ++j) {
          grad_sum(e, j) = (grad_output(e, t, j) + grad_h(e, j)) * (1 - h[t + 1](e, j) * h[t + 1](e, j));
          grad_sums(e, t, j) = grad_sum(e, j);
        }
      grad_h = linear_backward(grad_sum, h[t], u);
    }
    return linear_bias_backward(grad_sums, x, w, b);
  }
};

// y_t = b + sum over s < k of x_{t-s} W_s. The last k positions are laid side by side, and one product takes all.
struct Convolution {
  Index d;
  Parameter w{Tensor::zeros({kKernel * d, d})}, b{Tensor::zeros({d})};
  Tensor windows = {};  // [batch, len, k d]

  Tensor forward(const Tensor& x) {
    WritableTensor window = Tensor::zeros({x.dim(0), x.dim(1), kKernel * d});
    for (Index e = 0; e < x.dim(0); ++e)
      for (Index s = 0; s < kKernel; ++s)
        for (Index t = s; t < x.dim(1); ++t)
          for (Index j = 0; j < d; ++j) window(e, t, s * d + j) = x(e, t - s, j);
    windows = window;
    return linear_bias_forward(windows, w, b);
  }

  Tensor backward(const Tensor& grad_output) {
    const Tensor grad_window = linear_bias_backward(grad_output, windows, w, b);
    WritableTensor grad_x = Tensor::zeros(grad_output.shape());
    for (Index e = 0; e < grad_x.dim(0); ++e)
      for (Index s = 0; s < kKernel; ++s)
        for (Index t = s; t < grad_x.dim(1); ++t)
          for (Index j = 0; j < d; ++j) grad_x(e, t - s, j) += grad_window(e, t, s * d + j);
    return grad_x;
  }
};

// One of the three. It looks back only, as in a decoder.
struct Layer {
  Kind kind;
  Index d;
  MultiHeadAttention attention{d, /*heads=*/2};
  Recurrent recurrent{d};
  Convolution convolution{d};
  MultiHeadAttention::Cache attention_cache = {};

  Tensor forward(const Tensor& x) {
    if (kind == kRecurrent) return recurrent.forward(x);
    if (kind == kConvolution) return convolution.forward(x);
    const AttentionMask mask = {.key_lengths = std::vector<Index>(x.dim(0), x.dim(1)), .causal = true};
    return attention.forward(x, x, x, mask, attention_cache);
  }

  Tensor backward(const Tensor& grad_output) {
    if (kind == kRecurrent) return recurrent.backward(grad_output);
    if (kind == kConvolution) return convolution.backward(grad_output);
    const auto grad = attention.backward(grad_output, attention_cache);
    return add(grad.query, add(grad.key, grad.value));
  }

  ParameterList parameters() {
    if (kind == kRecurrent) return {{"w", &recurrent.w}, {"u", &recurrent.u}, {"b", &recurrent.b}};
    if (kind == kConvolution) return {{"w", &convolution.w}, {"b", &convolution.b}};
    return {
        {"w_q", &attention.w_q}, {"w_k", &attention.w_k}, {"w_v", &attention.w_v}, {"w_o", &attention.w_o}};
  }
};

void check_gradients(Kind kind) {
  Layer layer = {.kind = kind, .d = 4};
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

double loss_after_training(Kind kind, Index distance, Index steps, std::uint64_t seed) {
  const Index len = 2 * distance, d = 32;
  Parameter table(Tensor::zeros({kSymbols, d}));
  const PositionalEncoding positions(len, d);
  std::vector<Layer> stack(2, Layer{.kind = kind, .d = d});
  ParameterList parameters = {{"table", &table}};
  for (Layer& layer : stack)
    for (const NamedParameter& each : layer.parameters()) parameters.push_back(each);
  initialize(parameters, seed, {token_table(table)});
  Adam adam(parameters, {});
  Random random(random_stream(seed, 1, 0));
  for (Index step = 1;; ++step) {  // the last one is the test
    std::vector<std::vector<int>> rows(step > steps ? 200 : 32, std::vector<int>(len));
    std::vector<int> targets;
    for (auto& row : rows)
      for (Index t = 0; t < len; ++t) {
        row[t] = int(random.below(kSymbols));
        targets.push_back(t < distance ? kNoTarget : row[t - distance]);
      }
    const TokenBatch batch = TokenBatch::from(rows);
    Tensor x = positions.forward(embedding_forward(batch, table)), grad;
    for (Layer& layer : stack) x = add(layer.forward(x), x);
    if (step > steps) return 2 * projected_cross_entropy_forward(x, table, targets, 0).loss / targets.size();
    zero_gradients(parameters);
    projected_cross_entropy_forward_backward(Real(2) / targets.size(), x, table, targets, 0, grad);
    for (Index i = 1; i >= 0; --i) grad = add(stack[i].backward(grad), grad);
    embedding_backward(grad, batch, table);
    adam.step(parameters, 0.003 * std::min({1.0, step / 50.0, 2 - 2.0 * step / steps}), /*grad_scale=*/1);
  }
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 2};
  if (const auto exit_code = options.read("distance", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  for (const Kind kind : {kAttention, kRecurrent, kConvolution}) check_gradients(kind);
  std::puts(csv ? "distance,attention,recurrent,convolution" : "distance  attention  recurrent  convolution");
  for (const Index n : quick ? std::vector<Index>{8} : std::vector<Index>{2, 4, 8, 16, 32}) {
    double loss[3] = {};  // the means of the seeds
    for (const Kind kind : {kAttention, kRecurrent, kConvolution})
      for (Index seed = 1; seed <= seeds; ++seed)
        loss[kind] += loss_after_training(kind, n, quick ? 300 : 1500, seed) / seeds;
    std::printf(csv ? "%td,%.4f,%.4f,%.4f\n" : "%8td%11.3f%11.3f%13.3f\n", n, loss[0], loss[1], loss[2]);
    std::fprintf(stderr, "distance %td: done\n", n);
  }
}
