// Equation (1) in all heads, tile by tile. The matrix of weights never exists as a whole, so memory grows
// with the number of queries, and not with queries times keys.
//
// A row's softmax needs its largest score and the sum of its exponentials, and both are known only at the end
// of the row. But they can be corrected on the way. When a tile brings a new largest score m' > m, every term
// of the sum so far was exp(score - m) and must become exp(score - m'): the sum is multiplied by exp(m - m').
// (Milakov & Gimelshein 2018, "Online normalizer calculation for softmax"; Dao et al. 2022,
// "FlashAttention".) Backward computes the scores again, with the sums that are known by then.
#include "ops/fast/scaled_dot_product_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/storage.h"
#include "core/thread_pool.h"
#include "ops/fast/macro_kernel.h"

namespace plainformer::fast {

// Some thirty, in whole tiles of the micro-kernel.
Index queries_of_tile() {
  return 32 / kernels().tile_rows * kernels().tile_rows;
}

Index head_grain(std::int64_t products) {
  return static_cast<Index>(std::max<std::int64_t>(1, 100'000 / (products + 2'000)));
}

namespace {

// The heads are side by side in the columns of a tensor: head h is the h-th block.

// Calls body(element, head) for each head of each element of the batch, on several threads.
//   products   the multiply-adds of one head
template <typename Body>
void for_each_head(Index batch, Index heads, std::int64_t products, const Body& body) {
  parallel_for(batch * heads, head_grain(products), [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) body(task / heads, task % heads);
  });
}

// The elements of x before the first one of that head.    x [batch, len, heads * width]
Index head_offset(const Tensor& x, Index element, Index head, Index heads) {
  const Index len = x.dim(1), row_stride = x.dim(2);
  return element * len * row_stride + head * (row_stride / heads);
}

// The columns of one head of one element of the batch.    x [batch, len, heads * width] -> [len, width]
MatrixView head_columns(const Tensor& x, Index element, Index head, Index heads) {
  const Index len = x.dim(1), width = x.dim(2) / heads;
  return columns_of(rows_of(as_matrix(x), element * len, len), head * width, width);
}

// At most this many columns of the scores at a time, so that a tile of scores stays in the first-level cache.
constexpr Index kTileColumns = 128;

// One head of one sentence: matrices that lie inside the tensors.
struct Head {
  Index query_len, d_k, d_v;
  Index seen_keys;  // the keys that some query sees: a prefix
  MatrixView query, key, value;
  const Index* visible_keys;  // [query_len]: the number of keys that each query sees
  Real scale;                 // 1 / sqrt(d_k)

  MatrixView seen(const MatrixView& x) const { return rows_of(x, 0, seen_keys); }
};

Head head_of(const AttentionCache& cache, Index element, Index head) {
  const Index query_len = cache.query.dim(1);
  const Index d_k = cache.query.dim(2) / cache.heads, d_v = cache.value.dim(2) / cache.heads;
  const Index* visible_keys = cache.visible_keys.data() + element * query_len;
  return {.query_len = query_len,
          .d_k = d_k,
          .d_v = d_v,
          .seen_keys = query_len == 0 ? 0 : *std::max_element(visible_keys, visible_keys + query_len),
          .query = head_columns(cache.query, element, head, cache.heads),
          .key = head_columns(cache.key, element, head, cache.heads),
          .value = head_columns(cache.value, element, head, cache.heads),
          .visible_keys = visible_keys,
          .scale = 1 / std::sqrt(static_cast<Real>(d_k))};
}

// A tile of scores: queries i .. i + rows - 1 against keys j .. j + columns - 1.
struct ScoreTile {
  Index i, rows, j, columns;

  MatrixView view(const Real* data) const { return {data, rows, columns, kTileColumns}; }

  // How many of the tile's columns its row `row` sees.
  Index seen_by(const Head& head, Index row) const {
    return std::clamp<Index>(head.visible_keys[i + row] - j, 0, columns);
  }
};

// The number of columns of the scores that are computed together, in whole micro-panels.
Index columns_of_tile() {
  return kTileColumns / kernels().tile_cols * kernels().tile_cols;
}

