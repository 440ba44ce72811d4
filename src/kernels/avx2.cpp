// The AVX2 kernels. Each loop takes 8 elements at a step; its last step leaves out the lanes beyond n, so
// that an element's result does not depend on where in the vector it stands.
#include "kernels/avx2_vector.h"

#ifdef PLAINFORMER_X86
#include <cmath>
#include <limits>

namespace plainformer::avx2 {
namespace {

// --- vectors of n elements ---

TARGET_AVX2 void add(Index n, const float* x, float* y) {
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    store(y + i, left, _mm256_add_ps(load(y + i, left), load(x + i, left)));
  }
}

TARGET_AVX2 void scale(Index n, float factor, const float* x, float* y) {
  const __m256 factors = _mm256_set1_ps(factor);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    store(y + i, left, _mm256_mul_ps(factors, load(x + i, left)));
  }
}

TARGET_AVX2 void scale_and_shift(Index n, float factor, float shift, const float* x, float* y) {
  const __m256 factors = _mm256_set1_ps(factor), shifts = _mm256_set1_ps(shift);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    store(y + i, left, _mm256_fmadd_ps(factors, load(x + i, left), shifts));
  }
}

// The sum of four lanes in double.
TARGET_AVX2 ALWAYS_INLINE double sum_of_double_lanes(__m256d x) {
  const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));
  return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
}

// Reduction: four sums in double for the lower lanes and four for the upper ones.
TARGET_AVX2 double sum(Index n, const float* x) {
  __m256d lower_sums = _mm256_setzero_pd(), upper_sums = _mm256_setzero_pd();
  for (Index i = 0; i < n; i += kLanes) {
    const __m256 values = load(x + i, n - i);
    lower_sums = _mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(values)), lower_sums);
    upper_sums = _mm256_add_pd(_mm256_cvtps_pd(_mm256_extractf128_ps(values, 1)), upper_sums);
  }
  return sum_of_double_lanes(_mm256_add_pd(lower_sums, upper_sums));
}

// Reduction: a sum for each lane.
TARGET_AVX2 float dot(Index n, const float* x, const float* y) {
  __m256 sums = _mm256_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    sums = _mm256_fmadd_ps(load(x + i, left), load(y + i, left), sums);
  }
  return sum_of_lanes(sums);
}

// Reduction: four sums in double for the lower lanes and four for the upper ones.
TARGET_AVX2 double sum_of_squares(Index n, const float* x) {
  __m256d lower_sums = _mm256_setzero_pd(), upper_sums = _mm256_setzero_pd();
  for (Index i = 0; i < n; i += kLanes) {
    const __m256 values = load(x + i, n - i);
    const __m256d lower = _mm256_cvtps_pd(_mm256_castps256_ps128(values));
    const __m256d upper = _mm256_cvtps_pd(_mm256_extractf128_ps(values, 1));
    lower_sums = _mm256_fmadd_pd(lower, lower, lower_sums);
    upper_sums = _mm256_fmadd_pd(upper, upper, upper_sums);
  }
  return sum_of_double_lanes(_mm256_add_pd(lower_sums, upper_sums));
}

TARGET_AVX2 void relu_backward(Index n, const float* grad_y, const float* y, float* grad_x) {
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const __m256 positive = _mm256_cmp_ps(load(y + i, left), _mm256_setzero_ps(), _CMP_GT_OQ);
    store(grad_x + i, left, _mm256_and_ps(positive, load(grad_y + i, left)));
  }
}

TARGET_AVX2 ALWAYS_INLINE __m256i mix(__m256i x) {
  x = _mm256_xor_si256(x, _mm256_srli_epi32(x, 16));
  x = _mm256_mullo_epi32(x, _mm256_set1_epi32(0x7feb352d));
  x = _mm256_xor_si256(x, _mm256_srli_epi32(x, 15));
  x = _mm256_mullo_epi32(x, _mm256_set1_epi32(static_cast<int>(0x846ca68bu)));
  return _mm256_xor_si256(x, _mm256_srli_epi32(x, 16));
}

// random_bits(stream, first + i) in lane i.
TARGET_AVX2 ALWAYS_INLINE __m256i random_lanes(RandomStream stream, std::uint32_t first) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i index = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)), lane);
  const __m256i once = mix(_mm256_xor_si256(index, _mm256_set1_epi32(static_cast<int>(stream.first))));
  return mix(_mm256_xor_si256(once, _mm256_set1_epi32(static_cast<int>(stream.second))));
}

