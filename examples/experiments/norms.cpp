// Section 3.1, Encoder and Decoder Stacks (docs/3.1-encoder-and-decoder-stacks.md)
//
// "We employ a residual connection around each of the two sub-layers, followed by layer normalization." A stack of
// encoder layers learns to write eight letters backwards: so, with batch norm (Ioffe & Szegedy 2015) instead of layer
// norm, and without the residual connections. The table has the loss of other words, for each letter.
//
//   cmake --preset toy && cmake --build build/toy --target norms && build/toy/examples/experiments/norms
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/random.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/layer_norm.h>
#include <plainformer/ops/rows.h>
#include <plainformer/report/command_line.h>
#include <plainformer/transformer/transformer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

using namespace plainformer;

constexpr Index kLength = 8, kLetters = 26, kWidth = 32;
enum Kind { kLayerNorm, kBatchNorm, kNoResidual };

struct BatchNormCache {
  Tensor x_hat, rstd;  // [rows, d], [d]
};

// Layer norm has a mean and a variance for each row, batch norm for each column: for a feature, over the whole batch.
// (At inference one takes averages that training kept; the test below has a large batch, and takes its own.)
Tensor batch_norm_forward(const Tensor& x, const Parameter& gain, const Parameter& bias,
                          BatchNormCache& cache) {
  const Index rows = row_count(x), d = row_length(x);
  WritableTensor y(x.shape()), x_hat(x.shape()), rstd({d});
  for (Index j = 0; j < d; ++j) {
    // Step 1. Compute the mean of the column, and the variance around it.
    Real mean = 0, variance = 0;
    for (Index row = 0; row < rows; ++row) mean += x(row, j) / rows;
    for (Index row = 0; row < rows; ++row) variance += (x(row, j) - mean) * (x(row, j) - mean) / rows;

    // Step 2. Normalize: x_hat = (x - mean) rstd, y = gain x_hat + bias.
    rstd(j) = 1 / std::sqrt(variance + Real(1e-6));
    for (Index row = 0; row < rows; ++row) {
      x_hat(row, j) = (x(row, j) - mean) * rstd(j);
      y(row, j) = gain.value(j) * x_hat(row, j) + bias.value(j);
    }
  }
  cache = {x_hat, rstd};
  return y;
}

// With g = grad_y gain, as in layer norm: grad_x = rstd (g - mean(g) - x_hat mean(g x_hat)), the means over the column.
Tensor batch_norm_backward(const Tensor& grad_y, const BatchNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Index rows = row_count(grad_y);
  WritableTensor grad_x(grad_y.shape());
  const TensorWriter grad_gain(gain.mutable_grad()), grad_bias(bias.mutable_grad());
  for (Index j = 0; j < row_length(grad_y); ++j) {
    Real sum = 0, sum_x_hat = 0;  // of grad_y, and of grad_y x_hat
    for (Index row = 0; row < rows; ++row) {
      sum += grad_y(row, j);
      sum_x_hat += grad_y(row, j) * cache.x_hat(row, j);
    }
    grad_gain(j) += sum_x_hat;
    grad_bias(j) += sum;
    for (Index row = 0; row < rows; ++row)
      grad_x(row, j) = gain.value(j) * cache.rstd(j) *
                       (grad_y(row, j) - sum / rows - cache.x_hat(row, j) * sum_x_hat / rows);
  }
  return grad_x;
}

struct Norm {
  Kind kind;
  Index d;
  Parameter gain{Tensor::filled({d}, 1)}, bias{Tensor::zeros({d})};
  BatchNormCache batch = {};
  LayerNormCache layer = {};

  Tensor forward(const Tensor& x) {
    if (kind == kBatchNorm) return batch_norm_forward(x, gain, bias, batch);
    return layer_norm_forward(x, gain, bias, Real(1e-6), layer);
  }
  Tensor backward(const Tensor& grad_y) {
    if (kind == kBatchNorm) return batch_norm_backward(grad_y, batch, gain, bias);
    return layer_norm_backward(grad_y, layer, gain, bias);
  }
};

// An encoder layer: y = Norm(x + MultiHead(x, x, x)), output = Norm(y + FFN(y)); or both without "x +" and "y +".
struct Layer {
  Kind kind;
  Index d;
  MultiHeadAttention attention{d, /*heads=*/4};
  FeedForward feed_forward{d, 2 * d};
  Norm attention_norm{kind, d}, feed_forward_norm{kind, d};
  MultiHeadAttention::Cache attention_cache = {};
  FeedForward::Cache feed_forward_cache = {};

  Tensor with_residual(const Tensor& x, const Tensor& sublayer) const {
    return kind == kNoResidual ? sublayer : add(sublayer, x);
  }