// The queries of a tile, divided by sqrt(d_k): for long rows cheaper than to divide the scores, and grad_key
// needs them.
MatrixView scaled_queries(const Head& head, Index i, Index rows, Real* to) {
  for (Index row = 0; row < rows; ++row)
    kernels().scale(head.d_k, head.scale, head.query.data + (i + row) * head.query.row_stride,
                    to + row * head.d_k);
  return {to, rows, head.d_k, head.d_k};
}

// The keys or values that are seen, as a right factor: packed if many tiles use them, else in place.
RightMicroPanels right_factor(const Head& head, const MatrixView& x, Scratch& scratch) {
  const MatrixView seen = head.seen(x);
  return head.query_len <= 2 * queries_of_tile() ? right_in_place(seen)
                                                 : pack_right(seen, Transpose::kNo, scratch);
}

// The softmax of a tile's rows over the keys so far.
struct RunningSoftmax {
  Real* largest;  // the largest score
  Real* sum;      // the sum of exp(score - largest)
};

// Turns one tile of scores into exp(score - largest), and corrects sum and output, which cover the earlier
// tiles.
void advance_softmax(const Head& head, const ScoreTile& tile, const RunningSoftmax& running, Real* scores,
                     Real* output) {
  for (Index row = 0; row < tile.rows; ++row) {
    Real* score_row = scores + row * kTileColumns;
    const Index seen = tile.seen_by(head, row);
    if (seen > 0) {
      const Real largest = std::max(running.largest[row], kernels().largest(seen, score_row));
      const auto tile_sum = static_cast<Real>(kernels().exp_sum(seen, largest, score_row, score_row));
      if (largest > running.largest[row]) {
        const Real correction =
            std::exp(running.largest[row] - largest);  // exp(-infinity) = 0 in the first tile
        running.sum[row] *= correction;
        if (tile.j > 0)
          kernels().scale(head.d_v, correction, output + row * head.d_v, output + row * head.d_v);
        running.largest[row] = largest;
      }
      running.sum[row] += tile_sum;
    }
    std::fill(score_row + seen, score_row + tile.columns, Real{0});
  }
}

void forward_head(const Head& head, Real* to_output, Index output_stride, Real* log_sums) {
  const Index d_v = head.d_v, tile_rows = queries_of_tile();
  Scratch scratch;
  const RightMicroPanels key_transposed = pack_right(head.seen(head.key), Transpose::kYes, scratch);
  const RightMicroPanels value = right_factor(head, head.value, scratch);
  Real* scaled_memory = scratch.take(tile_rows * head.d_k);
  Real* scores = scratch.take(tile_rows * kTileColumns);
  Real* output = scratch.take(tile_rows * d_v);
  const RunningSoftmax running = {scratch.take(tile_rows), scratch.take(tile_rows)};

  for (Index i = 0; i < head.query_len; i += tile_rows) {
    const Index rows = std::min(tile_rows, head.query_len - i);
    const Index last = *std::max_element(head.visible_keys + i, head.visible_keys + i + rows);
    const MatrixView query = scaled_queries(head, i, rows, scaled_memory);
    std::fill_n(running.largest, rows, -std::numeric_limits<Real>::infinity());
    std::fill_n(running.sum, rows, Real{0});
    for (Index j = 0; j < last; j += columns_of_tile()) {
      const ScoreTile tile = {i, rows, j, std::min(columns_of_tile(), last - j)};
      macro_kernel(left_in_place(query), key_transposed.columns(j, tile.columns), scores, kTileColumns,
                   false);
      advance_softmax(head, tile, running, scores, output);
      macro_kernel(left_in_place(tile.view(scores)), value.rows(j, tile.columns), output, d_v, j > 0);
    }
    for (Index row = 0; row < rows; ++row) {
      Real* to = to_output + (i + row) * output_stride;
      const bool sees = head.visible_keys[i + row] > 0;
      if (sees) kernels().scale(d_v, 1 / running.sum[row], output + row * d_v, to);
      if (!sees) std::fill_n(to, d_v, Real{0});
      log_sums[i + row] = sees ? running.largest[row] + std::log(running.sum[row]) : 0;
    }
  }
}

