// The NEON kernels. Each loop takes 4 elements at a step; its last step leaves out the lanes beyond n, so
// that an element's result does not depend on where in the vector it stands.
#include "kernels/neon_vector.h"

#ifdef PLAINFORMER_NEON
#include <cmath>
#include <limits>

namespace plainformer::neon {
namespace {

// --- vectors of n elements ---

void add(Index n, const float* x, float* y) {
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    store(y + i, left, vaddq_f32(load(y + i, left), load(x + i, left)));
  }
}

void scale(Index n, float factor, const float* x, float* y) {
  const float32x4_t factors = vdupq_n_f32(factor);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    store(y + i, left, vmulq_f32(factors, load(x + i, left)));
  }
}

void scale_and_shift(Index n, float factor, float shift, const float* x, float* y) {
  const float32x4_t factors = vdupq_n_f32(factor), shifts = vdupq_n_f32(shift);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    store(y + i, left, vfmaq_f32(shifts, factors, load(x + i, left)));
  }
}

// Reduction: two sums in double for the lower lanes and two for the upper ones.
double sum(Index n, const float* x) {
  float64x2_t lower_sums = vdupq_n_f64(0), upper_sums = vdupq_n_f64(0);
  for (Index i = 0; i < n; i += kLanes) {
    const float32x4_t values = load(x + i, n - i);
    lower_sums = vaddq_f64(vcvt_f64_f32(vget_low_f32(values)), lower_sums);
    upper_sums = vaddq_f64(vcvt_high_f64_f32(values), upper_sums);
  }
  return vaddvq_f64(vaddq_f64(lower_sums, upper_sums));
}

// Reduction: a sum for each lane.
float dot(Index n, const float* x, const float* y) {
  float32x4_t sums = vdupq_n_f32(0);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    sums = vfmaq_f32(sums, load(x + i, left), load(y + i, left));
  }
  return sum_of_lanes(sums);
}

// Reduction: two sums in double for the lower lanes and two for the upper ones.
double sum_of_squares(Index n, const float* x) {
  float64x2_t lower_sums = vdupq_n_f64(0), upper_sums = vdupq_n_f64(0);
  for (Index i = 0; i < n; i += kLanes) {
    const float32x4_t values = load(x + i, n - i);
    const float64x2_t lower = vcvt_f64_f32(vget_low_f32(values));
    const float64x2_t upper = vcvt_high_f64_f32(values);
    lower_sums = vfmaq_f64(lower_sums, lower, lower);
    upper_sums = vfmaq_f64(upper_sums, upper, upper);
  }
  return vaddvq_f64(vaddq_f64(lower_sums, upper_sums));
}

void relu_backward(Index n, const float* grad_y, const float* y, float* grad_x) {
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const uint32x4_t positive = vcgtq_f32(load(y + i, left), vdupq_n_f32(0));
    store(grad_x + i, left, where(positive, load(grad_y + i, left)));
  }
}

ALWAYS_INLINE uint32x4_t mix(uint32x4_t x) {
  x = veorq_u32(x, vshrq_n_u32(x, 16));
  x = vmulq_u32(x, vdupq_n_u32(0x7feb352du));
  x = veorq_u32(x, vshrq_n_u32(x, 15));
  x = vmulq_u32(x, vdupq_n_u32(0x846ca68bu));
  return veorq_u32(x, vshrq_n_u32(x, 16));
}

// random_bits(stream, first + i) in lane i.
ALWAYS_INLINE uint32x4_t random_lanes(RandomStream stream, std::uint32_t first) {
  const std::uint32_t lane[kLanes] = {0, 1, 2, 3};
  const uint32x4_t index = vaddq_u32(vdupq_n_u32(first), vld1q_u32(lane));
  const uint32x4_t once = mix(veorq_u32(index, vdupq_n_u32(stream.first)));
  return mix(veorq_u32(once, vdupq_n_u32(stream.second)));
}

