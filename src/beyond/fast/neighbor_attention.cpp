// Restricted self-attention, a block of queries at a time. Neighboring queries see nearly the same keys, so all
// keys that the block's queries see are transposed once for the block. Each query then multiplies its own
// keys alone: one product of vectors for each key that it sees, with memory for one block of keys. As in the
// fast way of equation (1), backward computes the weights again.
#include "beyond/neighbor_attention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "beyond/fast/fast.h"
#include "beyond/global_positions.h"
#include "core/multiply_adds.h"
#include "core/scratch.h"
#include "ops/fast/head_columns.h"
#include "ops/fast/macro_kernel.h"

namespace plainformer::fast {

namespace {

// The queries of a block: enough to repay the transposition of its keys.
constexpr Index kBlockRows = 32;

// One head of one sentence: matrices that lie inside the tensors.
struct NeighborHead {
  const NeighborMask& mask;
  Index element, len, d_k, d_v;
  MatrixView query, key, value;
  Real scale;  // 1 / sqrt(d_k)

  NeighborKeys keys(Index i) const { return mask.visible_keys(element, i); }
  Index first_query() const { return std::min(mask.global, len); }
};

NeighborHead head_of(const NeighborAttentionCache& cache, Index element, Index head) {
  const Index d_k = cache.query.dim(2) / cache.heads, d_v = cache.value.dim(2) / cache.heads;
  return {.mask = cache.mask,
          .element = element,
          .len = cache.query.dim(1),
          .d_k = d_k,
          .d_v = d_v,
          .query = head_columns(cache.query, element, head, cache.heads),
          .key = head_columns(cache.key, element, head, cache.heads),
          .value = head_columns(cache.value, element, head, cache.heads),
          .scale = 1 / std::sqrt(static_cast<Real>(d_k))};
}

// Queries i .. i + rows - 1. Together they see the global keys, and the keys begin .. end - 1, for both ends
// of a window move on with the query. A block's matrices have a column for each of these keys, in this order.
struct Block {
  Block(const NeighborHead& of_head, Index first)
      : head(of_head),
        i(first),
        rows(std::min(kBlockRows, of_head.len - first)),
        global(of_head.keys(first).global),
        begin(of_head.keys(first).begin),
        end(of_head.keys(first + rows - 1).end) {}

  const NeighborHead& head;
  Index i, rows, global, begin, end;

  Index columns() const { return global + end - begin; }
  Index column_of(Index key) const { return global + key - begin; }
  // The pairs of a query and a key that it sees.
  std::int64_t visible_pairs() const {
    std::int64_t pairs = 0;
    for (Index query = i; query < i + rows; ++query) pairs += head.keys(query).count();
    return pairs;
  }
};

// Rows begin .. end - 1 of x, transposed into columns of `to`, whose rows are to_stride apart.
void transpose_rows(const MatrixView& x, Index begin, Index end, Real* to, Index to_stride) {
  const Index width = kernels().tile_cols;
  Scratch scratch;
  Real* panel = scratch.take(width * x.cols);
  for (Index j = begin; j < end; j += width) {
    const Index columns = std::min(width, end - j);
    kernels().pack_transposed(columns, x.cols, x.data + j * x.row_stride, x.row_stride, panel);
    for (Index p = 0; p < x.cols; ++p)
      std::copy_n(panel + p * width, columns, to + p * to_stride + j - begin);
  }
}

// The keys or values of a block as columns: [d_k or d_v, columns].
Real* block_transposed(const Block& block, const MatrixView& x, Scratch& scratch) {
  Real* to = scratch.take(x.cols * block.columns());
  transpose_rows(x, 0, block.global, to, block.columns());
  transpose_rows(x, block.begin, block.end, to + block.global, block.columns());
  return to;
}

// products = x times the transposed rows that a query sees, for one row x [depth].
//   products [block.columns()]; only those of the visible keys are set
void multiply_visible(const Block& block, const NeighborKeys& keys, const Real* x, Index depth,
                      const Real* transposed, Real* products) {
  const LeftMicroPanels row = left_in_place({x, 1, depth, depth});
  const auto multiply_columns = [&](Index column, Index count) {
    const MatrixView columns = {transposed + column, depth, count, block.columns()};
    macro_kernel(row, right_in_place(columns), products + column, block.columns(), false);
  };
  multiply_columns(0, keys.global);
  multiply_columns(block.column_of(keys.begin), keys.end - keys.begin);
}

// sum = the sum of the rows of x that a query sees, each with its factor in `factors` [block.columns()].
void sum_visible(const Block& block, const NeighborKeys& keys, const Real* factors, const MatrixView& x,
                 Real* sum) {
  const auto add_rows = [&](Index column, Index row, Index count, bool accumulate) {
    const MatrixView rows = {x.data + row * x.row_stride, count, x.cols, x.row_stride};
    macro_kernel(left_in_place({factors + column, 1, count, count}), right_in_place(rows), sum, x.cols,
                 accumulate);
  };
  add_rows(0, 0, keys.global, false);
  add_rows(block.column_of(keys.begin), keys.begin, keys.end - keys.begin, true);
}

// The products of the visible keys in a block's row: those with global keys, and those with the window.
struct VisibleProducts {
  VisibleProducts(const Block& block, const NeighborKeys& keys, Real* row)
      : global(row),
        window(row + block.column_of(keys.begin)),
        globals(keys.global),
        windows(keys.end - keys.begin) {}

