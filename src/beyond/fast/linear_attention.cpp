// Linear attention in chunks of queries (or keys, backward). A chunk is computed in matrix products: with the
// sums over the keys that all of its queries see, and, where causality cuts through the chunk, with the few
// other keys pair by pair.
//
// The values get one more column, of ones. So S and z are one matrix, [d_k, d_v + 1], and so are numerators
// and denominators, [queries, d_v + 1].
#include "beyond/linear_attention.h"

#include <algorithm>

#include "beyond/fast/fast.h"
#include "core/scratch.h"
#include "kernels/kernels.h"
#include "ops/fast/head_columns.h"

namespace plainformer::fast {

namespace {

constexpr Index kChunk = 64;
constexpr Transpose kNo = Transpose::kNo, kYes = Transpose::kYes;

// One head of one batch element.
struct LinearHead {
  MatrixView query, key, value;  // [query_len, d_k], [key_len, d_k], [key_len, d_v]
  Index key_length;              // the keys that are not padding
  bool causal;

  Index d_k() const { return query.cols; }
  Index d_v() const { return value.cols; }
  Index query_len() const { return query.rows; }
  Index visible_keys(Index query_index) const {
    return causal ? std::min(key_length, query_index + 1) : key_length;
  }
  Index seen_keys() const { return query_len() > 0 ? visible_keys(query_len() - 1) : 0; }
  // The first query that sees the key.
  Index first_query(Index key_index) const { return causal ? key_index : 0; }
};

LinearHead head_of(const LinearAttentionCache& cache, Index b, Index h) {
  return {.query = head_columns(cache.query, b, h, cache.heads),
          .key = head_columns(cache.key, b, h, cache.heads),
          .value = head_columns(cache.value, b, h, cache.heads),
          .key_length = cache.mask.key_lengths[b],
          .causal = cache.mask.causal};
}

MatrixView matrix(const Real* data, Index rows, Index cols) {
  return {data, rows, cols, cols};
}

// The working memory of a chunk.
struct Chunk {
  Chunk(const LinearHead& head, Scratch& scratch)
      : d_k(head.d_k()),
        wide(head.d_v() + 1),
        features(scratch.take(kChunk * d_k)),
        other_features(scratch.take(kChunk * d_k)),
        values(scratch.take(kChunk * wide)),
        sums(scratch.take(d_k * wide)),
        rows_of_values(scratch.take(kChunk * wide)),
        rows_of_features(scratch.take(kChunk * d_k)),
        scores(scratch.take(kChunk * kChunk)) {
    std::fill_n(sums, d_k * wide, Real{0});
  }
  Index d_k, wide;                  // wide = d_v + 1
  Real *features, *other_features;  // [rows, d_k], phi of queries or keys
  Real* values;                     // [rows, d_v + 1]
  Real* sums;                       // [d_k, d_v + 1]: S and z, or their gradients
  Real* rows_of_values;             // [rows, d_v + 1], results
  Real* rows_of_features;           // [rows, d_k], results
  Real* scores;                     // [rows, rows]
};

// phi(x) = max(x, 0) + e^min(x, 0) of the rows first .. first + rows - 1.
MatrixView phi(const MatrixView& x, Index first, Index rows, Real* to) {
  for (Index r = 0; r < rows; ++r) {
    const Real* from = x.data + (first + r) * x.row_stride;
    Real* row = to + r * x.cols;
    for (Index p = 0; p < x.cols; ++p) row[p] = std::min(from[p], Real{0});
    kernels().exp_sum(x.cols, 0, row, row);
    for (Index p = 0; p < x.cols; ++p) row[p] += std::max(from[p], Real{0});
  }
  return matrix(to, rows, x.cols);
}

// grad_x = grad_y phi'(x), and phi' is the smaller one of phi and 1.
void phi_backward(const MatrixView& grad_y, const Real* y, Real* grad_x, Index row_stride) {
  for (Index r = 0; r < grad_y.rows; ++r)
    for (Index p = 0; p < grad_y.cols; ++p)
      grad_x[r * row_stride + p] =
          grad_y.data[r * grad_y.cols + p] * std::min(y[r * grad_y.cols + p], Real{1});
}

// The values of those rows, with the column of ones.
MatrixView with_ones(const MatrixView& value, Index first, Index rows, Real* to) {
  for (Index r = 0; r < rows; ++r) {
    Real* row = to + r * (value.cols + 1);
    std::copy_n(value.data + (first + r) * value.row_stride, value.cols, row);
    row[value.cols] = 1;
  }
  return matrix(to, rows, value.cols + 1);
}

// sums += phi(k)^T [v 1] for the keys `added` .. `end` - 1. Uses other_features and values.
void add_keys(const LinearHead& head, Index& added, Index end, const Chunk& chunk) {
  for (; added < end; added = std::min(added + kChunk, end)) {
    const Index rows = std::min(kChunk, end - added);
    const MatrixView k = phi(head.key, added, rows, chunk.other_features);
    const MatrixView v = with_ones(head.value, added, rows, chunk.values);
    multiply(k, kYes, v, kNo, chunk.sums, chunk.wide, /*accumulate=*/true);
  }
}

// Queries i .. i + rows - 1 see all keys before `all`. Of the keys `all` .. `last` - 1, each query sees those
// before its visible_keys. Where a query does not see a key, the product of the pair becomes 0.
void mask_pairs(const LinearHead& head, Index i, Index rows, Index all, Index last, Real* pairs) {
  for (Index r = 0; r < rows; ++r) {
    Real* row = pairs + r * (last - all);
    std::fill(row + (head.visible_keys(i + r) - all), row + (last - all), Real{0});
  }
}

struct HeadResult {
  Real *output, *denominators;  // [query_len, d_v], [query_len]
  Index output_stride;
};

void divide(const MatrixView& sums, Index i, const HeadResult& to) {
  const Index d_v = sums.cols - 1;
  for (Index r = 0; r < sums.rows; ++r) {
    const Real* row = sums.data + r * sums.cols;
    Real* output = to.output + (i + r) * to.output_stride;
    const Real denominator = row[d_v] < kLeastDenominator ? 0 : row[d_v];
    to.denominators[i + r] = denominator;
    for (Index c = 0; c < d_v; ++c) output[c] = denominator == 0 ? 0 : row[c] / denominator;
  }
}

void forward_linear_head(const LinearHead& head, const HeadResult& to) {
  Scratch scratch;
  const Chunk chunk(head, scratch);
  Index added = 0;
  for (Index i = 0; i < head.query_len(); i += kChunk) {
    const Index rows = std::min(kChunk, head.query_len() - i);
    const Index all = head.visible_keys(i), last = head.visible_keys(i + rows - 1);

    // The keys that all of these queries see.
    add_keys(head, added, all, chunk);
    const MatrixView q = phi(head.query, i, rows, chunk.features);
    multiply(q, kNo, matrix(chunk.sums, chunk.d_k, chunk.wide), kNo, chunk.rows_of_values, chunk.wide, false);

    // The keys that some of them see.
    if (last > all) {
      const MatrixView k = phi(head.key, all, last - all, chunk.other_features);
      const MatrixView v = with_ones(head.value, all, last - all, chunk.values);
      multiply(q, kNo, k, kYes, chunk.scores, last - all, false);
      mask_pairs(head, i, rows, all, last, chunk.scores);
      multiply(matrix(chunk.scores, rows, last - all), kNo, v, kNo, chunk.rows_of_values, chunk.wide, true);
    }
    divide(matrix(chunk.rows_of_values, rows, chunk.wide), i, to);
  }
}

}  // namespace

Tensor linear_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                const AttentionMask& mask, Index heads, LinearAttentionCache& cache) {
  const Index batch = query.dim(0), query_len = query.dim(1), width = value.dim(2);
  Tensor output({batch, query_len, width}), denominators({batch, heads, query_len});
  cache = {.way = Way::kFast, .query = query, .key = key, .value = value, .mask = mask, .heads = heads};
  Real *to_output = output.mutable_data(), *to_denominators = denominators.mutable_data();
  for_each_head(batch, heads, [&](Index b, Index h) {
    forward_linear_head(head_of(cache, b, h), {.output = to_output + head_offset(output, b, h, heads),
                                               .denominators = to_denominators + (b * heads + h) * query_len,
                                               .output_stride = width});
  });
  cache.output = output;
  cache.denominators = denominators;
  return output;
}

