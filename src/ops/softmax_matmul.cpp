#include "ops/softmax_matmul.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/scratch.h"
#include "core/thread_pool.h"
#include "ops/panels.h"

namespace plainformer {

namespace {

constexpr Index kTileColumns = 128;  // of the scores, at most: a tile of them stays in the first-level cache

// One block of one batch element: matrices that lie inside the tensors.
struct Block {
  Index m, n, k, l;  // n: the rows of b and c that some row of a sees
  MatrixView a, b, c;
  const Index* visible;  // [m]
  Real scale;

  MatrixView seen(const MatrixView& x) const { return {x.data, n, x.cols, x.row_stride}; }
};

Block block_of(const SoftmaxMatmulCache& cache, Index element, Index block) {
  const Index m = cache.a.dim(1), n = cache.b.dim(1);
  const Index k = cache.a.dim(2) / cache.blocks, l = cache.c.dim(2) / cache.blocks;
  const Index* visible = cache.visible.data() + element * m;
  const auto view = [&](const Tensor& x, Index rows, Index width) {
    const Index row_stride = x.dim(2);
    return MatrixView{x.data() + element * x.dim(1) * row_stride + block * width, rows, width, row_stride};
  };
  const Index seen = m == 0 ? 0 : *std::max_element(visible, visible + m);
  return {m, seen, k, l, view(cache.a, m, k), view(cache.b, n, k), view(cache.c, n, l), visible, cache.scale};
}

// A tile of scores: rows i .. i + rows - 1 of a against rows j .. j + columns - 1 of b.
struct ScoreTile {
  Index i, rows, j, columns;

  MatrixView view(const Real* data) const { return {data, rows, columns, kTileColumns}; }

  // How many of the tile's columns its row `row` sees.
  Index seen_by(const Block& block, Index row) const {
    return std::clamp<Index>(block.visible[i + row] - j, 0, columns);
  }
};

// The rows of a that are computed together: whole tiles of the kernels, some thirty.
Index rows_of_tile() {
  return 32 / kernels().tile_rows * kernels().tile_rows;
}

// The columns of the scores that are computed together: whole panels.
Index columns_of_tile() {
  return kTileColumns / kernels().tile_cols * kernels().tile_cols;
}

// scale a for the rows of a tile: that costs less than scaling the scores.
MatrixView scaled_rows(const Block& block, Index i, Index rows, Real* to) {
  for (Index row = 0; row < rows; ++row)
    kernels().scale(block.k, block.scale, block.a.data + (i + row) * block.a.row_stride, to + row * block.k);
  return {to, rows, block.k, block.k};
}

// The rows of b or c that are seen, as a right factor: packed if many tiles use them, else where they lie.
Panels right_factor(const Block& block, const MatrixView& x, Scratch& scratch) {
  const MatrixView seen = block.seen(x);
  return block.m <= 2 * rows_of_tile() ? panels_in_place(seen) : pack(seen, scratch);
}

// The visible part of the tile's columns of a packed matrix [k, n].
Panels columns_of(const Panels& panels, const ScoreTile& tile) {
  Panels part = panels.from_column(tile.j);
  part.cols = tile.columns;
  return part;
}

// Likewise, of the rows of a right factor [n, l].
Panels part_of(const Panels& panels, const ScoreTile& tile) {
  Panels part = panels.from_row(tile.j);
  part.depth = tile.columns;
  return part;
}

// What is known of a tile's rows so far.
struct RunningSoftmax {
  Real* largest;  // the largest score
  Real* sum;      // the sum of exp(score - largest)
};

// Turns one tile of scores into exp(score - largest), and corrects sum and y, which hold the tiles before.
void advance_softmax(const Block& block, const ScoreTile& tile, const RunningSoftmax& running, Real* scores,
                     Real* y) {
  const Kernels& table = kernels();
  for (Index row = 0; row < tile.rows; ++row) {
    Real* score_row = scores + row * kTileColumns;
    const Index seen = tile.seen_by(block, row);
    if (seen > 0) {
      const Real largest = std::max(running.largest[row], table.largest(seen, score_row));
      const auto tile_sum = static_cast<Real>(table.exp_sum(seen, largest, score_row, score_row));
      if (largest > running.largest[row]) {
        const Real correction =
            std::exp(running.largest[row] - largest);  // exp(-infinity) = 0 in the first tile
        running.sum[row] *= correction;
        if (tile.j > 0) table.scale(block.l, correction, y + row * block.l, y + row * block.l);
        running.largest[row] = largest;
      }
      running.sum[row] += tile_sum;
    }
    std::fill(score_row + seen, score_row + tile.columns, Real{0});
  }
}

void forward_block(const Block& block, Real* y_out, Index y_stride, Real* log_sums) {
  const Kernels& table = kernels();
  const Index k = block.k, l = block.l, tile_rows = rows_of_tile();
  Scratch scratch;
  const Panels b_transposed = pack_transposed(block.seen(block.b), scratch);
  const Panels c = right_factor(block, block.c, scratch);
  Real* scaled_memory = scratch.take(tile_rows * k);
  Real* scores = scratch.take(tile_rows * kTileColumns);
  Real* y = scratch.take(tile_rows * l);
  const RunningSoftmax running = {scratch.take(tile_rows), scratch.take(tile_rows)};

  for (Index i = 0; i < block.m; i += tile_rows) {
    const Index rows = std::min(tile_rows, block.m - i);
    const Index last = *std::max_element(block.visible + i, block.visible + i + rows);
    const MatrixView scaled = scaled_rows(block, i, rows, scaled_memory);
    std::fill_n(running.largest, rows, -std::numeric_limits<Real>::infinity());
    std::fill_n(running.sum, rows, Real{0});
    for (Index j = 0; j < last; j += columns_of_tile()) {
      const ScoreTile tile = {i, rows, j, std::min(columns_of_tile(), last - j)};
      multiply_panels(strips_in_place(scaled), columns_of(b_transposed, tile), scores, kTileColumns, false);
      advance_softmax(block, tile, running, scores, y);
      multiply_panels(strips_in_place(tile.view(scores)), part_of(c, tile), y, l, j > 0);
    }
    for (Index row = 0; row < rows; ++row) {
      Real* to = y_out + (i + row) * y_stride;
      const bool sees = block.visible[i + row] > 0;
      if (sees) table.scale(l, 1 / running.sum[row], y + row * l, to);
      if (!sees) std::fill_n(to, l, Real{0});
      log_sums[i + row] = sees ? running.largest[row] + std::log(running.sum[row]) : 0;
    }
  }
}

}  // namespace

Tensor softmax_matmul_forward(const Tensor& a, const Tensor& b, const Tensor& c, SoftmaxMatmulCache& cache) {
  const Index batch = a.dim(0), m = a.dim(1), n = b.dim(1), width = a.dim(2), blocks = cache.blocks;
  CHECK_SHAPE(a, batch, m, width);
  CHECK_SHAPE(b, batch, n, width);
  CHECK_SHAPE(c, batch, n, c.dim(2));
  CHECK(blocks > 0 && width % blocks == 0 && c.dim(2) % blocks == 0, blocks, " blocks of ", width);
  CHECK(std::ssize(cache.visible) == batch * m, cache.visible.size(), " counts for ", batch * m, " rows");
  for (Index seen : cache.visible) CHECK(seen >= 0 && seen <= n, seen, " visible of ", n);
  cache.a = a;
  cache.b = b;
  cache.c = c;
  Tensor y({batch, m, c.dim(2)});
  cache.log_sums = Tensor({batch, blocks, m});
  Real* y_data = y.mutable_data();
  Real* log_sums = cache.log_sums.mutable_data();
  parallel_for(batch * blocks, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index element = task / blocks;
      const Block block = block_of(cache, element, task % blocks);
      forward_block(block, y_data + element * m * c.dim(2) + task % blocks * block.l, c.dim(2),
                    log_sums + task * m);
    }
  });
  cache.y = y;
  return y;
}