  Real *global, *window;
  Index globals, windows;  // how many
};

// exp(score - shift) in place; returns their sum.
double exp_sum(const VisibleProducts& scores, Real shift) {
  return kernels().exp_sum(scores.globals, shift, scores.global, scores.global) +
         kernels().exp_sum(scores.windows, shift, scores.window, scores.window);
}

void forward_block(const Block& block, Real* output, Index output_stride, Real* log_sums) {
  const NeighborHead& head = block.head;
  Scratch scratch;
  const Real* keys_transposed = block_transposed(block, head.key, scratch);
  Real* scaled = scratch.take(head.d_k);
  Real* row = scratch.take(block.columns());
  count_multiply_adds(block.visible_pairs() * (head.d_k + head.d_v));
  for (Index i = block.i; i < block.i + block.rows; ++i) {
    const NeighborKeys keys = head.keys(i);
    Real* to = output + i * output_stride;
    if (keys.count() == 0) {
      std::fill_n(to, head.d_v, Real{0});
      log_sums[i] = 0;
      continue;
    }
    kernels().scale(head.d_k, head.scale, head.query.data + i * head.query.row_stride, scaled);
    multiply_visible(block, keys, scaled, head.d_k, keys_transposed, row);
    const VisibleProducts scores(block, keys, row);
    const Real largest = std::max(kernels().largest(scores.globals, scores.global),
                                  kernels().largest(scores.windows, scores.window));
    const auto sum = static_cast<Real>(exp_sum(scores, largest));
    sum_visible(block, keys, row, head.value, to);
    kernels().scale(head.d_v, 1 / sum, to, to);
    log_sums[i] = largest + std::log(sum);
  }
}

}  // namespace

Tensor neighbor_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                  const NeighborMask& mask, Index heads, NeighborAttentionCache& cache) {
  const Index batch = query.dim(0), len = query.dim(1), width = value.dim(2);
  Tensor output(value.shape());
  cache = {.way = Way::kFast,
           .query = query,
           .key = key,
           .value = value,
           .mask = mask,
           .heads = heads,
           .log_sums = Tensor({batch, heads, len})};
  Real* to_output = output.mutable_data();
  Real* log_sums = cache.log_sums.mutable_data();
  for_each_head(batch, heads, [&](Index element, Index index) {
    const NeighborHead head = head_of(cache, element, index);
    Real* to = to_output + head_offset(output, element, index, heads);
    for (Index i = head.first_query(); i < len; i += kBlockRows)
      forward_block(Block(head, i), to, width, log_sums + (element * heads + index) * len);
  });
  output = global_positions_forward(std::move(output), cache);
  cache.output = output;
  return output;
}