namespace {

// One head's share of the tensors that gradients come from and go to.
struct LinearHeadGradients {
  const Real *grad_output, *output;  // [query_len, d_v]
  const Real* denominators;          // [query_len]
  Real *query, *key, *value;         // [query_len, d_k], [key_len, d_k], [key_len, d_v]
  Index query_stride, value_stride;  // value_stride is also that of grad_output and output
};

// The gradients of numerators and denominators, side by side: [query_len, d_v + 1].
void divide_backward(const LinearHead& head, const LinearHeadGradients& from, Real* to) {
  const Index d_v = head.d_v();
  for (Index i = 0; i < head.query_len(); ++i, to += d_v + 1) {
    const Real* grad_output = from.grad_output + i * from.value_stride;
    const Real factor = from.denominators[i] == 0 ? 0 : 1 / from.denominators[i];
    kernels().scale(d_v, factor, grad_output, to);
    to[d_v] = -factor * kernels().dot(d_v, grad_output, from.output + i * from.value_stride);
  }
}

// The sums over the keys once more: grad_phi(q) = grad_sums [S z]^T.
void backward_queries(const LinearHead& head, const Real* grad_quotients, const LinearHeadGradients& to) {
  Scratch scratch;
  const Chunk chunk(head, scratch);
  Index added = 0;
  for (Index i = 0; i < head.query_len(); i += kChunk) {
    const Index rows = std::min(kChunk, head.query_len() - i);
    const Index all = head.visible_keys(i), last = head.visible_keys(i + rows - 1);
    const MatrixView grad = matrix(grad_quotients + i * chunk.wide, rows, chunk.wide);
    add_keys(head, added, all, chunk);
    multiply(grad, kNo, matrix(chunk.sums, chunk.d_k, chunk.wide), kYes, chunk.rows_of_features, chunk.d_k,
             false);
    if (last > all) {
      const MatrixView k = phi(head.key, all, last - all, chunk.other_features);
      const MatrixView v = with_ones(head.value, all, last - all, chunk.values);
      multiply(grad, kNo, v, kYes, chunk.scores, last - all, false);
      mask_pairs(head, i, rows, all, last, chunk.scores);
      multiply(matrix(chunk.scores, rows, last - all), kNo, k, kNo, chunk.rows_of_features, chunk.d_k, true);
    }
    phi(head.query, i, rows, chunk.features);
    phi_backward(matrix(chunk.rows_of_features, rows, chunk.d_k), chunk.features,
                 to.query + i * to.query_stride, to.query_stride);
  }
}

// sums += phi(q)^T grad for the queries from `end` to `added` - 1, the last chunk first. Chunks begin at
// multiples of their length, so padding at the end changes no sum.
void add_queries(const LinearHead& head, const Real* grad_quotients, Index& added, Index end,
                 const Chunk& chunk) {
  while (added > end) {
    const Index rows = std::min((added - 1) % kChunk + 1, added - end);
    added -= rows;
    const MatrixView q = phi(head.query, added, rows, chunk.other_features);
    multiply(q, kYes, matrix(grad_quotients + added * chunk.wide, rows, chunk.wide), kNo, chunk.sums,
             chunk.wide, /*accumulate=*/true);
  }
}

// Writes the gradients of keys j .. j + rows - 1, which are in the working memory.
void finish_keys(Index j, Index rows, const Chunk& chunk, const LinearHeadGradients& to) {
  phi_backward(matrix(chunk.rows_of_features, rows, chunk.d_k), chunk.features, to.key + j * to.query_stride,
               to.query_stride);
  for (Index r = 0; r < rows; ++r)
    std::copy_n(chunk.rows_of_values + r * chunk.wide, chunk.wide - 1, to.value + (j + r) * to.value_stride);
}

// The sums over the queries, from the last on: grad_phi(k) = [v 1] sums^T, grad_[v 1] = phi(k) sums.
void backward_keys(const LinearHead& head, const Real* grad_quotients, const LinearHeadGradients& to) {
  Scratch scratch;
  const Chunk chunk(head, scratch);
  Index added = head.query_len();
  for (Index end = head.seen_keys(); end > 0;) {
    const Index rows = (end - 1) % kChunk + 1, j = end - rows;
    const Index all = head.first_query(end - 1), first = head.first_query(j);
    add_queries(head, grad_quotients, added, all, chunk);
    const MatrixView k = phi(head.key, j, rows, chunk.features);
    const MatrixView v = with_ones(head.value, j, rows, chunk.values);
    const MatrixView sums = matrix(chunk.sums, chunk.d_k, chunk.wide);
    multiply(v, kNo, sums, kYes, chunk.rows_of_features, chunk.d_k, false);
    multiply(k, kNo, sums, kNo, chunk.rows_of_values, chunk.wide, false);
    if (all > first) {
      const MatrixView q = phi(head.query, first, all - first, chunk.other_features);
      const MatrixView grad = matrix(grad_quotients + first * chunk.wide, all - first, chunk.wide);
      const MatrixView pairs = matrix(chunk.scores, all - first, rows);
      multiply(q, kNo, k, kYes, chunk.scores, rows, false);
      mask_pairs(head, first, all - first, j, end, chunk.scores);
      multiply(pairs, kYes, grad, kNo, chunk.rows_of_values, chunk.wide, true);
      multiply(grad, kNo, v, kYes, chunk.scores, rows, false);
      mask_pairs(head, first, all - first, j, end, chunk.scores);
      multiply(pairs, kYes, q, kNo, chunk.rows_of_features, chunk.d_k, true);
    }
    finish_keys(j, rows, chunk, to);
    end = j;
  }
}

void backward_linear_head(const LinearHead& head, const LinearHeadGradients& to) {
  Scratch scratch;
  Real* grad_quotients = scratch.take(head.query_len() * (head.d_v() + 1));
  divide_backward(head, to, grad_quotients);
  backward_queries(head, grad_quotients, to);
  backward_keys(head, grad_quotients, to);
  for (Index j = head.seen_keys(); j < head.key.rows; ++j) {  // keys that no query sees
    std::fill_n(to.key + j * to.query_stride, head.d_k(), Real{0});
    std::fill_n(to.value + j * to.value_stride, head.d_v(), Real{0});
  }
}

}  // namespace