namespace {

// Where one block's gradients go: rows inside the gradient tensors.
struct BlockGradients {
  const Real* grad_y;  // [m, l]
  const Real* y;       // [m, l]
  Index y_stride;      // of both
  const Real* log_sums;
  Real *a, *b, *c;
  Index a_stride, b_stride, c_stride;
};

// scores -> p = exp(score - log_sum); grad_p -> grad_s = p (grad_p - mean).
void softmax_rows_backward(const Block& block, const ScoreTile& tile, const Real* log_sums, const Real* means,
                           Real* scores, Real* grad_scores) {
  const Kernels& table = kernels();
  for (Index row = 0; row < tile.rows; ++row) {
    Real* p = scores + row * kTileColumns;
    Real* grad = grad_scores + row * kTileColumns;
    const Index seen = tile.seen_by(block, row);
    table.exp_sum(seen, log_sums[tile.i + row], p, p);
    table.softmax_gradient(seen, means[row], grad, p, grad);
    std::fill(p + seen, p + tile.columns, Real{0});
    std::fill(grad + seen, grad + tile.columns, Real{0});
  }
}

// What one block's backward works in, besides the packed factors.
struct BackwardMemory {
  explicit BackwardMemory(const Block& block, Scratch& scratch)
      : grad_b(scratch.take(block.n * block.k)),
        grad_c(scratch.take(block.n * block.l)),
        grad_a(scratch.take(rows_of_tile() * block.k)),
        scaled(scratch.take(rows_of_tile() * block.k)),
        scores(scratch.take(rows_of_tile() * kTileColumns)),
        grad_scores(scratch.take(rows_of_tile() * kTileColumns)),
        means(scratch.take(rows_of_tile())) {
    std::fill_n(grad_b, block.n * block.k, Real{0});
    std::fill_n(grad_c, block.n * block.l, Real{0});
  }
  Real *grad_b, *grad_c;       // [n, k], [n, l]: sums over all rows of a
  Real *grad_a, *scaled;       // [rows, k]
  Real *scores, *grad_scores;  // [rows, kTileColumns]
  Real* means;                 // [rows]
};

// The right factors that backward multiplies with.
struct BackwardFactors {
  Panels b, b_transposed, c_transposed;
};

// All gradients that rows i .. i + rows - 1 of a contribute to.
void backward_rows(const Block& block, Index i, Index rows, const BlockGradients& to,
                   const BackwardFactors& factors, const BackwardMemory& memory) {
  const Kernels& table = kernels();
  const Index k = block.k, l = block.l;
  const Index last = *std::max_element(block.visible + i, block.visible + i + rows);
  const MatrixView scaled = scaled_rows(block, i, rows, memory.scaled);
  const MatrixView grad_y = {to.grad_y + i * to.y_stride, rows, l, to.y_stride};
  for (Index row = 0; row < rows; ++row)
    memory.means[row] = table.dot(l, grad_y.data + row * to.y_stride, to.y + (i + row) * to.y_stride);
  for (Index j = 0; j < last; j += columns_of_tile()) {
    const ScoreTile tile = {i, rows, j, std::min(columns_of_tile(), last - j)};
    multiply_panels(strips_in_place(scaled), columns_of(factors.b_transposed, tile), memory.scores,
                    kTileColumns, false);
    multiply_panels(strips_in_place(grad_y), columns_of(factors.c_transposed, tile), memory.grad_scores,
                    kTileColumns, false);
    softmax_rows_backward(block, tile, to.log_sums, memory.means, memory.scores, memory.grad_scores);

    const MatrixView p = tile.view(memory.scores), grad_s = tile.view(memory.grad_scores);
    multiply_panels(transposed_in_place(p), panels_in_place(grad_y), memory.grad_c + j * l, l, true);
    multiply_panels(transposed_in_place(grad_s), panels_in_place(scaled), memory.grad_b + j * k, k, true);
    multiply_panels(strips_in_place(grad_s), part_of(factors.b, tile), memory.grad_a, k, j > 0);
  }
  if (last == 0) std::fill_n(memory.grad_a, rows * k, Real{0});
  for (Index row = 0; row < rows; ++row) {
    table.scale(k, block.scale, memory.grad_a + row * k, to.a + (i + row) * to.a_stride);
  }
}

void backward_block(const Block& block, const BlockGradients& to) {
  const Index k = block.k, l = block.l, n = block.n;
  Scratch scratch;
  const BackwardFactors factors = {right_factor(block, block.b, scratch),
                                   pack_transposed(block.seen(block.b), scratch),
                                   pack_transposed(block.seen(block.c), scratch)};
  const BackwardMemory memory(block, scratch);
  for (Index i = 0; i < block.m; i += rows_of_tile()) {
    backward_rows(block, i, std::min(rows_of_tile(), block.m - i), to, factors, memory);
  }
  for (Index j = 0; j < n; ++j) {
    std::copy_n(memory.grad_b + j * k, k, to.b + j * to.b_stride);
    std::copy_n(memory.grad_c + j * l, l, to.c + j * to.c_stride);
  }
  for (Index j = n; j < block.b.rows; ++j) {  // rows that nobody sees
    std::fill_n(to.b + j * to.b_stride, k, Real{0});
    std::fill_n(to.c + j * to.c_stride, l, Real{0});
  }
}

}  // namespace

