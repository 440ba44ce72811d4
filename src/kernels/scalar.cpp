// The scalar kernels: the definition of correct, in plain loops. Sums over a row are taken in double.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "kernels/bf16.h"
#include "kernels/instruction_sets.h"
#include "kernels/wasm_vector.h"

namespace plainformer::scalar {
namespace {

// --- matrix products ---

// A step of a sum: it adds one product, or the two products of a pair.
struct FloatProducts {
  static Real add(Real a, Real b, Real sum) { return sum + a * b; }
};

struct PairProducts {
  static Real add(Real a, Real b, Real sum) {
    Bf16 x[2], y[2];
    std::memcpy(x, &a, sizeof x);
    std::memcpy(y, &b, sizeof y);
    return sum + Real{from_bf16(x[1])} * Real{from_bf16(y[1])} +
           Real{from_bf16(x[0])} * Real{from_bf16(y[0])};
  }
};

template <typename Products>
void micro_kernel(const MicroTile& tile) {
  for (Index i = 0; i < tile.rows; ++i)
    for (Index first = 0; first < tile.cols; first += kRowTileCols) {
      const Index cols = std::min(kRowTileCols, tile.cols - first);
      Real* c = tile.c + i * tile.c_row_stride + first;
      Real sums[kRowTileCols] = {};
      if (tile.accumulate)
        for (Index j = 0; j < cols; ++j) sums[j] = c[j];

      // One row of c: each element of a's row times a row of b.
      for (Index p = 0; p < tile.depth; ++p) {
        const Real factor = tile.a[i * tile.a_row_stride + p * tile.a_depth_stride];
        const Real* b = tile.b + p * tile.b_row_stride + first;
        for (Index j = 0; j < cols; ++j) sums[j] = Products::add(factor, b[j], sums[j]);
      }

      if (tile.bias)
        for (Index j = 0; j < cols; ++j) sums[j] += tile.bias[first + j];
      for (Index j = 0; j < cols; ++j) c[j] = sums[j];
    }
}

void pack(Index cols, Index depth, const Real* from, Index from_row_stride, Index width, Real* to) {
  for (Index p = 0; p < depth; ++p)
    for (Index j = 0; j < cols; ++j)
      to[j / width * depth * width + p * width + j % width] = from[p * from_row_stride + j];
}

void pack_transposed(Index cols, Index depth, const Real* from, Index from_row_stride, Real* to) {
  for (Index p = 0; p < depth; ++p)
    for (Index j = 0; j < cols; ++j) to[p * kTileCols + j] = from[j * from_row_stride + p];
}

Real pair_of(Real first, Real second) {
  const Bf16 halves[2] = {to_bf16(first), to_bf16(second)};
  Real pair = 0;
  std::memcpy(&pair, halves, sizeof halves);
  return pair;
}

void pair_neighbors(Index n, const Real* x, Real* pairs) {
  for (Index i = 0; i < n; i += 2) pairs[i / 2] = pair_of(x[i], i + 1 < n ? x[i + 1] : 0);
}

void pair_rows(Index depth, Index width, const Real* x, Real* pairs) {
  for (Index p = 0; p < depth; p += 2)
    for (Index j = 0; j < width; ++j)
      pairs[p / 2 * width + j] = pair_of(x[p * width + j], p + 1 < depth ? x[(p + 1) * width + j] : 0);
}

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
    const Real e = std::exp(x[i] - shift);
    if (y) y[i] = e;
    sum += double(e);
  }
  return sum;
}

void softmax_gradient(Index n, Real mean, const Real* grad_y, const Real* y, Real* grad_x) {
  for (Index i = 0; i < n; ++i) grad_x[i] = y[i] * (grad_y[i] - mean);
}

void layer_norm(Index n, const Real* x, const Real* gain, const Real* bias, Real epsilon, Real* y, Real* mean,
                Real* rstd) {
  const double center = sum(n, x) / double(n);
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

void layer_norm_backward_parameters(Index rows, Index n, const Real* grad_y, const Real* x, Index row_stride,
                                    const Real* mean, const Real* rstd, Real* grad_gain, Real* grad_bias) {
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < n; ++j) {
      const Real g = grad_y[i * row_stride + j];
      grad_gain[j] += g * ((x[i * row_stride + j] - mean[i]) * rstd[i]);
      grad_bias[j] += g;
    }
}

// --- a processor's peak ---

// Each chain starts at another number, because a compiler would compute equal chains only once; and none at
// 2, the fixed point.
FmaRun fma_chains(Index steps) {
  using Vector = VECTOR_OF(Real, 16);
  constexpr int kChains = 12, kLanes = 16 / sizeof(Real);
  Vector x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = Vector{} + static_cast<Real>(3 + i);
  const Vector half = Vector{} + Real{0.5}, one = Vector{} + Real{1};
  for (Index step = 0; step < steps; ++step) {
    UNROLL(12)
    for (int i = 0; i < kChains; ++i) x[i] = x[i] * half + one;
  }
  FmaRun run = {.operations = 2.0 * kChains * kLanes * static_cast<double>(steps), .sum = 0};
  for (int i = 0; i < kChains * kLanes; ++i) run.sum += static_cast<double>(x[i / kLanes][i % kLanes]);
  return run;
}

}  // namespace

}  // namespace plainformer::scalar

#define SET scalar
#include "kernels/kernel_set.h"
#undef SET

namespace plainformer::scalar {
constexpr Kernels kKernels =
    kernels_of_set("scalar", micro_kernel<FloatProducts>, micro_kernel<PairProducts>);
}  // namespace plainformer::scalar

#ifdef PLAINFORMER_WASM
#define SET wasm
#define TARGET_OF_SET TARGET_WASM
#include "kernels/vector_pack.h"
#include "kernels/vector_tile.h"

// Matrix products with vectors, and everything else from the scalar set, whose loops the compiler turns into
// vectors itself. Matrix products still take half of a training step.
namespace plainformer::wasm {
namespace {

constexpr Kernels with_vectors(Kernels kernels) {
  kernels.name = "wasm";
  kernels.tile_rows = kTileRows;
  kernels.tile_cols = kTileCols;
  kernels.row_tile_cols = kRowTileCols;
  kernels.micro_kernel = micro_kernel_of<FloatProducts>;
  kernels.pack = pack;
  kernels.pack_transposed = pack_transposed;
  kernels.micro_kernel_bf16 = micro_kernel_of<PairProducts>;
  return kernels;
}

}  // namespace

constinit const Kernels kKernels = with_vectors(scalar::kKernels);

}  // namespace plainformer::wasm
#undef SET
#undef TARGET_OF_SET
#endif