namespace {

// One head's share of the tensors that gradients come from and go to.
struct NeighborHeadGradients {
  const Real *grad_output, *output;  // [len, d_v]
  Index output_stride;               // of both, and of value
  const Real* log_sums;              // [len]
  Real *query, *key, *value;         // [len, d_k], [len, d_k], [len, d_v]; key and value begin as zeros
  Index key_stride;                  // of query and key
};

// A block's matrices, of which only the elements of visible keys are set.
struct BlockMatrices {
  Real *p, *grad_scores;  // [rows, block.columns()]
  Real* scaled;           // [rows, d_k]: the queries, divided by sqrt(d_k)
};

// The rows of a block: their weights p, the gradients of their scores, and those of their queries.
void backward_rows(const Block& block, const NeighborHeadGradients& to, const BlockMatrices& matrices) {
  const NeighborHead& head = block.head;
  const Index d_k = head.d_k, d_v = head.d_v;
  Scratch scratch;
  const Real* keys_transposed = block_transposed(block, head.key, scratch);
  const Real* values_transposed = block_transposed(block, head.value, scratch);
  for (Index row = 0; row < block.rows; ++row) {
    const Index i = block.i + row;
    const NeighborKeys keys = head.keys(i);
    Real* p_row = matrices.p + row * block.columns();
    Real* grad_row = matrices.grad_scores + row * block.columns();
    Real* scaled = matrices.scaled + row * d_k;
    const Real* grad_output = to.grad_output + i * to.output_stride;

    kernels().scale(d_k, head.scale, head.query.data + i * head.query.row_stride, scaled);
    multiply_visible(block, keys, scaled, d_k, keys_transposed, p_row);
    multiply_visible(block, keys, grad_output, d_v, values_transposed, grad_row);
    const VisibleProducts p(block, keys, p_row), grad(block, keys, grad_row);
    exp_sum(p, to.log_sums[i]);
    const Real mean = kernels().dot(d_v, grad_output, to.output + i * to.output_stride);
    kernels().softmax_gradient(p.globals, mean, grad.global, p.global, grad.global);
    kernels().softmax_gradient(p.windows, mean, grad.window, p.window, grad.window);
    sum_visible(block, keys, grad_row, head.key, to.query + i * to.key_stride);
    kernels().scale(d_k, head.scale, to.query + i * to.key_stride, to.query + i * to.key_stride);
  }
}

// The block's share of the gradients of keys and values. All its queries see the global keys. A key of the
// window is seen by neighboring queries, for it is their neighbor.
void backward_columns(const Block& block, const NeighborHeadGradients& to, const BlockMatrices& matrices) {
  const NeighborHead& head = block.head;
  const Index d_k = head.d_k, d_v = head.d_v, columns = block.columns();
  const auto add = [&](Index column, Index count, Index first, Index last, Index key) {
    const auto factors = [&](const Real* x) {
      return left_transposed_in_place({x + first * columns + column, last - first, count, columns});
    };
    const MatrixView scaled = {matrices.scaled + first * d_k, last - first, d_k, d_k};
    const MatrixView grad_output = {to.grad_output + (block.i + first) * to.output_stride, last - first, d_v,
                                    to.output_stride};
    macro_kernel(factors(matrices.grad_scores), right_in_place(scaled), to.key + key * to.key_stride,
                 to.key_stride, true);
    macro_kernel(factors(matrices.p), right_in_place(grad_output), to.value + key * to.output_stride,
                 to.output_stride, true);
  };
  add(0, block.global, 0, block.rows, 0);
  for (Index key = block.begin; key < block.end; ++key) {
    const Index first = std::max(key - head.mask.after() - block.i, Index{0});
    const Index last = std::min(key + head.mask.before() + 1 - block.i, block.rows);
    add(block.column_of(key), 1, first, last, key);
  }
}

void backward_neighbor_head(const NeighborHead& head, const NeighborHeadGradients& to) {
  for (Index i = head.first_query(); i < head.len; i += kBlockRows) {
    const Block block(head, i);
    Scratch scratch;
    const BlockMatrices matrices = {.p = scratch.take(block.rows * block.columns()),
                                    .grad_scores = scratch.take(block.rows * block.columns()),
                                    .scaled = scratch.take(block.rows * head.d_k)};
    count_multiply_adds(block.visible_pairs() * (3 * head.d_k + 2 * head.d_v));
    backward_rows(block, to, matrices);
    backward_columns(block, to, matrices);
  }
}

}  // namespace

AttentionGradients neighbor_attention_backward(const Tensor& grad_output,
                                               const NeighborAttentionCache& cache) {
  const Index batch = cache.query.dim(0), heads = cache.heads, len = cache.query.dim(1);
  const Index key_width = cache.query.dim(2), value_width = cache.value.dim(2);  // heads * d_k, heads * d_v
  AttentionGradients grad = {Tensor(cache.query.shape()), Tensor::zeros(cache.key.shape()),
                             Tensor::zeros(cache.value.shape())};
  Real *grad_query = grad.query.mutable_data(), *grad_key = grad.key.mutable_data();
  Real* grad_value = grad.value.mutable_data();
  for_each_head(batch, heads, [&](Index element, Index index) {
    const Index at_key = head_offset(cache.key, element, index, heads);
    const Index at_value = head_offset(cache.value, element, index, heads);
    backward_neighbor_head(head_of(cache, element, index),
                           {.grad_output = grad_output.data() + at_value,
                            .output = cache.output.data() + at_value,
                            .output_stride = value_width,
                            .log_sums = cache.log_sums.data() + (element * heads + index) * len,
                            .query = grad_query + at_key,
                            .key = grad_key + at_key,
                            .value = grad_value + at_value,
                            .key_stride = key_width});
  });
  return global_positions_backward(grad_output, cache, std::move(grad));
}

}  // namespace plainformer::fast