void check_attention(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                     Index heads) {
  const Index batch = mask.batch(), query_len = query.dim(1), key_len = key.dim(1);
  CHECK(heads > 0 && query.dim(-1) % heads == 0 && value.dim(-1) % heads == 0, heads, " heads of query ",
        query.shape().to_string(), " and value ", value.shape().to_string());
  const Index d_k = query.dim(-1) / heads, d_v = value.dim(-1) / heads;
  CHECK_SHAPE(query, batch, query_len, heads * d_k);
  CHECK_SHAPE(key, batch, key_len, heads * d_k);
  CHECK_SHAPE(value, batch, key_len, heads * d_v);
}

}  // namespace

Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache) {
  check_attention(query, key, value, mask, heads);
  const Index batch = query.dim(0), query_len = query.dim(1), width = value.dim(2);
  Tensor output({batch, query_len, width});
  cache = {.query = query,
           .key = key,
           .value = value,
           .visible_keys = mask.visible_keys_of_scores(/*heads=*/1, query_len, key.dim(1)),
           .output = {},
           .log_sums = Tensor({batch, heads, query_len}),
           .heads = heads};
  Real* to_output = output.mutable_data();
  Real* log_sums = cache.log_sums.mutable_data();
  const std::int64_t products = std::int64_t{query_len} * key.dim(1) * (query.dim(2) + width) / heads;
  for_each_head(batch, heads, products, [&](Index element, Index index) {
    forward_head(head_of(cache, element, index), to_output + head_offset(output, element, index, heads),
                 width, log_sums + (element * heads + index) * query_len);
  });
  cache.output = output;
  return output;
}

namespace {

// One head's share of the tensors that gradients come from and go to.
struct HeadGradients {
  MatrixView grad_output, output;  // [query_len, d_v]
  const Real* log_sums;            // [query_len]
  Real *query, *key, *value;       // [query_len, d_k], [key_len, d_k], [key_len, d_v]
  Index key_stride, value_stride;  // of query and key, and of value
};

// scores S -> weights P = exp(S - log_sum); grad_P -> grad_S = P (grad_P - mean).
void softmax_rows_backward(const Head& head, const ScoreTile& tile, const Real* log_sums, const Real* means,
                           Real* scores, Real* grad_scores) {
  for (Index row = 0; row < tile.rows; ++row) {
    Real* p = scores + row * kTileColumns;
    Real* grad = grad_scores + row * kTileColumns;
    const Index seen = tile.seen_by(head, row);
    kernels().exp_sum(seen, log_sums[tile.i + row], p, p);
    kernels().softmax_gradient(seen, means[row], grad, p, grad);
    std::fill(p + seen, p + tile.columns, Real{0});
    std::fill(grad + seen, grad + tile.columns, Real{0});
  }
}

// The right factors of one head's backward, and its working memory.
struct BackwardMemory {
  explicit BackwardMemory(const Head& head, Scratch& scratch)
      : key(right_factor(head, head.key, scratch)),
        key_transposed(pack_right(head.seen(head.key), Transpose::kYes, scratch)),
        value_transposed(pack_right(head.seen(head.value), Transpose::kYes, scratch)),
        grad_key(scratch.take(head.seen_keys * head.d_k)),
        grad_value(scratch.take(head.seen_keys * head.d_v)),
        grad_query(scratch.take(queries_of_tile() * head.d_k)),
        scaled(scratch.take(queries_of_tile() * head.d_k)),
        scores(scratch.take(queries_of_tile() * kTileColumns)),
        grad_scores(scratch.take(queries_of_tile() * kTileColumns)),
        means(scratch.take(queries_of_tile())) {
    std::fill_n(grad_key, head.seen_keys * head.d_k, Real{0});
    std::fill_n(grad_value, head.seen_keys * head.d_v, Real{0});
  }
  RightMicroPanels key, key_transposed, value_transposed;
  Real *grad_key, *grad_value;  // [seen_keys, d_k], [seen_keys, d_v]: sums over all queries
  Real *grad_query, *scaled;    // [rows, d_k]
  Real *scores, *grad_scores;   // [rows, kTileColumns]
  Real* means;                  // [rows]
};

// Queries i .. i + rows - 1: their own gradients, and their share of the keys' and values'.
void backward_queries(const Head& head, Index i, Index rows, const HeadGradients& to,
                      const BackwardMemory& memory) {
  const Index d_k = head.d_k, d_v = head.d_v;
  const Index last = *std::max_element(head.visible_keys + i, head.visible_keys + i + rows);
  const MatrixView scaled = scaled_queries(head, i, rows, memory.scaled);
  const MatrixView grad_output = rows_of(to.grad_output, i, rows), output = rows_of(to.output, i, rows);
  for (Index row = 0; row < rows; ++row)
    memory.means[row] = kernels().dot(d_v, grad_output.data + row * grad_output.row_stride,
                                      output.data + row * output.row_stride);
  for (Index j = 0; j < last; j += columns_of_tile()) {
    const ScoreTile tile = {i, rows, j, std::min(columns_of_tile(), last - j)};
    macro_kernel(left_in_place(scaled), memory.key_transposed.columns(j, tile.columns), memory.scores,
                 kTileColumns, false);
    macro_kernel(left_in_place(grad_output), memory.value_transposed.columns(j, tile.columns),
                 memory.grad_scores, kTileColumns, false);
    softmax_rows_backward(head, tile, to.log_sums, memory.means, memory.scores, memory.grad_scores);

    const MatrixView p = tile.view(memory.scores), grad_s = tile.view(memory.grad_scores);
    macro_kernel(left_transposed_in_place(p), right_in_place(grad_output), memory.grad_value + j * d_v, d_v,
                 true);
    macro_kernel(left_transposed_in_place(grad_s), right_in_place(scaled), memory.grad_key + j * d_k, d_k,
                 true);
    macro_kernel(left_in_place(grad_s), memory.key.rows(j, tile.columns), memory.grad_query, d_k, j > 0);
  }
  if (last == 0) std::fill_n(memory.grad_query, rows * d_k, Real{0});
  for (Index row = 0; row < rows; ++row) {
    kernels().scale(d_k, head.scale, memory.grad_query + row * d_k, to.query + (i + row) * to.key_stride);
  }
}

void backward_head(const Head& head, const HeadGradients& to) {
  const Index d_k = head.d_k, d_v = head.d_v, seen_keys = head.seen_keys;
  Scratch scratch;
  const BackwardMemory memory(head, scratch);
  for (Index i = 0; i < head.query_len; i += queries_of_tile()) {
    backward_queries(head, i, std::min(queries_of_tile(), head.query_len - i), to, memory);
  }
  for (Index j = 0; j < seen_keys; ++j) {
    std::copy_n(memory.grad_key + j * d_k, d_k, to.key + j * to.key_stride);
    std::copy_n(memory.grad_value + j * d_v, d_v, to.value + j * to.value_stride);
  }
  for (Index j = seen_keys; j < head.key.rows; ++j) {  // keys that no query sees
    std::fill_n(to.key + j * to.key_stride, d_k, Real{0});
    std::fill_n(to.value + j * to.value_stride, d_v, Real{0});
  }
}

}  // namespace