AttentionGradients linear_attention_backward(const Tensor& grad_output, const LinearAttentionCache& cache) {
  const Index batch = cache.query.dim(0), heads = cache.heads;
  const Index query_len = cache.query.dim(1);
  const Index key_width = cache.query.dim(2), value_width = cache.value.dim(2);  // heads * d_k, heads * d_v
  AttentionGradients grad = {Tensor(cache.query.shape()), Tensor(cache.key.shape()),
                             Tensor(cache.value.shape())};
  Real *grad_query = grad.query.mutable_data(), *grad_key = grad.key.mutable_data();
  Real* grad_value = grad.value.mutable_data();
  for_each_head(batch, heads, [&](Index b, Index h) {
    const auto offset_in = [&](const Tensor& x) { return head_offset(x, b, h, heads); };
    backward_linear_head(head_of(cache, b, h),
                         {.grad_output = grad_output.data() + offset_in(grad_output),
                          .output = cache.output.data() + offset_in(cache.output),
                          .denominators = cache.denominators.data() + (b * heads + h) * query_len,
                          .query = grad_query + offset_in(cache.query),
                          .key = grad_key + offset_in(cache.key),
                          .value = grad_value + offset_in(cache.value),
                          .query_stride = key_width,
                          .value_stride = value_width});
  });
  return grad;
}

}  // namespace plainformer::fast
