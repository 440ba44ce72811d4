// Section 3.1, Encoder and Decoder Stacks (docs/3.1-encoder-and-decoder-stacks.md)
//
// An encoder reads numbers and forecasts the next one. It competes with "the same as yesterday" and with a
// linear model of the last 24 numbers, fitted by least squares. Each number contains new noise of deviation
// 0.1, so a perfect forecast has this error. The first series is linear; in the long run no model beats the
// linear one. The second is a sine of its last number. The third is a wave that sometimes changes frequency.
//
//   cmake --preset toy && cmake --build build/toy --target forecast && build/toy/examples/forecast [seed]
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/reductions.h>
#include <plainformer/transformer/transformer.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>

using namespace plainformer;
using Series = std::vector<double>;

constexpr Index kWindow = 24, kTrain = 20000, kTest = 2000;  // numbers
constexpr Index kBatch = 32, kSteps = 800, kModel = 32;
constexpr const char* kNames[] = {"linear", "sine", "changing wave"};

Series make_series(int kind, Random& random) {
  Series x = {0, 0};
  double frequency = 1;
  for (Index t = 2; t < kTrain + kTest; ++t) {
    if (random.below(100) == 0) frequency = 0.3 + 2 * random.uniform();
    const double linear = 1.6 * x[t - 1] - 0.8 * x[t - 2];
    const double sine = std::sin(3 * x[t - 1]);
    const double wave = 1.98 * std::cos(frequency) * x[t - 1] - 0.98 * x[t - 2];
    const double next[] = {linear, sine, wave};
    x.push_back(next[kind] + 0.1 * random.normal());
  }
  return x;
}

// The weights w of the last kWindow numbers that fit x[t] best for t < kTrain. Elimination solves the normal
// equations, A^T A w = A^T b.
Series least_squares(const Series& x) {
  std::vector<Series> a(kWindow, Series(kWindow + 1));  // A^T A, and A^T b as the last column
  for (Index t = kWindow; t < kTrain; ++t)
    for (Index i = 0; i < kWindow; ++i)
      for (Index j = 0; j <= kWindow; ++j) a[i][j] += x[t - kWindow + i] * x[t - kWindow + j];
  for (Index k = 0; k < kWindow; ++k)
    for (Index i = 0; i < kWindow; ++i)
      for (Index j = kWindow; i != k && j >= k; --j) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  Series w;
  for (Index i = 0; i < kWindow; ++i) w.push_back(a[i][kWindow] / a[i][i]);
  return w;
}

struct Forecaster {
  Parameter w_in{Tensor::zeros({1, kModel})}, w_out{Tensor::zeros({kModel, 1})};
  PositionalEncoding positions{kWindow, kModel};
  Encoder encoder{{.d_model = kModel, .d_ff = 64, .heads = 4, .encoder_layers = 2}, 0};
  Encoder::Cache cache;
  Tensor encoded;  // [batch, kWindow, kModel]

  // Forecasts the number after each number of a window, from it and the earlier ones: the mask is causal.
  Tensor forward(const Tensor& windows) {  // [batch, kWindow, 1] -> the same shape
    const AttentionMask mask = {.key_lengths = std::vector<Index>(windows.dim(0), kWindow), .causal = true};
    encoded = encoder.forward(positions.forward(linear_forward(windows, w_in)), mask, DropoutState{}, cache);
    return linear_forward(encoded, w_out);
  }
};

Tensor windows_from(const Series& x, const std::vector<Index>& starts, Index offset) {
  Tensor windows({std::ssize(starts), kWindow, 1});
  TensorWriter value(windows);
  for (Index i = 0; i < windows.size(); ++i) value(i) = Real(x[starts[i / kWindow] + offset + i % kWindow]);
  return windows;
}

void train(Forecaster& model, const Series& x, Random& random) {
  ParameterList parameters = {{"w_in", &model.w_in}, {"w_out", &model.w_out}};
  model.encoder.append_parameters("encoder", parameters);
  initialize(parameters, random.bits());
  Adam adam(parameters, {});
  for (Index step = 1; step <= kSteps; ++step) {
    std::vector<Index> starts;
    while (std::ssize(starts) < kBatch) starts.push_back(random.below(kTrain - kWindow));
    const Tensor windows = windows_from(x, starts, 0);
    const Tensor next = windows_from(x, starts, 1);

    zero_gradients(parameters);
    // The loss is the mean of error^2, so the gradient of a forecast is 2 error / n.
    const Tensor error = add(model.forward(windows), scale(next, -1));
    const Tensor grad_forecasts = scale(error, Real(2) / error.size());
    const Tensor grad_encoded = linear_backward(grad_forecasts, model.encoded, model.w_out);
    const Tensor grad_x = model.encoder.backward(grad_encoded, model.cache);
    linear_backward(grad_x, windows, model.w_in);

    adam.step(parameters, 0.003 * (1 - 1.0 * step / kSteps), 1);
    if (step % 100 == 0) std::fprintf(stderr, "step %td: %.4f\n", step, sum_of_squares(error) / error.size());
  }
}

// The error of each of the three forecasts, as the root of its mean square.
std::array<double, 3> errors(Forecaster& model, const Series& w, const Series& x) {
  std::vector<Index> starts;  // of the windows before each number of the test
  while (std::ssize(starts) < kTest) starts.push_back(kTrain - kWindow + std::ssize(starts));
  const Tensor forecasts = model.forward(windows_from(x, starts, 0));
  std::array<double, 3> sums = {};
  for (Index t = kTrain; t < kTrain + kTest; ++t) {
    const double fitted = std::inner_product(w.begin(), w.end(), x.begin() + t - kWindow, 0.0);
    sums[0] += std::pow(x[t - 1] - x[t], 2);
    sums[1] += std::pow(fitted - x[t], 2);
    sums[2] += std::pow(forecasts(t - kTrain, kWindow - 1, 0) - x[t], 2);
  }
  for (double& sum : sums) sum = std::sqrt(sum / kTest);
  return sums;
}

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::stoull(argv[1]) : 1;
  std::printf("error (RMS)      like yesterday   linear model   transformer\n");
  for (int kind = 0; kind < 3; ++kind) {
    Random random(random_stream(seed, kind, 0));
    const Series x = make_series(kind, random);
    const Series w = least_squares(x);
    Forecaster model;
    train(model, x, random);
    std::printf("%-16s", kNames[kind]);
    for (const double error : errors(model, w, x)) std::printf("%15.3f", error);
    std::printf("\n");
  }
}
