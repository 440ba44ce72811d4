// The AVX-512 kernels. Each loop takes 16 elements at a step; its last step masks off the lanes beyond n, so
// that an element's result does not depend on where in the vector it stands.
#include "kernels/avx512_vector.h"

#ifdef PLAINFORMER_X86
#include <cmath>
#include <limits>

namespace plainformer::avx512 {
namespace {

// --- vectors of n elements ---

TARGET_AVX512 void add(Index n, const float* x, float* y) {
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    store(y + i, lanes, _mm512_add_ps(load(y + i, lanes), load(x + i, lanes)));
  }
}

TARGET_AVX512 void scale(Index n, float factor, const float* x, float* y) {
  const __m512 factors = _mm512_set1_ps(factor);
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    store(y + i, lanes, _mm512_mul_ps(factors, load(x + i, lanes)));
  }
}

TARGET_AVX512 void scale_and_shift(Index n, float factor, float shift, const float* x, float* y) {
  const __m512 factors = _mm512_set1_ps(factor), shifts = _mm512_set1_ps(shift);
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    store(y + i, lanes, _mm512_fmadd_ps(factors, load(x + i, lanes), shifts));
  }
}

// Reduction: eight sums in double for the lower lanes and eight for the upper ones.
TARGET_AVX512 double sum(Index n, const float* x) {
  __m512d lower_sums = _mm512_setzero_pd(), upper_sums = _mm512_setzero_pd();
  for (Index i = 0; i < n; i += kLanes) {
    const __m512 values = load(x + i, first_lanes(n - i));
    lower_sums = _mm512_add_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(values)), lower_sums);
    upper_sums = _mm512_add_pd(_mm512_cvtps_pd(_mm512_extractf32x8_ps(values, 1)), upper_sums);
  }
  return _mm512_reduce_add_pd(_mm512_add_pd(lower_sums, upper_sums));
}

// Reduction: a sum for each lane.
TARGET_AVX512 float dot(Index n, const float* x, const float* y) {
  __m512 sums = _mm512_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    sums = _mm512_fmadd_ps(load(x + i, lanes), load(y + i, lanes), sums);
  }
  return sum_of_lanes(sums);
}

// Reduction: eight sums in double for the lower lanes and eight for the upper ones.
TARGET_AVX512 double sum_of_squares(Index n, const float* x) {
  __m512d lower_sums = _mm512_setzero_pd(), upper_sums = _mm512_setzero_pd();
  for (Index i = 0; i < n; i += kLanes) {
    const __m512 values = load(x + i, first_lanes(n - i));
    const __m512d lower = _mm512_cvtps_pd(_mm512_castps512_ps256(values));
    const __m512d upper = _mm512_cvtps_pd(_mm512_extractf32x8_ps(values, 1));
    lower_sums = _mm512_fmadd_pd(lower, lower, lower_sums);
    upper_sums = _mm512_fmadd_pd(upper, upper, upper_sums);
  }
  return _mm512_reduce_add_pd(_mm512_add_pd(lower_sums, upper_sums));
}

TARGET_AVX512 void relu_backward(Index n, const float* grad_y, const float* y, float* grad_x) {
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    const __mmask16 positive = _mm512_cmp_ps_mask(load(y + i, lanes), _mm512_setzero_ps(), _CMP_GT_OQ);
    store(grad_x + i, lanes, _mm512_maskz_mov_ps(positive, load(grad_y + i, lanes)));
  }
}

TARGET_AVX512 ALWAYS_INLINE __m512i mix(__m512i x) {
  x = _mm512_xor_si512(x, _mm512_srli_epi32(x, 16));
  x = _mm512_mullo_epi32(x, _mm512_set1_epi32(0x7feb352d));
  x = _mm512_xor_si512(x, _mm512_srli_epi32(x, 15));
  x = _mm512_mullo_epi32(x, _mm512_set1_epi32(static_cast<int>(0x846ca68bu)));
  return _mm512_xor_si512(x, _mm512_srli_epi32(x, 16));
}

// random_bits(stream, first + i) in lane i.
TARGET_AVX512 ALWAYS_INLINE __m512i random_lanes(RandomStream stream, std::uint32_t first) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i index = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)), lane);
  const __m512i once = mix(_mm512_xor_si512(index, _mm512_set1_epi32(static_cast<int>(stream.first))));
  return mix(_mm512_xor_si512(once, _mm512_set1_epi32(static_cast<int>(stream.second))));
}

TARGET_AVX512 void dropout(Index n, RandomStream stream, std::uint32_t first, std::uint32_t threshold,
                           float scale, const float* x, float* y) {
  const __m512 factors = _mm512_set1_ps(scale);
  const __m512i thresholds = _mm512_set1_epi32(static_cast<int>(threshold));
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    const __m512i bits = random_lanes(stream, first + static_cast<std::uint32_t>(i));
    const __mmask16 keep = _mm512_cmpge_epu32_mask(bits, thresholds);
    store(y + i, lanes, _mm512_maskz_mul_ps(keep, factors, load(x + i, lanes)));
  }
}

