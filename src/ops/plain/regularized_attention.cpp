// Equation (1) with regularized weights (ops/attention_regularization.h): dropout has a step of its own, between
// the softmax and the values, and the penalty is a second way from the weights to the loss.
#include <cmath>
#include <utility>

#include "core/elements.h"
#include "ops/dropout.h"
#include "ops/plain/heads.h"
#include "ops/plain/plain.h"
#include "ops/softmax.h"

namespace plainformer::plain {

namespace {

// c = a b in each head: [batch, heads, m, p], [batch, heads, p, n] -> [batch, heads, m, n]
Tensor multiply(const Tensor& a, const Tensor& b) {
  Tensor product = Tensor::zeros({a.dim(0), a.dim(1), a.dim(2), b.dim(3)});
  Elements c(product);
  for (Index s = 0; s < a.dim(0); ++s)
    for (Index h = 0; h < a.dim(1); ++h)
      for (Index i = 0; i < a.dim(2); ++i)
        for (Index j = 0; j < b.dim(3); ++j)
          for (Index p = 0; p < a.dim(3); ++p) c(s, h, i, j) += a(s, h, i, p) * b(s, h, p, j);
  return product;
}

// [batch, heads, m, n] -> [batch, heads, n, m]
Tensor transpose(const Tensor& x) {
  Tensor transposed({x.dim(0), x.dim(1), x.dim(3), x.dim(2)});
  Elements y(transposed);
  for (Index s = 0; s < x.dim(0); ++s)
    for (Index h = 0; h < x.dim(1); ++h)
      for (Index i = 0; i < x.dim(2); ++i)
        for (Index j = 0; j < x.dim(3); ++j) y(s, h, j, i) = x(s, h, i, j);
  return transposed;
}

Tensor divide_by_root_of_d_k(Tensor scores, Index d_k) {
  Elements score(scores);
  for (Index e = 0; e < scores.size(); ++e) score(e) /= std::sqrt(static_cast<Real>(d_k));
  return scores;
}

// Drops single weights and whole heads, and scales up what stays. The same streams drop the same weights again, so
// this is its own backward pass.
Tensor drop(Tensor weights, const AttentionRegularization& regularization) {
  const Index heads = weights.dim(0) * weights.dim(1), weights_of_head = weights.dim(2) * weights.dim(3);
  const Real p = regularization.head_dropout;
  weights =
      plain::dropout_forward(std::move(weights), regularization.weight_dropout, regularization.weight_stream);
  Elements weight(weights);
  for (Index head = 0; head < heads; ++head) {
    const std::uint32_t bits = random_bits(regularization.head_stream, static_cast<std::uint32_t>(head));
    const Real factor = bits < dropout_threshold(p) ? 0 : 1 / (1 - p);
    for (Index e = 0; e < weights_of_head; ++e) weight(head * weights_of_head + e) *= factor;
  }
  return weights;
}

}  // namespace

Tensor regularized_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const AttentionMask& mask, Index heads, AttentionCache& cache) {
  cache.way = Way::kPlain;
  cache.heads = heads;
  cache.query = split_heads(query, heads);  // [batch, heads, query_len, d_k]
  cache.key = split_heads(key, heads);      // [batch, heads, key_len, d_k]
  cache.value = split_heads(value, heads);  // [batch, heads, key_len, d_v]

  // Step 1. MatMul: scores = Q K^T.
  Tensor scores = multiply(cache.query, transpose(cache.key));

  // Step 2. Scale: scores = scores / sqrt(d_k).
  scores = divide_by_root_of_d_k(std::move(scores), cache.query.dim(3));

  // Step 3. Mask: a query sees only a prefix of the keys.
  cache.visible_keys = mask.visible_keys_of_scores(heads, query.dim(1), key.dim(1));

  // Step 4. SoftMax: weights = softmax(scores), each row over its visible keys.
  cache.weights = softmax_forward(std::move(scores), cache.visible_keys);

  // Step 5. Drop: kept = Dropout(weights).
  const Tensor kept = drop(cache.weights, cache.regularization);

  // Step 6. MatMul: output = kept V.
  return concatenate_heads(multiply(kept, cache.value));
}

namespace {

// grad_weights += 2 penalty weights, in the rows of queries that are not padding.
void add_penalty_backward(Tensor& grad_weights, const AttentionCache& cache) {
  const AttentionRegularization& regularization = cache.regularization;
  Elements grad_weight(grad_weights);
  for (Index s = 0; s < grad_weights.dim(0); ++s)
    for (Index h = 0; h < grad_weights.dim(1); ++h)
      for (Index i = 0; i < regularization.query_lengths[s]; ++i)
        for (Index j = 0; j < grad_weights.dim(3); ++j)
          grad_weight(s, h, i, j) += 2 * regularization.penalty * cache.weights(s, h, i, j);
}

}  // namespace

AttentionGradients regularized_attention_backward(const Tensor& grad_concatenated,
                                                  const AttentionCache& cache) {
  // The heads were concatenated: split the gradient.
  const Tensor grad_output = split_heads(grad_concatenated, cache.heads);

  // Step 6 was: output = kept V. Both factors get a gradient.
  const Tensor grad_value = multiply(transpose(drop(cache.weights, cache.regularization)), grad_output);
  const Tensor grad_kept = multiply(grad_output, transpose(cache.value));

  // Step 5 was: kept = Dropout(weights). The loss also has the penalty, a sum of penalty weights^2.
  Tensor grad_weights = drop(grad_kept, cache.regularization);
  if (cache.regularization.penalty > 0) add_penalty_backward(grad_weights, cache);

  // Step 4 was: weights = softmax(scores), each row over its visible keys.
  // Step 3 was: the other keys get weight exactly 0. So the gradient of their scores is 0.
  Tensor grad_scores = softmax_backward(std::move(grad_weights), cache.weights, cache.visible_keys);

  // Step 2 was: scores = scores / sqrt(d_k).
  grad_scores = divide_by_root_of_d_k(std::move(grad_scores), cache.query.dim(3));

  // Step 1 was: scores = Q K^T. Both factors get a gradient.
  return {.query = concatenate_heads(multiply(grad_scores, cache.key)),
          .key = concatenate_heads(multiply(transpose(grad_scores), cache.query)),
          .value = concatenate_heads(grad_value)};
}

}  // namespace plainformer::plain
