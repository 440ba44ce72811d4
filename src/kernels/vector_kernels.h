// All kernels over the Vector of an instruction set: see vector_tile.h. Most loops take kLanes elements at a
// step. Its last step leaves out the lanes beyond n, so an element's result does not depend on its lane.

#include "kernels/vector_pack.h"
#include "kernels/vector_tile.h"

namespace plainformer::SET {
namespace {

// --- vectors of n elements ---

TARGET_OF_SET void add(Index n, const float* x, float* y) {
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    store(y + i, lanes, load(y + i, lanes) + load(x + i, lanes));
  }
}

TARGET_OF_SET void scale(Index n, float factor, const float* x, float* y) {
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    store(y + i, lanes, factor * load(x + i, lanes));
  }
}

TARGET_OF_SET void scale_and_shift(Index n, float factor, float shift, const float* x, float* y) {
  const Vector factors = all_lanes(factor), shifts = all_lanes(shift);
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    store(y + i, lanes, multiply_add(factors, load(x + i, lanes), shifts));
  }
}

// Reduction: a sum in double for each lane; then both halves of the lanes.
TARGET_OF_SET double sum(Index n, const float* x) {
  Doubles lower_sums = {}, upper_sums = {};
  for (Index i = 0; i < n; i += kLanes) {
    const Vector values = load(x + i, first_lanes(n - i));
    lower_sums = lower_half(values) + lower_sums;
    upper_sums = upper_half(values) + upper_sums;
  }
  return sum_of_lanes(lower_sums + upper_sums);
}

// Reduction: a sum for each lane.
TARGET_OF_SET float dot(Index n, const float* x, const float* y) {
  Vector sums = {};
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    sums = multiply_add(load(x + i, lanes), load(y + i, lanes), sums);
  }
  return sum_of_lanes(sums);
}

// Reduction: as in sum.
TARGET_OF_SET double sum_of_squares(Index n, const float* x) {
  Doubles lower_sums = {}, upper_sums = {};
  for (Index i = 0; i < n; i += kLanes) {
    const Vector values = load(x + i, first_lanes(n - i));
    const Doubles lower = lower_half(values), upper = upper_half(values);
    lower_sums = multiply_add(lower, lower, lower_sums);
    upper_sums = multiply_add(upper, upper, upper_sums);
  }
  return sum_of_lanes(lower_sums + upper_sums);
}

// mix of core/random.h in each lane.
TARGET_OF_SET ALWAYS_INLINE Integers mix(Integers x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

TARGET_OF_SET void dropout(Index n, RandomStream stream, std::uint32_t first, std::uint32_t threshold,
                           float scale, const float* x, float* y) {
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    const Integers index = lane_numbers() + (first + static_cast<std::uint32_t>(i));
    const Integers bits = mix(mix(index ^ stream.first) ^ stream.second);  // random_bits(stream, index)
    store(y + i, lanes, bits >= threshold ? scale * load(x + i, lanes) : Vector{});
  }
}

// x, or 0 if x is subnormal, as Kernels::adam wants it.
TARGET_OF_SET ALWAYS_INLINE Vector normal_or_zero(Vector x) {
  const auto magnitude = reinterpret_cast<Vector>(reinterpret_cast<Integers>(x) & 0x7fffffffu);
  return magnitude < std::numeric_limits<float>::min() ? Vector{} : x;
}

TARGET_OF_SET void adam(Index n, const AdamStep& step, const float* grad, float* value, float* first_moment,
                        float* second_moment) {
  const Vector grad_scale = all_lanes(step.grad_scale), epsilon = all_lanes(step.epsilon);
  const Vector beta_1 = all_lanes(step.beta_1), one_minus_beta_1 = all_lanes(step.one_minus_beta_1);
  const Vector beta_2 = all_lanes(step.beta_2), one_minus_beta_2 = all_lanes(step.one_minus_beta_2);
  const Vector rate = all_lanes(step.learning_rate / step.bias_correction_1);
  const Vector correction_2 = all_lanes(1 / step.bias_correction_2);
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    const Vector g = grad_scale * load(grad + i, lanes);
    const Vector m =
        normal_or_zero(multiply_add(beta_1, load(first_moment + i, lanes), one_minus_beta_1 * g));
    const Vector v =
        normal_or_zero(multiply_add(beta_2, load(second_moment + i, lanes), one_minus_beta_2 * g * g));
    store(first_moment + i, lanes, m);
    store(second_moment + i, lanes, v);
    const Vector change = rate * m / (square_root(v * correction_2) + epsilon);
    store(value + i, lanes, load(value + i, lanes) - change);
  }
}

// --- rows ---

