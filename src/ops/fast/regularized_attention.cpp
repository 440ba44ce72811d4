// Equation (1) with regularized weights (ops/attention_regularization.h), and its backward. Unlike the fused
// attention it keeps the matrix of weights, because the penalty needs all of them in the backward pass.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/multiply_adds.h"
#include "core/scratch.h"
#include "core/thread_pool.h"
#include "ops/dropout.h"
#include "ops/fast/fast.h"
#include "ops/fast/head_columns.h"
#include "ops/fast/macro_kernel.h"

namespace plainformer::fast {

namespace {

// One head of one sentence: matrices that lie inside the tensors.
struct Head {
  Index task;                    // its number: element of the batch * heads + head
  MatrixView query, key, value;  // [query_len, d_k], [key_len, d_k], [key_len, d_v]
  const Index* visible_keys;     // [query_len]
  MatrixView weights;            // [query_len, key_len]
  Index penalized;               // rows of weights with a penalty
  Real scale;                    // 1 / sqrt(d_k)

  Index scores() const { return weights.rows * weights.cols; }
};

Head head_of(const AttentionCache& cache, Index task) {
  const Index heads = cache.heads, element = task / heads, head = task % heads;
  const MatrixView query = head_columns(cache.query, element, head, heads),
                   key = head_columns(cache.key, element, head, heads);
  return {.task = task,
          .query = query,
          .key = key,
          .value = head_columns(cache.value, element, head, heads),
          .visible_keys = cache.visible_keys.data() + element * query.rows,
          .weights = {cache.weights.data() + task * query.rows * key.rows, query.rows, key.rows, key.rows},
          .penalized = cache.regularization.penalty > 0 ? cache.regularization.query_lengths[element] : 0,
          .scale = 1 / std::sqrt(static_cast<Real>(query.cols))};
}

// 1 / (1 - p), or 0 if the head is dropped.
Real factor_of_head(const AttentionRegularization& regularization, Index task) {
  const Real p = regularization.head_dropout;
  const std::uint32_t bits = random_bits(regularization.head_stream, static_cast<std::uint32_t>(task));
  return bits < dropout_threshold(p) ? 0 : 1 / (1 - p);
}

// x -> Dropout(x), elementwise, for a matrix of the head's scores. The same stream drops the same elements in
// both directions.
void drop(const AttentionRegularization& regularization, const Head& head, const Real* x, Real* y) {
  const Real p = regularization.weight_dropout, factor = factor_of_head(regularization, head.task);
  kernels().dropout(head.scores(), regularization.weight_stream,
                    static_cast<std::uint32_t>(head.task * head.scores()), dropout_threshold(p),
                    factor / (1 - p), x, y);
}

// c = a b^T
void multiply_transposed(const MatrixView& a, const MatrixView& b, Real* c, Scratch& scratch) {
  macro_kernel(left_in_place(a), pack_right_transposed(b, scratch), c, b.rows, false);
}

void weights_forward(const Head& head, Real* weights, Scratch& scratch) {
  // Step 1. MatMul: scores = Q K^T.
  multiply_transposed(head.query, head.key, weights, scratch);

  for (Index i = 0; i < head.weights.rows; ++i) {
    Real* row = weights + i * head.weights.cols;
    const Index seen = head.visible_keys[i];
    // Step 2. Scale: scores = scores / sqrt(d_k).
    kernels().scale(seen, head.scale, row, row);
    // Step 3. Mask. Step 4. SoftMax: weights = softmax(scores) over the visible keys, 0 for the others.
    if (seen > 0) kernels().softmax(seen, row, row);
    std::fill(row + seen, row + head.weights.cols, Real{0});
  }
}

// grad_weights -> grad_scores, in place.
void weights_backward(const Head& head, Real* grad) {
  for (Index i = 0; i < head.weights.rows; ++i) {
    const Real* weights = head.weights.data + i * head.weights.cols;
    Real* row = grad + i * head.weights.cols;
    const Index seen = head.visible_keys[i];
    // Steps 4 and 3 were: weights = softmax(scores) over the visible keys, 0 for the others.
    kernels().softmax_gradient(seen, kernels().dot(seen, row, weights), row, weights, row);
    std::fill(row + seen, row + head.weights.cols, Real{0});
    // Step 2 was: scores = scores / sqrt(d_k).
    kernels().scale(seen, head.scale, row, row);
  }
}

}  // namespace

Tensor regularized_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const AttentionMask& mask, Index heads, AttentionCache& cache) {
  const Index batch = query.dim(0), query_len = query.dim(1), key_len = key.dim(1), width = value.dim(2);
  Tensor output({batch, query_len, width}), weights({batch, heads, query_len, key_len});
  cache = {.way = Way::kFast,
           .query = query,
           .key = key,
           .value = value,
           .visible_keys = mask.visible_keys_of_scores(/*heads=*/1, query_len, key_len),
           .weights = std::move(weights),
           .heads = heads,
           .regularization = cache.regularization};
  Real* to_weights = cache.weights.mutable_data();
  Real* to_output = output.mutable_data();
  parallel_for(batch * heads, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      Scratch scratch;
      const Head head = head_of(cache, task);
      count_multiply_adds(std::int64_t{head.scores()} * (head.query.cols + head.value.cols));
      weights_forward(head, to_weights + task * head.scores(), scratch);

      // Step 5. Drop: kept = Dropout(weights).
      Real* kept = scratch.take(head.scores());
      drop(cache.regularization, head, head.weights.data, kept);

      // Step 6. MatMul: output = kept V.
      const Index at = task / heads * query_len * width + task % heads * head.value.cols;
      macro_kernel(left_in_place({kept, query_len, key_len, key_len}), right_in_place(head.value),
                   to_output + at, width, false);
    }
  });
  return output;
}

