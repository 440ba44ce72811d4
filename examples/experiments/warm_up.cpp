// Section 5.3, Optimizer (docs/5.3-optimizer.md)
//
// Is the warm-up needed? A stack of encoder layers learns to write eight letters backwards, with a learning rate that
// rises for a third of the steps and with one that is at its peak from the first step on; in the paper's order,
// LayerNorm(x + Sublayer(x)), and with the norm first, x + Sublayer(LayerNorm(x)). The table has the loss of other words,
// for each letter, at several peaks. (A guess has 3.26.)
//
//   cmake --preset toy && cmake --build build/toy --target warm_up && build/toy/examples/experiments/warm_up
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/random.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/layer_norm.h>
#include <plainformer/report/command_line.h>
#include <plainformer/transformer/transformer.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

using namespace plainformer;

constexpr Index kLength = 8, kLetters = 26, kWidth = 32, kLayers = 4;

struct Norm {
  Index d;
  Parameter gain{Tensor::filled({d}, 1)}, bias{Tensor::zeros({d})};
  LayerNormCache cache = {};

  Tensor forward(const Tensor& x) { return layer_norm_forward(x, gain, bias, Real(1e-6), cache); }
  Tensor backward(const Tensor& grad_y) { return layer_norm_backward(grad_y, cache, gain, bias); }
};

// An encoder layer, post-norm or pre-norm.
struct Layer {
  bool pre_norm;
  Index d;
  MultiHeadAttention attention{d, /*heads=*/4};
  FeedForward feed_forward{d, 2 * d};
  Norm attention_norm{d}, feed_forward_norm{d};
  MultiHeadAttention::Cache attention_cache = {};
  FeedForward::Cache feed_forward_cache = {};

  Tensor forward(const Tensor& x, const AttentionMask& mask) {
    // Step 1. y = LayerNorm(x + MultiHead(x, x, x)), or y = x + MultiHead(n, n, n) with n = LayerNorm(x).
    const Tensor n = pre_norm ? attention_norm.forward(x) : x;
    const Tensor sum = add(attention.forward(n, n, n, mask, attention_cache), x);
    const Tensor y = pre_norm ? sum : attention_norm.forward(sum);

    // Step 2. output = LayerNorm(y + FFN(y)), or output = y + FFN(LayerNorm(y)).
    const Tensor m = pre_norm ? feed_forward_norm.forward(y) : y;
    const Tensor output = add(feed_forward.forward(m, feed_forward_cache), y);
    return pre_norm ? output : feed_forward_norm.forward(output);
  }

  Tensor backward(const Tensor& grad_output) {
    // Step 2 was: output = LayerNorm(y + FFN(y)), or output = y + FFN(LayerNorm(y)). y was used twice.
    const Tensor grad_outer = pre_norm ? grad_output : feed_forward_norm.backward(grad_output);
    const Tensor grad_m = feed_forward.backward(grad_outer, feed_forward_cache);
    const Tensor grad_y = add(pre_norm ? feed_forward_norm.backward(grad_m) : grad_m, grad_outer);

    // Step 1 was: y = LayerNorm(x + MultiHead(x, x, x)), or y = x + MultiHead(n, n, n) with n = LayerNorm(x).
    const Tensor grad_sum = pre_norm ? grad_y : attention_norm.backward(grad_y);
    const auto grad = attention.backward(grad_sum, attention_cache);
    const Tensor grad_n = add(grad.query, add(grad.key, grad.value));
    return add(pre_norm ? attention_norm.backward(grad_n) : grad_n, grad_sum);
  }

  void append_parameters(ParameterList& list) {
    attention.append_parameters("attention", list);
    feed_forward.append_parameters("feed_forward", list);
    for (Norm* norm : {&attention_norm, &feed_forward_norm})
      list.insert(list.end(), {{"gain", &norm->gain}, {"bias", &norm->bias}});
  }
};

void check_gradients(bool pre_norm) {
  Layer layer = {.pre_norm = pre_norm, .d = 4};
  Parameter x(Tensor::zeros({10, 4})), cotangent(x.value);
  ParameterList inputs = {{"x", &x}};
  layer.append_parameters(inputs);
  initialize(inputs, /*seed=*/1, {{&x, 1}});
  layer.feed_forward.b_1.value = Tensor::filled({8}, 3);  // far from the kink of ReLU
  initialize({{"cotangent", &cotangent}}, /*seed=*/2, {{&cotangent, 1}});
  const auto loss = [&] {
    return dot(cotangent.value, layer.forward(x.value.reshaped({2, 5, 4}), {.key_lengths = {5, 5}}));
  };
  loss();
  x.grad = layer.backward(cotangent.value.reshaped({2, 5, 4})).reshaped({10, 4});
  if (auto errors = gradient_errors(loss, checked_tensors(inputs)); !errors.empty())
    throw std::logic_error(errors);
}

// Trains on new words in each step. Returns the loss of other words, for each letter.
double loss_after_training(bool pre_norm, double warm_up, double peak, Index steps, std::uint64_t seed) {
  Parameter table(Tensor::zeros({kLetters, kWidth}));
  const PositionalEncoding positions(kLength, kWidth);
  std::vector<Layer> stack(kLayers, Layer{.pre_norm = pre_norm, .d = kWidth});
  Norm last = {.d = kWidth};  // pre-norm ends with one
  ParameterList parameters = {{"table", &table}};
  for (Layer& layer : stack) layer.append_parameters(parameters);
  if (pre_norm) parameters.insert(parameters.end(), {{"gain", &last.gain}, {"bias", &last.bias}});
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
    if (pre_norm) x = last.forward(x);
    if (step > steps)
      return projected_cross_entropy_forward(x, table, targets, /*smoothing=*/0).loss / targets.size();
    zero_gradients(parameters);
    projected_cross_entropy_forward_backward(Real(1) / targets.size(), x, table, targets, /*smoothing=*/0,
                                             grad);
    if (pre_norm) grad = last.backward(grad);
    for (Index i = kLayers - 1; i >= 0; --i) grad = stack[i].backward(grad);
    embedding_backward(grad, batch, table);
    adam.step(parameters, peak * std::min(1.0, step / warm_up), /*grad_scale=*/1);
  }
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 5};
  if (const auto exit_code = options.read("warm_up", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  for (const bool pre_norm : {false, true}) check_gradients(pre_norm);
  std::puts(
      csv ? "peak,post_warm_up,post_none,pre_warm_up,pre_none"
          : "         post-norm            pre-norm\n   peak  warm-up  no warm-up  warm-up  no warm-up");
  for (const double peak :
       quick ? std::vector<double>{0.01} : std::vector<double>{0.001, 0.003, 0.01, 0.03}) {
    double loss[4] = {};  // the means of the seeds
    const Index steps = quick ? 200 : 600;
    for (Index seed = 1; seed <= seeds; ++seed)
      for (int i = 0; i < 4; ++i)
        loss[i] += loss_after_training(i / 2 == 1, i % 2 == 0 ? steps / 3.0 : 1, peak, steps, seed) / seeds;
    const char* line = csv ? "%g,%.4f,%.4f,%.4f,%.4f\n" : "%7g%9.3f%12.3f%9.3f%12.3f\n";
    std::printf(line, peak, loss[0], loss[1], loss[2], loss[3]);
    std::fprintf(stderr, "peak %g: done\n", peak);
  }
}