AttentionGradients attention_backward(const Tensor& grad_output, const AttentionCache& cache) {
  const Index batch = cache.query.dim(0), query_len = cache.query.dim(1), heads = cache.heads;
  const Index key_width = cache.query.dim(2), value_width = cache.value.dim(2);  // heads * d_k, heads * d_v
  CHECK_SHAPE(grad_output, batch, query_len, value_width);
  AttentionGradients grad = {Tensor(cache.query.shape()), Tensor(cache.key.shape()),
                             Tensor(cache.value.shape())};
  Real *grad_query = grad.q.mutable_data(), *grad_key = grad.k.mutable_data();
  Real* grad_value = grad.v.mutable_data();
  const std::int64_t products =
      std::int64_t{query_len} * cache.key.dim(1) * (3 * key_width + 2 * value_width) / heads;
  for_each_head(batch, heads, products, [&](Index element, Index index) {
    const auto offset_in = [&](const Tensor& x) { return head_offset(x, element, index, heads); };
    backward_head(head_of(cache, element, index),
                  {.grad_output = head_columns(grad_output, element, index, heads),
                   .output = head_columns(cache.output, element, index, heads),
                   .log_sums = cache.log_sums.data() + (element * heads + index) * query_len,
                   .query = grad_query + offset_in(cache.query),
                   .key = grad_key + offset_in(cache.key),
                   .value = grad_value + offset_in(cache.value),
                   .key_stride = key_width,
                   .value_stride = value_width});
  });
  return grad;
}

}  // namespace plainformer::fast
