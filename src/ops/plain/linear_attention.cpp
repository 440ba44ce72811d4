#include "ops/linear_attention.h"

#include <algorithm>
#include <cmath>

#include "core/elements.h"
#include "ops/plain/heads.h"
#include "ops/plain/plain.h"

namespace plainformer::plain {

namespace {

// phi(x) = elu(x) + 1: positive, as long as e^x does not underflow.
Tensor phi(Tensor x) {
  Elements y(x);
  for (Index e = 0; e < x.size(); ++e) y(e) = y(e) > 0 ? y(e) + 1 : std::exp(y(e));
  return x;
}

// The derivative of phi is 1 for x > 0 and e^x for x <= 0: the smaller one of phi(x) and 1.
Tensor phi_backward(Tensor grad_y, const Tensor& y) {
  Elements grad_x(grad_y);
  for (Index e = 0; e < y.size(); ++e) grad_x(e) *= std::min(y(e), Real{1});
  return grad_y;
}

// The sums over the keys seen so far: S of phi(k_j) v_j^T, and z of phi(k_j).
struct KeySums {
  Tensor s, z;  // [d_k, d_v], [d_k]
  Index seen = 0;

  explicit KeySums(const LinearAttentionCache& cache)
      : s(Tensor::zeros({cache.key.dim(3), cache.value.dim(3)})), z(Tensor::zeros({cache.key.dim(3)})) {}

  // Adds the keys up to the `visible`-th, those that this query is the first to see: one of them in causal
  // attention, else all at the first query.
  void add_keys(const LinearAttentionCache& cache, Index b, Index h, Index visible) {
    const Tensor &k = cache.key, &v = cache.value;
    Elements sum_of_products(s), sum(z);
    for (; seen < visible; ++seen)
      for (Index p = 0; p < k.dim(3); ++p) {
        sum(p) += k(b, h, seen, p);
        for (Index c = 0; c < v.dim(3); ++c) sum_of_products(p, c) += k(b, h, seen, p) * v(b, h, seen, c);
      }
  }
};

}  // namespace

Tensor linear_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                const AttentionMask& mask, Index heads, LinearAttentionCache& cache) {
  const Index batch = query.dim(0), query_len = query.dim(1), d_k = query.dim(2) / heads,
              d_v = value.dim(2) / heads;

  // Split the heads, and take phi of queries and keys.
  cache = {.way = Way::kPlain,
           .query = phi(split_heads(query, heads)),  // [batch, heads, query_len, d_k]
           .key = phi(split_heads(key, heads)),      // [batch, heads, key_len, d_k]
           .value = split_heads(value, heads),       // [batch, heads, key_len, d_v]
           .mask = mask,
           .heads = heads};
  Tensor outputs = Tensor::zeros({batch, heads, query_len, d_v});
  Tensor denominators = Tensor::zeros({batch, heads, query_len});
  Elements output(outputs), denominator(denominators);

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

  cache.output = outputs;
  cache.denominators = denominators;
  return concatenate_heads(outputs);
}

namespace {

// The gradients of step 2's results.
struct QuotientGradients {
  Tensor numerator, denominator;  // [batch, heads, query_len, d_v], [batch, heads, query_len]
};

// Step 3 was: output = numerator / denominator.
QuotientGradients divide_backward(const Tensor& grad_output, const LinearAttentionCache& cache) {
  QuotientGradients grad = {Tensor::zeros(grad_output.shape()), Tensor::zeros(cache.denominators.shape())};
  Elements grad_numerator(grad.numerator), grad_denominator(grad.denominator);
  for (Index row = 0; row < cache.denominators.size(); ++row) {
    const Real denominator = cache.denominators(row);
    if (denominator == 0) continue;  // no visible key, no influence
    for (Index c = 0; c < grad_output.dim(3); ++c) {
      grad_numerator(row, c) = grad_output(row, c) / denominator;
      grad_denominator(row) -= grad_output(row, c) * cache.output(row, c) / denominator;
    }
  }
  return grad;
}

// Step 2 was: numerator = phi(q_i) S, denominator = phi(q_i) . z, with the sums as they were at query i. They
// are summed up again. (Subtracting keys from the last sums would give small differences of large numbers.)
void queries_backward(const QuotientGradients& grad, const LinearAttentionCache& cache, Index b, Index h,
                      Tensor& grad_queries) {
  Elements grad_q(grad_queries);
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
                   AttentionGradients& grad_inputs) {
  const Tensor &q = cache.query, &k = cache.key, &v = cache.value;
  const Index d_k = k.dim(3), d_v = v.dim(3);
  Tensor grad_s = Tensor::zeros({d_k, d_v}), grad_z = Tensor::zeros({d_k});
  Elements grad_k(grad_inputs.key), grad_v(grad_inputs.value), sum_of_products(grad_s), sum(grad_z);
  Index i = q.dim(2);  // this query and the later ones are in the sums
  for (Index j = k.dim(2) - 1; j >= 0; --j) {
    for (; i > 0 && cache.mask.visible_keys(b, i - 1) > j; --i)
      for (Index p = 0; p < d_k; ++p) {
        sum(p) += q(b, h, i - 1, p) * grad.denominator(b, h, i - 1);
        for (Index c = 0; c < d_v; ++c)
          sum_of_products(p, c) += q(b, h, i - 1, p) * grad.numerator(b, h, i - 1, c);
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
  const Index batch = cache.query.dim(0), heads = cache.heads;

  // The heads were concatenated: split the gradient.
  const Tensor grad_output = split_heads(grad_concatenated, heads);  // [batch, heads, query_len, d_v]

  const QuotientGradients grad_quotient = divide_backward(grad_output, cache);
  AttentionGradients grad = {Tensor::zeros(cache.query.shape()), Tensor::zeros(cache.key.shape()),
                             Tensor::zeros(cache.value.shape())};
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h) {
      queries_backward(grad_quotient, cache, b, h, grad.query);
      keys_backward(grad_quotient, cache, b, h, grad);
    }

  // Queries and keys were phi of the split inputs.
  return {.query = concatenate_heads(phi_backward(std::move(grad.query), cache.query)),
          .key = concatenate_heads(phi_backward(std::move(grad.key), cache.key)),
          .value = concatenate_heads(grad.value)};
}

}  // namespace plainformer::plain