// The first `count` lanes of x, and the others of `rest`.
TARGET_OF_SET ALWAYS_INLINE Vector first_or(Vector rest, Index count, Vector x) {
  return count >= kLanes ? x : lane_numbers() < static_cast<std::uint32_t>(count) ? x : rest;
}

// exp to within 1 unit in the last place; results below the smallest normal number are 0.
//   x = n ln 2 + r with |r| <= ln(2) / 2, so exp(x) = 2^n exp(r); exp(r) = 1 + r + r^2 q(r), where q is the
//   polynomial of degree 4 whose largest relative error is smallest. ln 2 is subtracted in two parts, to keep
//   all bits of r.
TARGET_OF_SET ALWAYS_INLINE Vector exp(Vector x) {
  const Vector n = exponent_of(x * 1.44269502f);
  Vector r = multiply_add(n, all_lanes(-0.693147182f), x);
  r = multiply_add(n, all_lanes(1.90465421e-9f), r);
  Vector y = all_lanes(0.00138145394f);
  y = multiply_add(y, r, all_lanes(0.00836874545f));
  y = multiply_add(y, r, all_lanes(0.041668389f));
  y = multiply_add(y, r, all_lanes(0.166665211f));
  y = multiply_add(y, r, all_lanes(0.49999994f));
  y = multiply_add(y, r, all_lanes(1));
  y = multiply_add(y, r, all_lanes(1));
  return times_power_of_2(y, n, x);
}

// Reduction: the largest of each lane, in four chains, so that none waits for its last step; then of the
// lanes. A NaN is passed over.
TARGET_OF_SET float largest(Index n, const float* x) {
  const Vector lowest = all_lanes(-std::numeric_limits<float>::infinity());
  Vector chains[4] = {lowest, lowest, lowest, lowest};
  Index i = 0;
  for (; n - i >= 4 * kLanes; i += 4 * kLanes) {
    UNROLL(4)
    for (int c = 0; c < 4; ++c) chains[c] = larger(load(x + i + c * kLanes), chains[c]);
  }
  Vector largest = larger(larger(chains[0], chains[1]), larger(chains[2], chains[3]));
  for (; i < n; i += kLanes)
    largest = larger(first_or(lowest, n - i, load(x + i, first_lanes(n - i))), largest);
  return largest_lane(largest);
}

// Reduction: a sum for each lane.
TARGET_OF_SET double exp_sum(Index n, float shift, const float* x, float* y) {
  const Vector shifts = all_lanes(shift);
  Vector sums = {};
  Index i = 0;
  for (; n - i >= kLanes; i += kLanes) {
    const Vector e = exp(load(x + i) - shifts);
    if (y) store(y + i, e);
    sums = sums + e;
  }
  if (i < n) {
    const Lanes lanes = first_lanes(n - i);
    const Vector e = exp(load(x + i, lanes) - shifts);
    if (y) store(y + i, lanes, e);
    sums = sums + first_or(Vector{}, n - i, e);
  }
  return double(sum_of_lanes(sums));
}

TARGET_OF_SET void softmax_gradient(Index n, float mean, const float* grad_y, const float* y, float* grad_x) {
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    store(grad_x + i, lanes, load(y + i, lanes) * (load(grad_y + i, lanes) - mean));
  }
}

// Three passes: the mean; the variance about it; the output. Reductions: a sum for each lane.
TARGET_OF_SET void layer_norm(Index n, const float* x, const float* gain, const float* bias, float epsilon,
                              float* y, float* mean, float* rstd) {
  Vector sums = {};
  for (Index i = 0; i < n; i += kLanes) sums = sums + load(x + i, first_lanes(n - i));
  *mean = sum_of_lanes(sums) / static_cast<float>(n);

  const Vector means = all_lanes(*mean);
  Vector squares = {};
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    const Vector centered = first_or(Vector{}, n - i, load(x + i, lanes) - means);
    squares = multiply_add(centered, centered, squares);
  }
  *rstd = 1 / std::sqrt(sum_of_lanes(squares) / static_cast<float>(n) + epsilon);

  const Vector rstds = all_lanes(*rstd);
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    const Vector x_hat = (load(x + i, lanes) - means) * rstds;
    store(y + i, lanes, multiply_add(load(gain + i, lanes), x_hat, load(bias + i, lanes)));
  }
}