void dropout(Index n, RandomStream stream, std::uint32_t first, std::uint32_t threshold, float scale,
             const float* x, float* y) {
  const float32x4_t factors = vdupq_n_f32(scale);
  const uint32x4_t thresholds = vdupq_n_u32(threshold);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const uint32x4_t bits = random_lanes(stream, first + static_cast<std::uint32_t>(i));
    const uint32x4_t keep = vcgeq_u32(bits, thresholds);
    store(y + i, left, where(keep, vmulq_f32(factors, load(x + i, left))));
  }
}

// x, or 0 if x is subnormal, as Kernels::adam wants it.
ALWAYS_INLINE float32x4_t normal_or_zero(float32x4_t x) {
  const uint32x4_t subnormal = vcaltq_f32(x, vdupq_n_f32(std::numeric_limits<float>::min()));
  return where(vmvnq_u32(subnormal), x);
}

void adam(Index n, const AdamStep& step, const float* grad, float* value, float* first_moment,
          float* second_moment) {
  const float32x4_t grad_scale = vdupq_n_f32(step.grad_scale);
  const float32x4_t beta_1 = vdupq_n_f32(step.beta_1), one_minus_beta_1 = vdupq_n_f32(step.one_minus_beta_1);
  const float32x4_t beta_2 = vdupq_n_f32(step.beta_2), one_minus_beta_2 = vdupq_n_f32(step.one_minus_beta_2);
  const float32x4_t rate = vdupq_n_f32(step.learning_rate / step.bias_correction_1);
  const float32x4_t correction_2 = vdupq_n_f32(1 / step.bias_correction_2);
  const float32x4_t epsilon = vdupq_n_f32(step.epsilon);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const float32x4_t g = vmulq_f32(grad_scale, load(grad + i, left));
    const float32x4_t m =
        normal_or_zero(vfmaq_f32(vmulq_f32(one_minus_beta_1, g), beta_1, load(first_moment + i, left)));
    const float32x4_t v = normal_or_zero(
        vfmaq_f32(vmulq_f32(vmulq_f32(one_minus_beta_2, g), g), beta_2, load(second_moment + i, left)));
    store(first_moment + i, left, m);
    store(second_moment + i, left, v);
    const float32x4_t root = vaddq_f32(vsqrtq_f32(vmulq_f32(v, correction_2)), epsilon);
    const float32x4_t change = vdivq_f32(vmulq_f32(rate, m), root);
    store(value + i, left, vsubq_f32(load(value + i, left), change));
  }
}

// --- rows ---

// Reduction: the largest of each lane, then of the lanes. A NaN is passed over.
float largest(Index n, const float* x) {
  const float lowest = -std::numeric_limits<float>::infinity();
  float32x4_t largest = vdupq_n_f32(lowest);
  for (Index i = 0; i < n; i += kLanes) largest = vmaxnmq_f32(load(x + i, n - i, lowest), largest);
  return largest_lane(largest);
}

// Reduction: a sum for each lane.
double exp_sum(Index n, float shift, const float* x, float* y) {
  const float32x4_t shifts = vdupq_n_f32(shift);
  float32x4_t sums = vdupq_n_f32(0);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const float32x4_t e = exp(vsubq_f32(load(x + i, left), shifts));
    store(y + i, left, e);
    sums = vaddq_f32(sums, only_first(left, e));
  }
  return double(sum_of_lanes(sums));
}

// Three passes: the largest; exp and its sum; the division.
void softmax(Index n, const float* x, float* y) {
  scale(n, static_cast<float>(1 / exp_sum(n, largest(n, x), x, y)), y, y);
}

void softmax_gradient(Index n, float mean, const float* grad_y, const float* y, float* grad_x) {
  const float32x4_t means = vdupq_n_f32(mean);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    store(grad_x + i, left, vmulq_f32(load(y + i, left), vsubq_f32(load(grad_y + i, left), means)));
  }
}

double log_sum_exp(Index n, float largest, const float* x) {
  float32x4_t sums = vdupq_n_f32(0);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const float32x4_t e = exp(vsubq_f32(load(x + i, left), vdupq_n_f32(largest)));
    sums = vaddq_f32(sums, only_first(left, e));
  }
  return double(largest) + std::log(double(sum_of_lanes(sums)));
}