// x, or 0 if x is subnormal, as Kernels::adam wants it.
TARGET_AVX512 ALWAYS_INLINE __m512 normal_or_zero(__m512 x) {
  const __m512 least = _mm512_set1_ps(std::numeric_limits<float>::min());
  return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(_mm512_abs_ps(x), least, _CMP_NLT_UQ), x);
}

TARGET_AVX512 void adam(Index n, const AdamStep& step, const float* grad, float* value, float* first_moment,
                        float* second_moment) {
  const __m512 grad_scale = _mm512_set1_ps(step.grad_scale);
  const __m512 beta_1 = _mm512_set1_ps(step.beta_1), one_minus_beta_1 = _mm512_set1_ps(step.one_minus_beta_1);
  const __m512 beta_2 = _mm512_set1_ps(step.beta_2), one_minus_beta_2 = _mm512_set1_ps(step.one_minus_beta_2);
  const __m512 rate = _mm512_set1_ps(step.learning_rate / step.bias_correction_1);
  const __m512 correction_2 = _mm512_set1_ps(1 / step.bias_correction_2);
  const __m512 epsilon = _mm512_set1_ps(step.epsilon);
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    const __m512 g = _mm512_mul_ps(grad_scale, load(grad + i, lanes));
    const __m512 m = normal_or_zero(
        _mm512_fmadd_ps(beta_1, load(first_moment + i, lanes), _mm512_mul_ps(one_minus_beta_1, g)));
    const __m512 v = normal_or_zero(_mm512_fmadd_ps(beta_2, load(second_moment + i, lanes),
                                                    _mm512_mul_ps(_mm512_mul_ps(one_minus_beta_2, g), g)));
    store(first_moment + i, lanes, m);
    store(second_moment + i, lanes, v);
    const __m512 root = _mm512_add_ps(_mm512_sqrt_ps(_mm512_mul_ps(v, correction_2)), epsilon);
    const __m512 change = _mm512_div_ps(_mm512_mul_ps(rate, m), root);
    store(value + i, lanes, _mm512_sub_ps(load(value + i, lanes), change));
  }
}

// --- rows ---

// Reduction: the largest of each lane, then of the lanes. A NaN is passed over.
TARGET_AVX512 float largest(Index n, const float* x) {
  const __m512 lowest = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
  __m512 largest = lowest;
  Index i = 0;
  if (n >= 4 * kLanes) {
    // Four chains, so that none waits for its last step.
    __m512 chains[4] = {lowest, lowest, lowest, lowest};
    for (; n - i >= 4 * kLanes; i += 4 * kLanes) {
      UNROLL(4)
      for (int c = 0; c < 4; ++c) chains[c] = _mm512_max_ps(_mm512_loadu_ps(x + i + c * kLanes), chains[c]);
    }
    largest = _mm512_max_ps(_mm512_max_ps(chains[0], chains[1]), _mm512_max_ps(chains[2], chains[3]));
  }
  for (; i < n; i += kLanes)
    largest = _mm512_max_ps(_mm512_mask_loadu_ps(lowest, first_lanes(n - i), x + i), largest);
  return largest_lane(largest);
}

// Reduction: a sum for each lane.
TARGET_AVX512 double exp_sum(Index n, float shift, const float* x, float* y) {
  const __m512 shifts = _mm512_set1_ps(shift);
  __m512 sums = _mm512_setzero_ps();
  Index i = 0;
  for (; n - i >= kLanes; i += kLanes) {
    const __m512 e = exp(_mm512_sub_ps(_mm512_loadu_ps(x + i), shifts));
    _mm512_storeu_ps(y + i, e);
    sums = _mm512_add_ps(sums, e);
  }
  if (i < n) {
    const __mmask16 lanes = first_lanes(n - i);
    const __m512 e = exp(_mm512_sub_ps(load(x + i, lanes), shifts));
    store(y + i, lanes, e);
    sums = _mm512_mask_add_ps(sums, lanes, sums, e);
  }
  return double(sum_of_lanes(sums));
}

// Three passes: the largest; exp and its sum; the division.
TARGET_AVX512 void softmax(Index n, const float* x, float* y) {
  scale(n, static_cast<float>(1 / exp_sum(n, largest(n, x), x, y)), y, y);
}

TARGET_AVX512 void softmax_gradient(Index n, float mean, const float* grad_y, const float* y, float* grad_x) {
  const __m512 means = _mm512_set1_ps(mean);
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    store(grad_x + i, lanes,
          _mm512_mul_ps(load(y + i, lanes), _mm512_sub_ps(load(grad_y + i, lanes), means)));
  }
}

TARGET_AVX512 double log_sum_exp(Index n, float largest, const float* x) {
  const __m512 shifts = _mm512_set1_ps(largest);
  __m512 sums = _mm512_setzero_ps();
  Index i = 0;
  for (; n - i >= kLanes; i += kLanes)
    sums = _mm512_add_ps(sums, exp_up_to_89(_mm512_sub_ps(_mm512_loadu_ps(x + i), shifts)));
  if (i < n) {
    const __mmask16 lanes = first_lanes(n - i);
    const __m512 e = exp_up_to_89(_mm512_sub_ps(load(x + i, lanes), shifts));
    sums = _mm512_mask_add_ps(sums, lanes, sums, e);
  }
  return double(largest) + std::log(double(sum_of_lanes(sums)));
}

