#include "beyond/linear_attention.h"

#include <algorithm>
#include <cmath>

#include "beyond/fast/fast.h"
#include "core/check.h"
#include "core/multiply_adds.h"
#include "core/operation_calls.h"
#include "core/writable_tensor.h"
#include "ops/heads.h"

namespace plainformer {

namespace {

// phi(x) = elu(x) + 1: positive, as long as e^x does not underflow.
Tensor phi(Tensor x) {
  WritableTensor y = std::move(x);
  for (Index e = 0; e < y.size(); ++e) y(e) = y(e) > 0 ? y(e) + 1 : std::exp(y(e));
  return y;
}

// The derivative of phi is 1 for x > 0 and e^x for x <= 0: the smaller one of phi(x) and 1.
Tensor phi_backward(Tensor grad_y, const Tensor& y) {
  WritableTensor grad_x = std::move(grad_y);
  for (Index e = 0; e < y.size(); ++e) grad_x(e) *= std::min(y(e), Real{1});
  return grad_x;
}

// The sums over the keys seen so far: S of phi(k_j) v_j^T, and z of phi(k_j).
struct KeySums {
  WritableTensor s, z;  // [d_k, d_v], [d_k]
  Index seen = 0;

  explicit KeySums(const LinearAttentionCache& cache)
      : s(Tensor::zeros({cache.key.dim(3), cache.value.dim(3)})), z(Tensor::zeros({cache.key.dim(3)})) {}

  // Adds the keys up to the `visible`-th, those that this query is the first to see: one of them in causal
  // attention, else all at the first query.
  void add_keys(const LinearAttentionCache& cache, Index b, Index h, Index visible) {
    const Tensor &k = cache.key, &v = cache.value;
    for (; seen < visible; ++seen)
      for (Index p = 0; p < k.dim(3); ++p) {
        z(p) += k(b, h, seen, p);
        for (Index c = 0; c < v.dim(3); ++c) s(p, c) += k(b, h, seen, p) * v(b, h, seen, c);
      }
  }
};

// The keys that join the sums S and z, and the queries that see one, in all heads.
struct Visible {
  std::int64_t keys = 0, queries = 0;
};

Visible visible_in(const LinearAttentionCache& cache) {
  const Index query_len = cache.query.dim(2);
  Visible visible;
  for (Index b = 0; b < cache.mask.batch() && query_len > 0; ++b) {
    visible.keys += cache.heads * cache.mask.visible_keys(b, query_len - 1);  // the last query sees most
    for (Index i = 0; i < query_len; ++i)
      if (cache.mask.visible_keys(b, i) > 0) visible.queries += cache.heads;
  }
  return visible;
}

// The multiply-adds of the forward pass.
std::int64_t forward_products(const LinearAttentionCache& cache) {
  const std::int64_t d_k = cache.key.dim(3), d_v = cache.value.dim(3);
  const std::int64_t queries = std::int64_t{cache.query.dim(0)} * cache.heads * cache.query.dim(2);
  return visible_in(cache).keys * d_k * d_v  // S += phi(k_j) v_j^T
         + queries * d_k * (d_v + 1);        // phi(q_i) S, phi(q_i) . z
}

std::int64_t backward_products(const LinearAttentionCache& cache) {
  const std::int64_t d_k = cache.key.dim(3), d_v = cache.value.dim(3);
  const std::int64_t keys = std::int64_t{cache.key.dim(0)} * cache.heads * cache.key.dim(2);
  return forward_products(cache)                        // S once more, and the gradient of phi(q_i)
         + visible_in(cache).queries * d_k * (d_v + 1)  // the gradients of S and z
         + 2 * keys * d_k * d_v;                        // and of phi(k_j) and v_j
}

}  // namespace

Tensor linear_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                const AttentionMask& mask, Index heads, LinearAttentionCache& cache) {
  count_operation_call();
  check_attention(query, key, value, mask, heads);
  if (ways.attention == Way::kFast)
    return fast::linear_attention_forward(query, key, value, mask, heads, cache);

  const Index batch = query.dim(0), query_len = query.dim(1), d_k = query.dim(2) / heads,
              d_v = value.dim(2) / heads;

  // Split the heads, and take phi of queries and keys.
  cache = {.way = Way::kPlain,
           .query = phi(split_heads(query, heads)),  // [batch, heads, query_len, d_k]
           .key = phi(split_heads(key, heads)),      // [batch, heads, key_len, d_k]
           .value = split_heads(value, heads),       // [batch, heads, key_len, d_v]
           .mask = mask,
           .heads = heads};
  count_multiply_adds(forward_products(cache));
  WritableTensor output = Tensor::zeros({batch, heads, query_len, d_v});
  WritableTensor denominator = Tensor::zeros({batch, heads, query_len});
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h) {
      KeySums sums(cache);
      for (Index i = 0; i < query_len; ++i) {
        // Step 1. Add the keys that query i is the first to see: S += phi(k_j) v_j^T, z += phi(k_j).
        sums.add_keys(cache, b, h, mask.visible_keys(b, i));

        // Step 2. Multiply: numerator = phi(q_i) S, denominator = phi(q_i) . z.
        for (Index p = 0; p < d_k; ++p) {
          const Real q = cache.query(b, h, i, p);
          denominator(b, h, i) += q * sums.z(p);
          for (Index c = 0; c < d_v; ++c) output(b, h, i, c) += q * sums.s(p, c);
        }

        // Step 3. Divide: output = numerator / denominator, or 0 without a visible key.
        if (denominator(b, h, i) < kLeastDenominator) denominator(b, h, i) = 0;
        for (Index c = 0; c < d_v; ++c)
          output(b, h, i, c) = denominator(b, h, i) == 0 ? 0 : output(b, h, i, c) / denominator(b, h, i);
      }
    }

  cache.output = output;
  cache.denominators = denominator;
  return concatenate_heads(output);
}

