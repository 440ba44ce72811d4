// The innermost loops, written once for each instruction set. A set of kernels is a struct of function
// pointers. In gdb, `p kernels()` shows the set in use.
//
// The scalar set defines the correct results, in plain loops (scalar.cpp). The other sets share one source
// over a Vector, which each set defines in <name>_vector.h (vector_sets.cpp). Inputs and outputs must not
// overlap, except where a comment says "may be in place". No function needs alignment, and n may be 0. The
// double build has only the scalar set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/real.h"

namespace plainformer {

// The argument of a micro-kernel, which computes one tile of a matrix product:
// c[i][j] (+)= sum over p of a[i][p] b[p][j] for i < rows, j < cols, p < depth.
//
// Each element is one chain of multiply-adds (fused, except in the sets scalar and wasm) in the order of p.
// The chain starts from c if `accumulate`, else from 0. So an element's bits depend neither on its tile nor
// on the cuts of p into blocks.
struct MicroTile {
  // 1 .. tile_rows, 1 .. tile_cols, 0 or more; or 1, n row_tile_cols, 1 or more
  Index rows, cols, depth;
  const Real* a;            // element (i, p) at a[i * a_row_stride + p * a_depth_stride]
  Index a_row_stride, a_depth_stride;
  const Real* b;  // element (p, j) at b[p * b_row_stride + j]
  Index b_row_stride;
  Real* c;  // element (i, j) at c[i * c_row_stride + j]
  Index c_row_stride;
  bool accumulate;
  const Real* bias;  // [cols], added to the finished sums; or null
  // Rows of `depth` elements that are needed next. A micro-kernel may prefetch them on its way; they may be
  // null.
  const Real* next_rows[2] = {};
};

// The numbers of one update by Adam, rounded to Real.
struct AdamStep {
  Real learning_rate, beta_1, beta_2, epsilon;
  Real one_minus_beta_1, one_minus_beta_2;    // rounded after the subtraction
  Real bias_correction_1, bias_correction_2;  // 1 - beta^t
  Real grad_scale;                            // multiplies each gradient first (clipping); 1 for none
};

// A run of multiply-adds in registers (Kernels::fma_chains).
struct FmaRun {
  double operations;  // two for each multiply-add of each lane
  double sum;         // the sum of all lanes of all chains at the end: 2 for each lane, once steps >= 100
};

struct Kernels {
  const char* name;  // "scalar", "avx2", "avx512", "neon", "wasm"

  // --- matrix products ---
  // The micro-kernel, the only loop of a product that does arithmetic (see MicroTile). A tile has at most
  // tile_rows x tile_cols elements, or 1 x n row_tile_cols, a multiple of tile_cols: a single row must be
  // wider to keep the arithmetic units busy.
  Index tile_rows, tile_cols, row_tile_cols;
  void (*micro_kernel)(const MicroTile& tile);
  // Packs micro-panels of `width` columns, one after the other, each row by row: element (p, j) goes to
  // to[j / width * depth * width + p * width + j % width], p < depth, j < cols. Columns beyond cols are left
  // unspecified.
  void (*pack)(Index cols, Index depth, const Real* from, Index from_row_stride, Index width, Real* to);
  // Packs one micro-panel of tile_cols columns of the transpose:
  // to[p * tile_cols + j] = from[j * from_row_stride + p], p < depth, j < cols <= tile_cols.
  void (*pack_transposed)(Index cols, Index depth, const Real* from, Index from_row_stride, Real* to);

  // --- matrix products in bfloat16 (kernels/bf16.h) ---
  // The micro-kernel whose elements of a and b are pairs. `depth` counts pairs.
  void (*micro_kernel_bf16)(const MicroTile& tile);
  // Rounds neighbors to pairs: x[2 i] and x[2 i + 1] go to pairs[i]; may be in place. After an odd n follows
  // a zero.
  void (*pair_neighbors)(Index n, const Real* x, Real* pairs);
  // Rounds rows to pairs, x [depth, width]: x(2 p, j) and x(2 p + 1, j) go to pairs[p * width + j]; may be in
  // place.
  void (*pair_rows)(Index depth, Index width, const Real* x, Real* pairs);

