// The innermost loops, once for each instruction set, behind one table of function pointers.
// In gdb, `p kernels()` names them.
//
// scalar.cpp defines what is correct, in plain loops. avx2.cpp, avx512.cpp and neon.cpp hold the same
// functions in the same order. Every function treats its output as its own: inputs may not overlap it unless
// said otherwise ("may be in place"). None needs alignment. n may be 0. In the double build only the scalar
// table exists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/real.h"

namespace plainformer {

// What happens to a finished element of a matrix product before it is stored: c = relu(c + bias[column]).
struct Epilogue {
  const Real* bias = nullptr;  // [n] or none
  bool relu = false;
};

// One tile of a matrix product: c[i][j] (+)= sum over p of a[i][p] b[p][j] for i < rows, j < cols, p < depth.
// Each element is one chain of multiply-adds (fused, except in the scalar table) in the order of p, which
// starts from c if `accumulate`, else from 0. So its bits depend neither on the tile that it falls into nor
// on how p was cut into blocks.
struct Tile {
  Index rows, cols, depth;  // 1 .. tile_rows, 1 .. tile_cols, 0 or more; or 1, row_cols, 0 or more
  const Real* a;            // element (i, p) at a[i * a_row_stride + p * a_depth_stride]
  Index a_row_stride, a_depth_stride;
  const Real* b;  // element (p, j) at b[p * b_row_stride + j]
  Index b_row_stride;
  Real* c;  // element (i, j) at c[i * c_row_stride + j]
  Index c_row_stride;
  bool accumulate;
  const Epilogue* epilogue;  // for the finished sums, or none; its bias is that of the tile's first column
};

// What one Adam step needs to know (5.3 of the paper; Kingma & Ba 2015, algorithm 1).
struct AdamStep {
  Real learning_rate, beta_1, beta_2, epsilon;
  Real rest_1, rest_2;                        // 1 - beta, exact where beta is not
  Real bias_correction_1, bias_correction_2;  // 1 - beta^t
  Real grad_scale;                            // multiplies each gradient first (clipping); 1 for none
};

struct Kernels {
  const char* name;  // "scalar", "avx2", "avx512", "neon"

  // --- matrix products ---
  // One tile of at most tile_rows x tile_cols, or of 1 x row_cols: the only loop of a product that does
  // arithmetic (see Tile). A single row keeps the arithmetic units busy only if it is as wide as that, a
  // multiple of tile_cols.
  Index tile_rows, tile_cols, row_cols;
  void (*multiply_tile)(const Tile& tile);
  // Panels of `width` columns, one after the other, read row by row: element (p, j) goes to
  // to[j / width * depth * width + p * width + j % width], p < depth, j < cols. What lies beyond cols is
  // unspecified.
  void (*pack)(Index cols, Index depth, const Real* from, Index from_row_stride, Index width, Real* to);
  // One panel of tile_cols columns, of the transpose: to[p * tile_cols + j] = from[j * from_row_stride + p],
  // p < depth, j < cols <= tile_cols.
  void (*pack_transposed)(Index cols, Index depth, const Real* from, Index from_row_stride, Real* to);

  // --- vectors of n elements ---
  void (*add)(Index n, const Real* x, Real* y);                 // y += x
  void (*scale)(Index n, Real factor, const Real* x, Real* y);  // y = factor x; may be in place
  // y = factor x + shift; may be in place.
  void (*scale_and_shift)(Index n, Real factor, Real shift, const Real* x, Real* y);
  double (*sum)(Index n, const Real* x);  // in double
  Real (*dot)(Index n, const Real* x, const Real* y);
  double (*sum_of_squares)(Index n, const Real* x);  // in double
  // grad_x = grad_y where y > 0, else 0; may be in place.
  void (*relu_backward)(Index n, const Real* grad_y, const Real* y, Real* grad_x);
  // y[i] = scale * x[i] where random_bits(stream, first + i) >= threshold, else 0; may be in place.
  void (*dropout)(Index n, RandomStream stream, std::uint32_t first, std::uint32_t threshold, Real scale,
                  const Real* x, Real* y);
  void (*adam)(Index n, const AdamStep& step, const Real* grad, Real* value, Real* first_moment,
               Real* second_moment);

  // --- rows ---
  // y = exp(x - max x) / sum(exp(x - max x)); may be in place.
  void (*softmax)(Index n, const Real* x, Real* y);
  // grad_x = y (grad_y - mean), where mean is the dot product of the whole row's grad_y and y; may be in
  // place in grad_y.
  void (*softmax_gradient)(Index n, Real mean, const Real* grad_y, const Real* y, Real* grad_x);
  // log(sum(exp(x))), computed from x less its largest element. NaN if some element is NaN or plus infinity,
  // or if all are minus infinity; minus infinity for n = 0.
  double (*log_sum_exp)(Index n, const Real* x);
  // The largest element; minus infinity for n = 0. A NaN is passed over.
  Real (*largest)(Index n, const Real* x);
  // y = exp(x - shift), within 2 units in the last place (may be 0 below the smallest normal number), and the
  // sum of y; may be in place.
  double (*exp_sum)(Index n, Real shift, const Real* x, Real* y);
  // y = gain (x - mean) rstd + bias; mean and rstd = 1 / sqrt(variance + epsilon) are returned for backward.
  // The vector tables sum up in float: from |x - mean| of about 1e19 on, the squares overflow and rstd is 0.
  void (*layer_norm)(Index n, const Real* x, const Real* gain, const Real* bias, Real epsilon, Real* y,
                     Real* mean, Real* rstd);
  // With x_hat = (x - mean) rstd and g = grad_y gain: grad_x = rstd (g - mean(g) - x_hat mean(g x_hat)).
  void (*layer_norm_backward)(Index n, const Real* grad_y, const Real* x, const Real* gain, Real mean,
                              Real rstd, Real* grad_x);

  // --- columns of a matrix [rows, .]: n neighboring columns, all rows in order ---
  // sum[j] += sum over rows of x.
  void (*sum_columns)(Index rows, Index n, const Real* x, Index row_stride, Real* sum);
  // grad_gain[j] += sum over rows of grad_y x_hat, grad_bias[j] += sum over rows of grad_y.
  void (*layer_norm_backward_parameters)(Index rows, Index n, const Real* grad_y, const Real* x,
                                         Index row_stride, const Real* mean, const Real* rstd,
                                         Real* grad_gain, Real* grad_bias);
};

// The table in use: at first the default one.
const Kernels& kernels();

// The table that PLAINFORMER_KERNELS names, else the fastest that runs here; std::runtime_error as below.
const Kernels& default_kernels();

// All names that this build knows, and those of them that this processor can run, fastest first.
std::vector<std::string> known_kernels();
std::vector<std::string> supported_kernels();

// The table of that name; std::runtime_error that lists the choices if it is unknown or cannot run here.
const Kernels& find_kernels(const std::string& name);

// Makes kernels() return that table from now on: for tests and benchmarks.
void use_kernels(const std::string& name);

}  // namespace plainformer