namespace {

// The gradients of step 2's results.
struct QuotientGradients {
  Tensor numerator, denominator;  // [batch, heads, query_len, d_v], [batch, heads, query_len]
};

// Step 3 was: output = numerator / denominator.
QuotientGradients divide_backward(const Tensor& grad_output, const LinearAttentionCache& cache) {
  WritableTensor grad_numerator = Tensor::zeros(grad_output.shape());
  WritableTensor grad_denominator = Tensor::zeros(cache.denominators.shape());
  for (Index row = 0; row < cache.denominators.size(); ++row) {
    const Real denominator = cache.denominators(row);
    if (denominator == 0) continue;  // no visible key, no influence
    for (Index c = 0; c < grad_output.dim(3); ++c) {
      grad_numerator(row, c) = grad_output(row, c) / denominator;
      grad_denominator(row) -= grad_output(row, c) * cache.output(row, c) / denominator;
    }
  }
  return {.numerator = grad_numerator, .denominator = grad_denominator};
}

// Step 2 was: numerator = phi(q_i) S, denominator = phi(q_i) . z, with the sums as they were at query i. They
// are summed up again. (Subtracting keys from the last sums would give small differences of large numbers.)
void queries_backward(const QuotientGradients& grad, const LinearAttentionCache& cache, Index b, Index h,
                      WritableTensor& grad_q) {
  KeySums sums(cache);
  for (Index i = 0; i < cache.query.dim(2); ++i) {
    sums.add_keys(cache, b, h, cache.mask.visible_keys(b, i));
    for (Index p = 0; p < cache.query.dim(3); ++p) {
      grad_q(b, h, i, p) += grad.denominator(b, h, i) * sums.z(p);
      for (Index c = 0; c < cache.value.dim(3); ++c)
        grad_q(b, h, i, p) += grad.numerator(b, h, i, c) * sums.s(p, c);
    }
  }
}

// Step 1 was: S += phi(k_j) v_j^T, z += phi(k_j), in the sums of every query that sees key j. So the
// gradients of S and z are sums over those queries. They grow from the last key to the first.
void keys_backward(const QuotientGradients& grad, const LinearAttentionCache& cache, Index b, Index h,
                   WritableTensor& grad_k, WritableTensor& grad_v) {
  const Tensor &q = cache.query, &k = cache.key, &v = cache.value;
  const Index d_k = k.dim(3), d_v = v.dim(3);
  WritableTensor grad_s = Tensor::zeros({d_k, d_v}), grad_z = Tensor::zeros({d_k});
  Index i = q.dim(2);  // this query and the later ones are in the sums
  for (Index j = k.dim(2) - 1; j >= 0; --j) {
    for (; i > 0 && cache.mask.visible_keys(b, i - 1) > j; --i)
      for (Index p = 0; p < d_k; ++p) {
        grad_z(p) += q(b, h, i - 1, p) * grad.denominator(b, h, i - 1);
        for (Index c = 0; c < d_v; ++c) grad_s(p, c) += q(b, h, i - 1, p) * grad.numerator(b, h, i - 1, c);
      }
    for (Index p = 0; p < d_k; ++p) {
      grad_k(b, h, j, p) += grad_z(p);
      for (Index c = 0; c < d_v; ++c) {
        grad_k(b, h, j, p) += v(b, h, j, c) * grad_s(p, c);
        grad_v(b, h, j, c) += k(b, h, j, p) * grad_s(p, c);
      }
    }
  }
}

}  // namespace

AttentionGradients linear_attention_backward(const Tensor& grad_concatenated,
                                             const LinearAttentionCache& cache) {
  count_operation_call();
  // Take the way of the forward pass, because only that way can read its cache.
  const bool is_plain = cache.way == Way::kPlain;
  const Index batch = cache.query.dim(0), heads = cache.heads, query_len = cache.query.dim(is_plain ? 2 : 1);
  const Index width = is_plain ? heads * cache.value.dim(3) : cache.value.dim(2);
  CHECK_SHAPE(grad_concatenated, batch, query_len, width);
  if (!is_plain) return fast::linear_attention_backward(grad_concatenated, cache);
  count_multiply_adds(backward_products(cache));

  // The heads were concatenated: split the gradient.
  const Tensor grad_output = split_heads(grad_concatenated, heads);  // [batch, heads, query_len, d_v]

  const QuotientGradients grad_quotient = divide_backward(grad_output, cache);
  WritableTensor grad_q = Tensor::zeros(cache.query.shape()), grad_k = Tensor::zeros(cache.key.shape());
  WritableTensor grad_v = Tensor::zeros(cache.value.shape());
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h) {
      queries_backward(grad_quotient, cache, b, h, grad_q);
      keys_backward(grad_quotient, cache, b, h, grad_k, grad_v);
    }

  // Queries and keys were phi of the split inputs.
  return {.query = concatenate_heads(phi_backward(std::move(grad_q), cache.query)),
          .key = concatenate_heads(phi_backward(std::move(grad_k), cache.key)),
          .value = concatenate_heads(grad_v)};
}

}  // namespace plainformer