// Three passes: the mean; the variance about it; the output. Reductions: a sum for each lane.
TARGET_AVX512 void layer_norm(Index n, const float* x, const float* gain, const float* bias, float epsilon,
                              float* y, float* mean, float* rstd) {
  __m512 sums = _mm512_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) sums = _mm512_add_ps(sums, load(x + i, first_lanes(n - i)));
  *mean = sum_of_lanes(sums) / static_cast<float>(n);

  const __m512 means = _mm512_set1_ps(*mean);
  __m512 squares = _mm512_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    const __m512 centered = _mm512_maskz_sub_ps(lanes, load(x + i, lanes), means);
    squares = _mm512_fmadd_ps(centered, centered, squares);
  }
  *rstd = 1 / std::sqrt(sum_of_lanes(squares) / static_cast<float>(n) + epsilon);

  const __m512 rstds = _mm512_set1_ps(*rstd);
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    const __m512 x_hat = _mm512_mul_ps(_mm512_sub_ps(load(x + i, lanes), means), rstds);
    store(y + i, lanes, _mm512_fmadd_ps(load(gain + i, lanes), x_hat, load(bias + i, lanes)));
  }
}

// Two passes: both means, with a sum for each lane; the gradient.
TARGET_AVX512 void layer_norm_backward(Index n, const float* grad_y, const float* x, const float* gain,
                                       float mean, float rstd, float* grad_x) {
  const __m512 means = _mm512_set1_ps(mean), rstds = _mm512_set1_ps(rstd);
  __m512 g_sums = _mm512_setzero_ps(), g_x_hat_sums = _mm512_setzero_ps();
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    const __m512 g = _mm512_mul_ps(load(grad_y + i, lanes), load(gain + i, lanes));
    const __m512 x_hat = _mm512_mul_ps(_mm512_sub_ps(load(x + i, lanes), means), rstds);
    g_sums = _mm512_add_ps(g_sums, g);
    g_x_hat_sums = _mm512_fmadd_ps(g, x_hat, g_x_hat_sums);
  }
  const __m512 mean_g = _mm512_set1_ps(sum_of_lanes(g_sums) / static_cast<float>(n));
  const __m512 mean_g_x_hat = _mm512_set1_ps(sum_of_lanes(g_x_hat_sums) / static_cast<float>(n));
  for (Index i = 0; i < n; i += kLanes) {
    const __mmask16 lanes = first_lanes(n - i);
    const __m512 g = _mm512_mul_ps(load(grad_y + i, lanes), load(gain + i, lanes));
    const __m512 x_hat = _mm512_mul_ps(_mm512_sub_ps(load(x + i, lanes), means), rstds);
    const __m512 rest = _mm512_fnmadd_ps(x_hat, mean_g_x_hat, _mm512_sub_ps(g, mean_g));
    store(grad_x + i, lanes, _mm512_mul_ps(rstds, rest));
  }
}

// --- columns of a matrix ---

// The columns are summed row by row: each sum has one order, and x is read once from front to back.
TARGET_AVX512 void sum_columns(Index rows, Index n, const float* x, Index row_stride, float* sum) {
  for (Index i = 0; i < rows; ++i) add(n, x + i * row_stride, sum);
}

TARGET_AVX512 void layer_norm_backward_parameters(Index rows, Index n, const float* grad_y, const float* x,
                                                  Index row_stride, const float* mean, const float* rstd,
                                                  float* grad_gain, float* grad_bias) {
  for (Index i = 0; i < rows; ++i) {
    const __m512 means = _mm512_set1_ps(mean[i]), rstds = _mm512_set1_ps(rstd[i]);
    for (Index j = 0; j < n; j += kLanes) {
      const __mmask16 lanes = first_lanes(n - j);
      const __m512 g = load(grad_y + i * row_stride + j, lanes);
      const __m512 x_hat = _mm512_mul_ps(_mm512_sub_ps(load(x + i * row_stride + j, lanes), means), rstds);
      store(grad_gain + j, lanes, _mm512_fmadd_ps(g, x_hat, load(grad_gain + j, lanes)));
      store(grad_bias + j, lanes, _mm512_add_ps(g, load(grad_bias + j, lanes)));
    }
  }
}

}  // namespace

constexpr Kernels kKernels = {
    .name = "avx512",
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

}  // namespace plainformer::avx512

#ifdef PLAINFORMER_AMX
namespace plainformer::amx {
namespace {

// The set of avx512 with other products. It is a copy made at compile time, so it is there before any code runs.
constexpr Kernels with_tiles(Kernels kernels) {
  kernels.name = "amx";
  kernels.bf16 = &kBf16Kernels;
  return kernels;
}

}  // namespace

constinit const Kernels kKernels = with_tiles(avx512::kKernels);

}  // namespace plainformer::amx
#endif
#endif