  // --- vectors of n elements ---
  void (*add)(Index n, const Real* x, Real* y);                 // y += x
  void (*scale)(Index n, Real factor, const Real* x, Real* y);  // y = factor x; may be in place
  // y = factor x + shift; may be in place.
  void (*scale_and_shift)(Index n, Real factor, Real shift, const Real* x, Real* y);
  double (*sum)(Index n, const Real* x);  // in double
  Real (*dot)(Index n, const Real* x, const Real* y);
  double (*sum_of_squares)(Index n, const Real* x);  // in double
  // y[i] = scale * x[i] where random_bits(stream, first + i) >= threshold, else 0; may be in place.
  void (*dropout)(Index n, RandomStream stream, std::uint32_t first, std::uint32_t threshold, Real scale,
                  const Real* x, Real* y);
  // Adam's update. A moment that fades would stay a subnormal number forever, and arithmetic on those is
  // slow. So a moment below the smallest normal number becomes 0. NaN stays NaN.
  void (*adam)(Index n, const AdamStep& step, const Real* grad, Real* value, Real* first_moment,
               Real* second_moment);

  // --- rows ---
  // The gradient through the softmax, grad_x = y (grad_y - mean), where mean is the dot product of the whole
  // row's grad_y and y; may be in place in grad_y.
  void (*softmax_gradient)(Index n, Real mean, const Real* grad_y, const Real* y, Real* grad_x);
  // The largest element; minus infinity for n = 0. It ignores NaN.
  Real (*largest)(Index n, const Real* x);
  // y = exp(x - shift), within 2 units in the last place (may be 0 below the smallest normal number), and the
  // sum of y; may be in place. y may be null, for the sum alone.
  double (*exp_sum)(Index n, Real shift, const Real* x, Real* y);
  // The normalized row, y = gain (x - mean) rstd + bias. Also returns mean and rstd = 1 / sqrt(variance +
  // epsilon), which the gradient needs. The vector sets add in float: from |x - mean| of about 1e19 on, the
  // squares overflow and rstd is 0.
  void (*layer_norm)(Index n, const Real* x, const Real* gain, const Real* bias, Real epsilon, Real* y,
                     Real* mean, Real* rstd);
  // The gradient through the normalized row. With x_hat = (x - mean) rstd and g = grad_y gain, it is
  // grad_x = rstd (g - mean(g) - x_hat mean(g x_hat)).
  void (*layer_norm_backward)(Index n, const Real* grad_y, const Real* x, const Real* gain, Real mean,
                              Real rstd, Real* grad_x);

  // --- columns of a matrix [rows, .]: n neighboring columns, all rows in order ---
  // grad_gain[j] += sum over rows of grad_y x_hat, grad_bias[j] += sum over rows of grad_y.
  void (*layer_norm_backward_parameters)(Index rows, Index n, const Real* grad_y, const Real* x,
                                         Index row_stride, const Real* mean, const Real* rstd,
                                         Real* grad_gain, Real* grad_bias);

  // --- a processor's peak ---
  // Runs nothing but multiply-adds in registers, x = x / 2 + 1, `steps` times, in enough independent chains
  // to keep the units busy: two units with a latency of four cycles need eight. The scalar set multiplies and
  // adds separately, on vectors of 16 bytes, which every processor of this architecture has, and which a
  // compiler may use for plain loops.
  FmaRun (*fma_chains)(Index steps);
};

// The set in use: the default one until use_kernels is called.
const Kernels& kernels();

// The set that PLAINFORMER_KERNELS names, else the fastest that this processor can run. std::runtime_error as
// for find_kernels.
const Kernels& default_kernels();

// The names of the sets that this processor can run, the fastest first.
std::vector<std::string> supported_kernels();

// The set with this name; std::runtime_error, which names `asked_by` and lists the choices, if it is unknown
// or this processor cannot run it.
const Kernels& find_kernels(const std::string& name, const char* asked_by = "kernels");

// Makes kernels() return this set from now on: for tests and benchmarks.
void use_kernels(const std::string& name);

}  // namespace plainformer