SoftmaxMatmulGradients softmax_matmul_backward(const Tensor& grad_y, const SoftmaxMatmulCache& cache) {
  CHECK(grad_y.shape() == cache.y.shape(), grad_y.shape().to_string(), " for ", cache.y.shape().to_string());
  const Index batch = cache.a.dim(0), m = cache.a.dim(1), n = cache.b.dim(1), blocks = cache.blocks;
  const Index a_stride = cache.a.dim(2), c_stride = cache.c.dim(2);
  SoftmaxMatmulGradients grad = {Tensor(cache.a.shape()), Tensor(cache.b.shape()), Tensor(cache.c.shape())};
  Real *grad_a = grad.a.mutable_data(), *grad_b = grad.b.mutable_data(), *grad_c = grad.c.mutable_data();
  parallel_for(batch * blocks, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index element = task / blocks, index = task % blocks;
      const Block block = block_of(cache, element, index);
      const Index at_a = element * m * a_stride + index * block.k,
                  at_b = element * n * a_stride + index * block.k;
      const Index at_c = element * n * c_stride + index * block.l,
                  at_y = element * m * c_stride + index * block.l;
      backward_block(block, {.grad_y = grad_y.data() + at_y,
                             .y = cache.y.data() + at_y,
                             .y_stride = c_stride,
                             .log_sums = cache.log_sums.data() + task * m,
                             .a = grad_a + at_a,
                             .b = grad_b + at_b,
                             .c = grad_c + at_c,
                             .a_stride = a_stride,
                             .b_stride = a_stride,
                             .c_stride = c_stride});
    }
  });
  return grad;
}

}  // namespace plainformer