// Three passes: the mean; the variance about it; the output. Reductions: a sum for each lane.
void layer_norm(Index n, const float* x, const float* gain, const float* bias, float epsilon, float* y,
                float* mean, float* rstd) {
  float32x4_t sums = vdupq_n_f32(0);
  for (Index i = 0; i < n; i += kLanes) sums = vaddq_f32(sums, load(x + i, n - i));
  *mean = sum_of_lanes(sums) / static_cast<float>(n);

  const float32x4_t means = vdupq_n_f32(*mean);
  float32x4_t squares = vdupq_n_f32(0);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const float32x4_t centered = only_first(left, vsubq_f32(load(x + i, left), means));
    squares = vfmaq_f32(squares, centered, centered);
  }
  *rstd = 1 / std::sqrt(sum_of_lanes(squares) / static_cast<float>(n) + epsilon);

  const float32x4_t rstds = vdupq_n_f32(*rstd);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const float32x4_t x_hat = vmulq_f32(vsubq_f32(load(x + i, left), means), rstds);
    store(y + i, left, vfmaq_f32(load(bias + i, left), load(gain + i, left), x_hat));
  }
}

// Two passes: both means, with a sum for each lane; the gradient.
void layer_norm_backward(Index n, const float* grad_y, const float* x, const float* gain, float mean,
                         float rstd, float* grad_x) {
  const float32x4_t means = vdupq_n_f32(mean), rstds = vdupq_n_f32(rstd);
  float32x4_t g_sums = vdupq_n_f32(0), g_x_hat_sums = vdupq_n_f32(0);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const float32x4_t g = vmulq_f32(load(grad_y + i, left), load(gain + i, left));
    const float32x4_t x_hat = vmulq_f32(vsubq_f32(load(x + i, left), means), rstds);
    g_sums = vaddq_f32(g_sums, g);
    g_x_hat_sums = vfmaq_f32(g_x_hat_sums, g, x_hat);
  }
  const float32x4_t mean_g = vdupq_n_f32(sum_of_lanes(g_sums) / static_cast<float>(n));
  const float32x4_t mean_g_x_hat = vdupq_n_f32(sum_of_lanes(g_x_hat_sums) / static_cast<float>(n));
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const float32x4_t g = vmulq_f32(load(grad_y + i, left), load(gain + i, left));
    const float32x4_t x_hat = vmulq_f32(vsubq_f32(load(x + i, left), means), rstds);
    const float32x4_t rest = vfmsq_f32(vsubq_f32(g, mean_g), x_hat, mean_g_x_hat);
    store(grad_x + i, left, vmulq_f32(rstds, rest));
  }
}

// --- columns of a matrix ---

// The columns are summed row by row: each sum has one order, and x is read once from front to back.
void sum_columns(Index rows, Index n, const float* x, Index row_stride, float* sum) {
  for (Index i = 0; i < rows; ++i) add(n, x + i * row_stride, sum);
}

void layer_norm_backward_parameters(Index rows, Index n, const float* grad_y, const float* x,
                                    Index row_stride, const float* mean, const float* rstd, float* grad_gain,
                                    float* grad_bias) {
  for (Index i = 0; i < rows; ++i) {
    const float32x4_t means = vdupq_n_f32(mean[i]), rstds = vdupq_n_f32(rstd[i]);
    for (Index j = 0; j < n; j += kLanes) {
      const Index left = n - j;
      const float32x4_t g = load(grad_y + i * row_stride + j, left);
      const float32x4_t x_hat = vmulq_f32(vsubq_f32(load(x + i * row_stride + j, left), means), rstds);
      store(grad_gain + j, left, vfmaq_f32(load(grad_gain + j, left), g, x_hat));
      store(grad_bias + j, left, vaddq_f32(g, load(grad_bias + j, left)));
    }
  }
}

}  // namespace

constinit const Kernels kKernels = {
    .name = "neon",
    .tile_rows = kTileRows,
    .tile_cols = kTileCols,
    .row_tile_cols = kRowTileCols,
    .micro_kernel = micro_kernel,
    .pack = pack,
    .pack_transposed = pack_transposed,
    .bf16 = &scalar::kBf16Kernels,
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

}  // namespace plainformer::neon
#endif