// Two passes: both means, with a sum for each lane; the gradient.
TARGET_OF_SET void layer_norm_backward(Index n, const float* grad_y, const float* x, const float* gain,
                                       float mean, float rstd, float* grad_x) {
  Vector g_sums = {}, g_x_hat_sums = {};
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    const Vector g = load(grad_y + i, lanes) * load(gain + i, lanes);
    const Vector x_hat = (load(x + i, lanes) - mean) * rstd;
    g_sums = g_sums + g;
    g_x_hat_sums = multiply_add(g, x_hat, g_x_hat_sums);
  }
  const Vector mean_g = all_lanes(sum_of_lanes(g_sums) / static_cast<float>(n));
  const Vector minus_mean_g_x_hat = all_lanes(-(sum_of_lanes(g_x_hat_sums) / static_cast<float>(n)));
  for (Index i = 0; i < n; i += kLanes) {
    const Lanes lanes = first_lanes(n - i);
    const Vector g = load(grad_y + i, lanes) * load(gain + i, lanes);
    const Vector x_hat = (load(x + i, lanes) - mean) * rstd;
    store(grad_x + i, lanes, rstd * multiply_add(x_hat, minus_mean_g_x_hat, g - mean_g));
  }
}

// --- columns of a matrix ---

TARGET_OF_SET void layer_norm_backward_parameters(Index rows, Index n, const float* grad_y, const float* x,
                                                  Index row_stride, const float* mean, const float* rstd,
                                                  float* grad_gain, float* grad_bias) {
  for (Index i = 0; i < rows; ++i) {
    const Vector means = all_lanes(mean[i]), rstds = all_lanes(rstd[i]);
    for (Index j = 0; j < n; j += kLanes) {
      const Lanes lanes = first_lanes(n - j);
      const Vector g = load(grad_y + i * row_stride + j, lanes);
      const Vector x_hat = (load(x + i * row_stride + j, lanes) - means) * rstds;
      store(grad_gain + j, lanes, multiply_add(g, x_hat, load(grad_gain + j, lanes)));
      store(grad_bias + j, lanes, g + load(grad_bias + j, lanes));
    }
  }
}

// --- pairs of bfloat16 (bf16.h) ---

// to_bf16 in the lower half of each lane.
TARGET_OF_SET ALWAYS_INLINE Integers to_bf16_lanes(Vector x) {
  const Integers bits = reinterpret_cast<Integers>(x), magnitude = bits & 0x7fffffffu;
  const Integers nearest = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  const Integers or_zero = magnitude < 0x00800000u ? bits >> 16 & 0x8000u : nearest;
  return magnitude > 0x7f800000u ? bits >> 16 | 0x40u : or_zero;
}

TARGET_OF_SET ALWAYS_INLINE Vector pair_up(Vector first, Vector second) {
  return reinterpret_cast<Vector>(to_bf16_lanes(first) | to_bf16_lanes(second) << 16);
}

TARGET_OF_SET void pair_neighbors(Index n, const float* x, float* pairs) {
  for (Index i = 0; i < n; i += 2 * kLanes) {
    const Index left = n - i, upper_left = left < kLanes ? 0 : left - kLanes;
    const Vector lower = load(x + i, first_lanes(left));
    const Vector upper = upper_left == 0 ? Vector{} : load(x + i + kLanes, first_lanes(upper_left));
    store(pairs + i / 2, first_lanes((left + 1) / 2),
          pair_up(even_lanes(lower, upper), odd_lanes(lower, upper)));
  }
}

TARGET_OF_SET void pair_rows(Index depth, Index width, const float* panel, float* pairs) {
  for (Index p = 0; p < depth; p += 2)
    for (Index j = 0; j < width; j += kLanes) {
      const Lanes lanes = first_lanes(width - j);
      const float* row = panel + p * width + j;
      const Vector second = p + 1 < depth ? load(row + width, lanes) : Vector{};
      store(pairs + p / 2 * width + j, lanes, pair_up(load(row, lanes), second));
    }
}

// --- a processor's peak ---

// The chains are at most as many as the registers, minus two for the constants. Each starts at another
// number, because a compiler would compute equal chains only once; and none at 2, the fixed point.
TARGET_OF_SET FmaRun fma_chains(Index steps) {
  constexpr int kChains = kRegisters * 3 / 4;
  Vector x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = all_lanes(static_cast<float>(3 + i));
  const Vector half = all_lanes(0.5f), one = all_lanes(1);
  for (Index step = 0; step < steps; ++step) {
    UNROLL(24)
    for (int i = 0; i < kChains; ++i) x[i] = multiply_add(x[i], half, one);
  }
  FmaRun run = {.operations = 2.0 * kChains * kLanes * static_cast<double>(steps), .sum = 0};
  for (int i = 0; i < kChains; ++i) run.sum += sum_of_lanes(lower_half(x[i]) + upper_half(x[i]));
  return run;
}

}  // namespace
}  // namespace plainformer::SET

#include "kernels/kernel_set.h"