TARGET_AVX2 void dropout(Index n, RandomStream stream, std::uint32_t first, std::uint32_t threshold,
                         float scale, const float* x, float* y) {
  const __m256 factors = _mm256_set1_ps(scale);
  const __m256i thresholds = _mm256_set1_epi32(static_cast<int>(threshold));
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const __m256i bits = random_lanes(stream, first + static_cast<std::uint32_t>(i));
    const __m256i keep = _mm256_cmpeq_epi32(_mm256_max_epu32(bits, thresholds), bits);  // bits >= threshold
    store(y + i, left, _mm256_and_ps(_mm256_castsi256_ps(keep), _mm256_mul_ps(factors, load(x + i, left))));
  }
}

// x, or 0 if x is subnormal, as Kernels::adam wants it.
TARGET_AVX2 ALWAYS_INLINE __m256 normal_or_zero(__m256 x) {
  const __m256 least = _mm256_set1_ps(std::numeric_limits<float>::min());
  const __m256 magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
  return _mm256_and_ps(x, _mm256_cmp_ps(magnitude, least, _CMP_NLT_UQ));
}

TARGET_AVX2 void adam(Index n, const AdamStep& step, const float* grad, float* value, float* first_moment,
                      float* second_moment) {
  const __m256 grad_scale = _mm256_set1_ps(step.grad_scale);
  const __m256 beta_1 = _mm256_set1_ps(step.beta_1), one_minus_beta_1 = _mm256_set1_ps(step.one_minus_beta_1);
  const __m256 beta_2 = _mm256_set1_ps(step.beta_2), one_minus_beta_2 = _mm256_set1_ps(step.one_minus_beta_2);
  const __m256 rate = _mm256_set1_ps(step.learning_rate / step.bias_correction_1);
  const __m256 correction_2 = _mm256_set1_ps(1 / step.bias_correction_2);
  const __m256 epsilon = _mm256_set1_ps(step.epsilon);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const __m256 g = _mm256_mul_ps(grad_scale, load(grad + i, left));
    const __m256 m = normal_or_zero(
        _mm256_fmadd_ps(beta_1, load(first_moment + i, left), _mm256_mul_ps(one_minus_beta_1, g)));
    const __m256 v = normal_or_zero(_mm256_fmadd_ps(beta_2, load(second_moment + i, left),
                                                    _mm256_mul_ps(_mm256_mul_ps(one_minus_beta_2, g), g)));
    store(first_moment + i, left, m);
    store(second_moment + i, left, v);
    const __m256 root = _mm256_add_ps(_mm256_sqrt_ps(_mm256_mul_ps(v, correction_2)), epsilon);
    const __m256 change = _mm256_div_ps(_mm256_mul_ps(rate, m), root);
    store(value + i, left, _mm256_sub_ps(load(value + i, left), change));
  }
}

// --- rows ---

// Reduction: the largest of each lane, then of the lanes. A NaN is passed over.
TARGET_AVX2 float largest(Index n, const float* x) {
  const __m256 lowest = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
  __m256 largest = lowest;
  for (Index i = 0; i < n; i += kLanes) {
    const __m256 in_use = _mm256_castsi256_ps(first_lanes(n - i));
    largest = _mm256_max_ps(_mm256_blendv_ps(lowest, load(x + i, n - i), in_use), largest);
  }
  return largest_lane(largest);
}

// Reduction: a sum for each lane.
TARGET_AVX2 double exp_sum(Index n, float shift, const float* x, float* y) {
  const __m256 shifts = _mm256_set1_ps(shift);
  __m256 sums = _mm256_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const __m256 e = exp(_mm256_sub_ps(load(x + i, left), shifts));
    store(y + i, left, e);
    sums = _mm256_add_ps(sums, only_first(left, e));
  }
  return double(sum_of_lanes(sums));
}

// Three passes: the largest; exp and its sum; the division.
TARGET_AVX2 void softmax(Index n, const float* x, float* y) {
  scale(n, static_cast<float>(1 / exp_sum(n, largest(n, x), x, y)), y, y);
}

TARGET_AVX2 void softmax_gradient(Index n, float mean, const float* grad_y, const float* y, float* grad_x) {
  const __m256 means = _mm256_set1_ps(mean);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    store(grad_x + i, left, _mm256_mul_ps(load(y + i, left), _mm256_sub_ps(load(grad_y + i, left), means)));
  }
}

