// Equation (1) with a hook between softmax and the product with V. Unlike the fused attention it computes the whole
// matrix of weights and keeps it, because the hook sees all of them.
#include "ops/fast/hooked_attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/multiply_adds.h"
#include "core/scratch.h"
#include "ops/fast/head_columns.h"
#include "ops/fast/macro_kernel.h"

namespace plainformer::fast {

namespace {

// One head of one sentence: matrices that lie inside the tensors of the forward pass.
struct HookedHead {
  MatrixView query, key, value;  // [query_len, d_k], [key_len, d_k], [key_len, d_v]
  const Index* visible_keys;     // [query_len]
  Real scale;                    // 1 / sqrt(d_k)
  Index scores_before;           // elements of weights [batch, heads, query_len, key_len] before this head's

  // This head's part of a tensor that is shaped like the weights.
  MatrixView matrix_in(const Tensor& weights) const {
    return {weights.data() + scores_before, query.rows, key.rows, key.rows};
  }
};

HookedHead hooked_head_of(const AttentionCache& cache, Index element, Index head) {
  const Index heads = cache.heads;
  const MatrixView query = head_columns(cache.query, element, head, heads),
                   key = head_columns(cache.key, element, head, heads);
  return {.query = query,
          .key = key,
          .value = head_columns(cache.value, element, head, heads),
          .visible_keys = cache.visible_keys.data() + element * query.rows,
          .scale = 1 / std::sqrt(static_cast<Real>(query.cols)),
          .scores_before = (element * heads + head) * query.rows * key.rows};
}

// c = a b^T
void multiply_transposed(const MatrixView& a, const MatrixView& b, Real* c) {
  Scratch scratch;
  count_multiply_adds(std::int64_t{a.rows} * a.cols * b.rows);
  macro_kernel(left_in_place(a), pack_right_transposed(b, scratch), c, b.rows, false);
}

// c = a b, into rows of a wider matrix.
void multiply_into(const MatrixView& a, const MatrixView& b, Real* c, Index stride) {
  count_multiply_adds(std::int64_t{a.rows} * a.cols * b.cols);
  macro_kernel(left_in_place(a), right_in_place(b), c, stride, false);
}

// c = a^T b, into rows of a wider matrix.
void multiply_transposed_into(const MatrixView& a, const MatrixView& b, Real* c, Index stride) {
  count_multiply_adds(std::int64_t{a.rows} * a.cols * b.cols);
  macro_kernel(left_transposed_in_place(a), right_in_place(b), c, stride, false);
}

void weights_forward(const HookedHead& head, Real* weights) {
  const Index query_len = head.query.rows, key_len = head.key.rows;

  // Step 1. MatMul: scores = Q K^T.
  multiply_transposed(head.query, head.key, weights);
  for (Index i = 0; i < query_len; ++i) {
    Real* row = weights + i * key_len;
    const Index seen = head.visible_keys[i];

    // Step 2. Scale: scores = scores / sqrt(d_k).
    kernels().scale(seen, head.scale, row, row);

    // Step 3. Mask. Step 4. SoftMax: weights = softmax(scores) over the visible keys, 0 for the others.
    if (seen > 0) kernels().softmax(seen, row, row);
    std::fill(row + seen, row + key_len, Real{0});
  }
}

// grad_weights -> grad_scores, in place.
void weights_backward(const HookedHead& head, const MatrixView& weights, Real* grad) {
  for (Index i = 0; i < weights.rows; ++i) {
    const Real* weights_of_query = weights.data + i * weights.cols;
    Real* row = grad + i * weights.cols;
    const Index seen = head.visible_keys[i];

    // Steps 4 and 3 were: weights = softmax(scores) over the visible keys, 0 for the others.
    kernels().softmax_gradient(seen, kernels().dot(seen, row, weights_of_query), row, weights_of_query, row);
    std::fill(row + seen, row + weights.cols, Real{0});

    // Step 2 was: scores = scores / sqrt(d_k).
    kernels().scale(seen, head.scale, row, row);
  }
}

}  // namespace

Tensor hooked_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                const AttentionMask& mask, Index heads, AttentionCache& cache,
                                const AttentionWeightsHook& hook) {
  const Index batch = query.dim(0), query_len = query.dim(1), key_len = key.dim(1), width = value.dim(2);
  cache = {.way = Way::kFast,
           .query = query,
           .key = key,
           .value = value,
           .visible_keys = mask.visible_keys_of_scores(/*heads=*/1, query_len, key_len),
           .weights = Tensor({batch, heads, query_len, key_len}),
           .heads = heads,
           .hook = hook};

  // Steps 1 to 4: weights = softmax(Q K^T / sqrt(d_k)).
  Real* weights = cache.weights.mutable_data();
  for_each_head(batch, heads, [&](Index element, Index index) {
    const HookedHead head = hooked_head_of(cache, element, index);
    weights_forward(head, weights + head.scores_before);
  });

  // The hook: kept = hook(weights).
  const Tensor kept = hook.forward(cache.weights);

  // Step 5. MatMul: output = kept V.
  Tensor output({batch, query_len, width});
  Real* to_output = output.mutable_data();
  for_each_head(batch, heads, [&](Index element, Index index) {
    const HookedHead head = hooked_head_of(cache, element, index);
    multiply_into(head.matrix_in(kept), head.value, to_output + head_offset(output, element, index, heads),
                  width);
  });
  return output;
}

AttentionGradients hooked_attention_backward(const Tensor& grad_output, const AttentionCache& cache) {
  const Index batch = cache.query.dim(0), heads = cache.heads;
  const Index key_width = cache.query.dim(2), value_width = cache.value.dim(2);  // heads * d_k, heads * d_v
  AttentionGradients grad = {Tensor(cache.query.shape()), Tensor(cache.key.shape()),
                             Tensor(cache.value.shape())};
  Real *grad_query = grad.query.mutable_data(), *grad_key = grad.key.mutable_data();
  Real* grad_value = grad.value.mutable_data();

  // Step 5 was: output = kept V. Both factors get a gradient.
  const Tensor kept = cache.hook.forward(cache.weights);
  Tensor grad_kept(kept.shape());
  Real* to_kept = grad_kept.mutable_data();
  for_each_head(batch, heads, [&](Index element, Index index) {
    const HookedHead head = hooked_head_of(cache, element, index);
    const MatrixView grad_head = head_columns(grad_output, element, index, heads);
    multiply_transposed_into(head.matrix_in(kept), grad_head,
                             grad_value + head_offset(cache.value, element, index, heads), value_width);
    multiply_transposed(grad_head, head.value, to_kept + head.scores_before);
  });

  // The hook was: kept = hook(weights).
  Tensor grad_scores = cache.hook.backward(std::move(grad_kept), cache.weights);

  // Steps 4 to 1 were: weights = softmax(Q K^T / sqrt(d_k)).
  Real* scores = grad_scores.mutable_data();
  for_each_head(batch, heads, [&](Index element, Index index) {
    const HookedHead head = hooked_head_of(cache, element, index);
    weights_backward(head, head.matrix_in(cache.weights), scores + head.scores_before);
    const MatrixView grad_head = head.matrix_in(grad_scores);
    multiply_into(grad_head, head.key, grad_query + head_offset(cache.query, element, index, heads),
                  key_width);
    multiply_transposed_into(grad_head, head.query, grad_key + head_offset(cache.key, element, index, heads),
                             key_width);
  });
  return grad;
}

}  // namespace plainformer::fast
