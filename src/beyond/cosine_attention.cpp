#include "beyond/cosine_attention.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/elementwise.h"

namespace plainformer {

namespace {

// A tensor's rows [batch, len, heads * d_k] as one row for each head, [batch * len * heads, d_k]: the same
// elements in the same order.
Tensor rows_of_heads(const Tensor& x, Index heads) {
  const Index d_k = x.dim(2) / heads;
  return x.reshaped({x.dim(0) * x.dim(1) * heads, d_k});
}

// u = x / |x|, and the lengths |x|.    x [rows, d_k], lengths [rows]
Tensor unit_vectors_forward(Tensor x, Tensor& lengths) {
  lengths = Tensor::zeros({x.dim(0)});
  const TensorWriter length(lengths);
  WritableTensor u = std::move(x);
  for (Index row = 0; row < u.dim(0); ++row) {
    for (Index p = 0; p < u.dim(1); ++p) length(row) += u(row, p) * u(row, p);
    length(row) = std::sqrt(length(row));
    if (length(row) > 0)
      for (Index p = 0; p < u.dim(1); ++p) u(row, p) /= length(row);
  }
  return u;
}

// A change of x along u only changes its length: grad_x = (grad_u - (grad_u . u) u) / |x|.
Tensor unit_vectors_backward(Tensor grad_u, const Tensor& u, const Tensor& lengths) {
  WritableTensor grad_x = std::move(grad_u);
  for (Index row = 0; row < u.dim(0); ++row) {
    Real along = 0;
    for (Index p = 0; p < u.dim(1); ++p) along += grad_x(row, p) * u(row, p);
    for (Index p = 0; p < u.dim(1); ++p)
      grad_x(row, p) = lengths(row) > 0 ? (grad_x(row, p) - along * u(row, p)) / lengths(row) : 0;
  }
  return grad_x;
}

}  // namespace

CosineAttention::CosineAttention(Real initial_scale) : scale(Tensor::filled({1}, initial_scale)) {}

Tensor CosineAttention::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                const AttentionMask& mask, Index heads, Cache& cache) const {
  CHECK(heads > 0 && query.dim(-1) % heads == 0 && query.dim(-1) == key.dim(-1), heads, " heads of query ",
        query.shape().to_string(), " and key ", key.shape().to_string());

  // Step 1. Normalize in each head: q_unit = q / |q|, k_unit = k / |k|.
  const Tensor q_unit = unit_vectors_forward(rows_of_heads(query, heads), cache.query_lengths);
  const Tensor k_unit = unit_vectors_forward(rows_of_heads(key, heads), cache.key_lengths);
  cache.query = q_unit.reshaped(query.shape());  // [batch, query_len, heads * d_k]
  cache.key = k_unit.reshaped(key.shape());      // [batch, key_len, heads * d_k]

  // Step 2. Scale: q' = g sqrt(d_k) q_unit. Equation (1) divides by the root again.
  const Real root = std::sqrt(static_cast<Real>(query.dim(-1) / heads));
  const Tensor scaled = plainformer::scale(cache.query, scale.value(0) * root);

  // Step 3. Attend: output = Attention(q', k_unit, v), by equation (1).
  return attention_forward(scaled, cache.key, value, mask, heads, cache.attention);
}

AttentionGradients CosineAttention::backward(const Tensor& grad_output, const Cache& cache) {
  // Step 3 was: output = Attention(q', k_unit, v).
  AttentionGradients grad = attention_backward(grad_output, cache.attention);

  // Step 2 was: q' = g sqrt(d_k) q_unit. Both factors get a gradient.
  const Index heads = cache.attention.heads, d_k = cache.query.dim(2) / heads;
  const Real root = std::sqrt(static_cast<Real>(d_k));
  double grad_scale = 0;
  for (Index e = 0; e < cache.query.size(); ++e)
    grad_scale += double{grad.query(e)} * double{cache.query(e)} * double{root};
  TensorWriter(scale.mutable_grad())(0) += static_cast<Real>(grad_scale);
  grad.query = plainformer::scale(std::move(grad.query), scale.value(0) * root);

  // Step 1 was: q_unit = q / |q|, k_unit = k / |k|.
  const auto normalize_backward = [&](const Tensor& grad_unit, const Tensor& unit, const Tensor& lengths) {
    return unit_vectors_backward(rows_of_heads(grad_unit, heads), rows_of_heads(unit, heads), lengths)
        .reshaped(unit.shape());
  };
  grad.query = normalize_backward(grad.query, cache.query, cache.query_lengths);
  grad.key = normalize_backward(grad.key, cache.key, cache.key_lengths);
  return grad;
}

}  // namespace plainformer