TARGET_AVX2 double log_sum_exp(Index n, float largest, const float* x) {
  __m256 sums = _mm256_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const __m256 e = exp(_mm256_sub_ps(load(x + i, left), _mm256_set1_ps(largest)));
    sums = _mm256_add_ps(sums, only_first(left, e));
  }
  return double(largest) + std::log(double(sum_of_lanes(sums)));
}

// Three passes: the mean; the variance about it; the output. Reductions: a sum for each lane.
TARGET_AVX2 void layer_norm(Index n, const float* x, const float* gain, const float* bias, float epsilon,
                            float* y, float* mean, float* rstd) {
  __m256 sums = _mm256_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) sums = _mm256_add_ps(sums, load(x + i, n - i));
  *mean = sum_of_lanes(sums) / static_cast<float>(n);

  const __m256 means = _mm256_set1_ps(*mean);
  __m256 squares = _mm256_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const __m256 centered = only_first(left, _mm256_sub_ps(load(x + i, left), means));
    squares = _mm256_fmadd_ps(centered, centered, squares);
  }
  *rstd = 1 / std::sqrt(sum_of_lanes(squares) / static_cast<float>(n) + epsilon);

  const __m256 rstds = _mm256_set1_ps(*rstd);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const __m256 x_hat = _mm256_mul_ps(_mm256_sub_ps(load(x + i, left), means), rstds);
    store(y + i, left, _mm256_fmadd_ps(load(gain + i, left), x_hat, load(bias + i, left)));
  }
}

// Two passes: both means, with a sum for each lane; the gradient.
TARGET_AVX2 void layer_norm_backward(Index n, const float* grad_y, const float* x, const float* gain,
                                     float mean, float rstd, float* grad_x) {
  const __m256 means = _mm256_set1_ps(mean), rstds = _mm256_set1_ps(rstd);
  __m256 g_sums = _mm256_setzero_ps(), g_x_hat_sums = _mm256_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const __m256 g = _mm256_mul_ps(load(grad_y + i, left), load(gain + i, left));
    const __m256 x_hat = _mm256_mul_ps(_mm256_sub_ps(load(x + i, left), means), rstds);
    g_sums = _mm256_add_ps(g_sums, g);
    g_x_hat_sums = _mm256_fmadd_ps(g, x_hat, g_x_hat_sums);
  }
  const __m256 mean_g = _mm256_set1_ps(sum_of_lanes(g_sums) / static_cast<float>(n));
  const __m256 mean_g_x_hat = _mm256_set1_ps(sum_of_lanes(g_x_hat_sums) / static_cast<float>(n));
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const __m256 g = _mm256_mul_ps(load(grad_y + i, left), load(gain + i, left));
    const __m256 x_hat = _mm256_mul_ps(_mm256_sub_ps(load(x + i, left), means), rstds);
    const __m256 rest = _mm256_fnmadd_ps(x_hat, mean_g_x_hat, _mm256_sub_ps(g, mean_g));
    store(grad_x + i, left, _mm256_mul_ps(rstds, rest));
  }
}

// --- columns of a matrix ---

// The columns are summed row by row: each sum has one order, and x is read once from front to back.
TARGET_AVX2 void sum_columns(Index rows, Index n, const float* x, Index row_stride, float* sum) {
  for (Index i = 0; i < rows; ++i) add(n, x + i * row_stride, sum);
}

TARGET_AVX2 void layer_norm_backward_parameters(Index rows, Index n, const float* grad_y, const float* x,
                                                Index row_stride, const float* mean, const float* rstd,
                                                float* grad_gain, float* grad_bias) {
  for (Index i = 0; i < rows; ++i) {
    const __m256 means = _mm256_set1_ps(mean[i]), rstds = _mm256_set1_ps(rstd[i]);
    for (Index j = 0; j < n; j += kLanes) {
      const Index left = n - j;
      const __m256 g = load(grad_y + i * row_stride + j, left);
      const __m256 x_hat = _mm256_mul_ps(_mm256_sub_ps(load(x + i * row_stride + j, left), means), rstds);
      store(grad_gain + j, left, _mm256_fmadd_ps(g, x_hat, load(grad_gain + j, left)));
      store(grad_bias + j, left, _mm256_add_ps(g, load(grad_bias + j, left)));
    }
  }
}

}  // namespace

constinit const Kernels kKernels = {
    .name = "avx2",
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

}  // namespace plainformer::avx2
#endif