namespace {

// Where one head's gradients go.
struct HeadGradients {
  Real *query, *key, *value;
  Index query_stride, value_stride;
};

void backward_head(const Head& head, const AttentionRegularization& regularization,
                   const MatrixView& grad_output, const HeadGradients& to) {
  Scratch scratch;
  const Index query_len = head.weights.rows, key_len = head.weights.cols;
  count_multiply_adds(2 * std::int64_t{head.scores()} * (head.query.cols + head.value.cols));
  Real* kept = scratch.take(head.scores());
  Real* grad = scratch.take(head.scores());
  drop(regularization, head, head.weights.data, kept);

  // Step 6 was: output = kept V. Both factors get a gradient.
  macro_kernel(left_transposed_in_place({kept, query_len, key_len, key_len}), right_in_place(grad_output),
               to.value, to.value_stride, false);
  multiply_transposed(grad_output, head.value, grad, scratch);

  // Step 5 was: kept = Dropout(weights). The penalty is a second way from the weights to the loss.
  drop(regularization, head, grad, grad);
  for (Index e = 0; e < head.penalized * key_len; ++e)
    grad[e] += 2 * regularization.penalty * head.weights.data[e];

  weights_backward(head, grad);

  // Step 1 was: scores = Q K^T. Both factors get a gradient.
  const MatrixView grad_scores = {grad, query_len, key_len, key_len};
  macro_kernel(left_in_place(grad_scores), right_in_place(head.key), to.query, to.query_stride, false);
  macro_kernel(left_transposed_in_place(grad_scores), right_in_place(head.query), to.key, to.query_stride,
               false);
}

}  // namespace

AttentionGradients regularized_attention_backward(const Tensor& grad_output, const AttentionCache& cache) {
  const Index batch = cache.query.dim(0), heads = cache.heads;
  const Index query_len = cache.query.dim(1), key_len = cache.key.dim(1);
  const Index key_width = cache.query.dim(2), value_width = cache.value.dim(2);  // heads * d_k, heads * d_v
  AttentionGradients grad = {Tensor(cache.query.shape()), Tensor(cache.key.shape()),
                             Tensor(cache.value.shape())};
  Real *grad_query = grad.query.mutable_data(), *grad_key = grad.key.mutable_data();
  Real* grad_value = grad.value.mutable_data();
  parallel_for(batch * heads, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index element = task / heads, index = task % heads;
      const Head head = head_of(cache, task);
      backward_head(head, cache.regularization, head_columns(grad_output, element, index, heads),
                    {.query = grad_query + element * query_len * key_width + index * head.query.cols,
                     .key = grad_key + element * key_len * key_width + index * head.query.cols,
                     .value = grad_value + element * key_len * value_width + index * head.value.cols,
                     .query_stride = key_width,
                     .value_stride = value_width});
    }
  });
  return grad;
}

}  // namespace plainformer::fast
