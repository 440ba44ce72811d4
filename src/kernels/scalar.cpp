// The scalar kernels: the definition of correct, in plain loops. Sums over a row are taken in double.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/instruction_sets.h"

namespace plainformer::scalar {
namespace {

// --- vectors of n elements ---

void add(Index n, const Real* x, Real* y) {
  for (Index i = 0; i < n; ++i) y[i] += x[i];
}

void scale(Index n, Real factor, const Real* x, Real* y) {
  for (Index i = 0; i < n; ++i) y[i] = factor * x[i];
}

void scale_and_shift(Index n, Real factor, Real shift, const Real* x, Real* y) {
  for (Index i = 0; i < n; ++i) y[i] = factor * x[i] + shift;
}

double sum(Index n, const Real* x) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += double(x[i]);
  return sum;
}

Real dot(Index n, const Real* x, const Real* y) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += double(x[i]) * double(y[i]);
  return static_cast<Real>(sum);
}

double sum_of_squares(Index n, const Real* x) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += double(x[i]) * double(x[i]);
  return sum;
}

void relu_backward(Index n, const Real* grad_y, const Real* y, Real* grad_x) {
  for (Index i = 0; i < n; ++i) grad_x[i] = y[i] > 0 ? grad_y[i] : 0;
}

void dropout(Index n, RandomStream stream, std::uint32_t first, std::uint32_t threshold, Real scale,
             const Real* x, Real* y) {
  for (Index i = 0; i < n; ++i) {
    const bool keep = random_bits(stream, first + static_cast<std::uint32_t>(i)) >= threshold;
    y[i] = keep ? scale * x[i] : 0;
  }
}

// x, or 0 if x is subnormal, as Kernels::adam wants it.
Real normal_or_zero(Real x) {
  return std::abs(x) < std::numeric_limits<Real>::min() ? 0 : x;
}

void adam(Index n, const AdamStep& step, const Real* grad, Real* value, Real* first_moment,
          Real* second_moment) {
  for (Index i = 0; i < n; ++i) {
    const Real g = step.grad_scale * grad[i];
    const Real m = normal_or_zero(step.beta_1 * first_moment[i] + step.one_minus_beta_1 * g);
    const Real v = normal_or_zero(step.beta_2 * second_moment[i] + step.one_minus_beta_2 * g * g);
    first_moment[i] = m;
    second_moment[i] = v;
    const Real m_hat = m / step.bias_correction_1;
    const Real v_hat = v / step.bias_correction_2;
    value[i] -= step.learning_rate * m_hat / (std::sqrt(v_hat) + step.epsilon);
  }
}

// --- rows ---

Real largest(Index n, const Real* x) {
  Real largest = -std::numeric_limits<Real>::infinity();
  for (Index i = 0; i < n; ++i) largest = std::max(largest, x[i]);
  return largest;
}

double exp_sum(Index n, Real shift, const Real* x, Real* y) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    y[i] = std::exp(x[i] - shift);
    sum += double(y[i]);
  }
  return sum;
}

void softmax(Index n, const Real* x, Real* y) {
  scale(n, static_cast<Real>(1 / exp_sum(n, largest(n, x), x, y)), y, y);
}

void softmax_gradient(Index n, Real mean, const Real* grad_y, const Real* y, Real* grad_x) {
  for (Index i = 0; i < n; ++i) grad_x[i] = y[i] * (grad_y[i] - mean);
}

double log_sum_exp(Index n, Real largest, const Real* x) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += double(std::exp(x[i] - largest));
  return double(largest) + std::log(sum);
}

void layer_norm(Index n, const Real* x, const Real* gain, const Real* bias, Real epsilon, Real* y, Real* mean,
                Real* rstd) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += double(x[i]);
  const double center = sum / double(n);
  double squares = 0;
  for (Index i = 0; i < n; ++i) squares += (double(x[i]) - center) * (double(x[i]) - center);
  *mean = static_cast<Real>(center);
  *rstd = static_cast<Real>(1 / std::sqrt(squares / double(n) + double(epsilon)));
  for (Index i = 0; i < n; ++i) y[i] = gain[i] * ((x[i] - *mean) * *rstd) + bias[i];
}

void layer_norm_backward(Index n, const Real* grad_y, const Real* x, const Real* gain, Real mean, Real rstd,
                         Real* grad_x) {
  double sum_g = 0, sum_g_x_hat = 0;
  for (Index i = 0; i < n; ++i) {
    const Real g = grad_y[i] * gain[i];
    sum_g += double(g);
    sum_g_x_hat += double(g) * double((x[i] - mean) * rstd);
  }
  const Real mean_g = static_cast<Real>(sum_g / double(n));
  const Real mean_g_x_hat = static_cast<Real>(sum_g_x_hat / double(n));
  for (Index i = 0; i < n; ++i)
    grad_x[i] = rstd * (grad_y[i] * gain[i] - mean_g - (x[i] - mean) * rstd * mean_g_x_hat);
}

// --- columns of a matrix ---

void sum_columns(Index rows, Index n, const Real* x, Index row_stride, Real* sum) {
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < n; ++j) sum[j] += x[i * row_stride + j];
}

void layer_norm_backward_parameters(Index rows, Index n, const Real* grad_y, const Real* x, Index row_stride,
                                    const Real* mean, const Real* rstd, Real* grad_gain, Real* grad_bias) {
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < n; ++j) {
      const Real g = grad_y[i * row_stride + j];
      grad_gain[j] += g * ((x[i * row_stride + j] - mean[i]) * rstd[i]);
      grad_bias[j] += g;
    }
}

}  // namespace

constexpr Kernels kKernels = {
    .name = "scalar",
    .tile_rows = kTileRows,
    .tile_cols = kTileCols,
    .row_tile_cols = kRowTileCols,
    .micro_kernel = micro_kernel,
    .pack = pack,
    .pack_transposed = pack_transposed,
    .bf16 = &kBf16Kernels,
    .add = add,
    .scale = scale,
    .scale_and_shift = scale_and_shift,
    .sum = sum,
    .dot = dot,
    .sum_of_squares = sum_of_squares,
    .relu_backward = relu_backward,
    .dropout = dropout,
    .adam = adam,
    .softmax = softmax,
    .softmax_gradient = softmax_gradient,
    .largest = largest,
    .log_sum_exp = log_sum_exp,
    .exp_sum = exp_sum,
    .layer_norm = layer_norm,
    .layer_norm_backward = layer_norm_backward,
    .sum_columns = sum_columns,
    .layer_norm_backward_parameters = layer_norm_backward_parameters,
};

}  // namespace plainformer::scalar

#ifdef PLAINFORMER_WASM
// The WebAssembly kernels: matrix products with vectors, and everything else from the scalar set, whose loops the
// compiler turns into vectors itself. Matrix products still take half of a training step.
namespace plainformer::wasm {
namespace {

// The scalar set with other products. It is a copy made at compile time, so it is there before any code runs.
constexpr Kernels with_vectors(Kernels kernels) {
  kernels.name = "wasm";
  kernels.tile_rows = kTileRows;
  kernels.tile_cols = kTileCols;
  kernels.row_tile_cols = kRowTileCols;
  kernels.micro_kernel = micro_kernel;
  kernels.pack = pack;
  kernels.pack_transposed = pack_transposed;
  return kernels;
}

}  // namespace

constinit const Kernels kKernels = with_vectors(scalar::kKernels);

}  // namespace plainformer::wasm
#endif