  Tensor forward(const Tensor& x, const AttentionMask& mask) {
    const Tensor attended = attention.forward(x, x, x, mask, attention_cache);
    const Tensor y = attention_norm.forward(with_residual(x, attended));
    return feed_forward_norm.forward(with_residual(y, feed_forward.forward(y, feed_forward_cache)));
  }

  Tensor backward(const Tensor& grad_output) {
    const Tensor grad_z = feed_forward_norm.backward(grad_output);
    const Tensor grad_y = with_residual(grad_z, feed_forward.backward(grad_z, feed_forward_cache));
    const Tensor grad_sum = attention_norm.backward(grad_y);
    const auto grad = attention.backward(grad_sum, attention_cache);
    return with_residual(grad_sum, add(grad.query, add(grad.key, grad.value)));
  }

  void append_parameters(ParameterList& list) {
    attention.append_parameters("attention", list);
    feed_forward.append_parameters("feed_forward", list);
    for (Norm* norm : {&attention_norm, &feed_forward_norm})
      list.insert(list.end(), {{"gain", &norm->gain}, {"bias", &norm->bias}});
  }
};

void check_gradients() {
  Parameter x(Tensor::zeros({7, 3})), cotangent(x.value), gain(Tensor::filled({3}, 2)),
      bias(Tensor::zeros({3}));
  initialize({{"x", &x}, {"cotangent", &cotangent}}, /*seed=*/1, {{&x, 1}, {&cotangent, 1}});
  BatchNormCache cache;
  const auto loss = [&] { return dot(cotangent.value, batch_norm_forward(x.value, gain, bias, cache)); };
  loss();
  x.grad = batch_norm_backward(cotangent.value, cache, gain, bias);
  const auto errors = gradient_errors(loss, checked_tensors({{"x", &x}, {"gain", &gain}, {"bias", &bias}}));
  if (!errors.empty()) throw std::logic_error(errors);
}

// Trains on new words in each step. Returns the loss of other words, for each letter.
double loss_after_training(Kind kind, Index layers, Index steps, std::uint64_t seed) {
  Parameter table(Tensor::zeros({kLetters, kWidth}));
  const PositionalEncoding positions(kLength, kWidth);
  std::vector<Layer> stack(layers, Layer{.kind = kind, .d = kWidth});
  ParameterList parameters = {{"table", &table}};
  for (Layer& layer : stack) layer.append_parameters(parameters);
  initialize(parameters, seed, {token_table(table)});
  Adam adam(parameters, {});
  Random random(random_stream(seed, 1, 0));
  for (Index step = 1;; ++step) {  // the last one is the test
    std::vector<std::vector<int>> words(step > steps ? 500 : 64, std::vector<int>(kLength));
    std::vector<int> targets;  // the words backwards
    for (auto& word : words) {
      for (int& letter : word) letter = int(random.below(kLetters));
      targets.insert(targets.end(), word.rbegin(), word.rend());
    }
    const TokenBatch batch = TokenBatch::from(words);
    Tensor x = positions.forward(embedding_forward(batch, table)), grad;
    for (Layer& layer : stack) x = layer.forward(x, {.key_lengths = batch.lengths});
    if (step > steps) return projected_cross_entropy_forward(x, table, targets, 0).loss / targets.size();
    zero_gradients(parameters);
    projected_cross_entropy_forward_backward(Real(1) / targets.size(), x, table, targets, 0, grad);
    for (Index i = layers - 1; i >= 0; --i) grad = stack[i].backward(grad);
    embedding_backward(grad, batch, table);
    adam.step(parameters, 0.003 * std::min(1.0, step / 100.0), /*grad_scale=*/1);
  }
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 5};
  if (const auto exit_code = options.read("norms", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  check_gradients();
  std::puts(csv ? "steps,layer_norm,batch_norm,no_residual" : "steps  layer norm  batch norm  no residual");
  for (const Index steps : quick ? std::vector<Index>{300} : std::vector<Index>{100, 200, 400, 800}) {
    double loss[3] = {};  // the means of the seeds
    for (const Kind kind : {kLayerNorm, kBatchNorm, kNoResidual})
      for (Index seed = 1; seed <= seeds; ++seed)
        loss[kind] += loss_after_training(kind, quick ? 2 : 4, steps, seed) / seeds;
    std::printf(csv ? "%td,%.4f,%.4f,%.4f\n" : "%5td%12.3f%12.3f%13.3f\n", steps, loss[0], loss[1], loss[2]);
    std::fprintf(stderr, "%td steps: done\n", steps);
  }
}
