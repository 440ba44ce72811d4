#include "beyond/neighbor_attention.h"

#include <algorithm>
#include <cmath>

#include "beyond/fast/fast.h"
#include "beyond/global_positions.h"
#include "core/check.h"
#include "core/multiply_adds.h"
#include "core/operation_calls.h"
#include "core/writable_tensor.h"
#include "ops/softmax.h"

namespace plainformer {

namespace {

void check_arguments(const Tensor& query, const Tensor& key, const Tensor& value, const NeighborMask& mask,
                     Index heads) {
  const Index batch = mask.batch(), len = query.dim(1);
  CHECK(heads > 0 && query.dim(-1) % heads == 0 && value.dim(-1) % heads == 0, heads, " heads of query ",
        query.shape().to_string(), " and value ", value.shape().to_string());
  const Index d_k = query.dim(-1) / heads, d_v = value.dim(-1) / heads;
  CHECK_SHAPE(query, batch, len, heads * d_k);
  CHECK_SHAPE(key, batch, len, heads * d_k);
  CHECK_SHAPE(value, batch, len, heads * d_v);
  CHECK(mask.neighbors > 0 && (mask.causal || mask.neighbors % 2 == 1), "a window of ", mask.neighbors,
        mask.causal ? " neighbors" : " neighbors cannot be centered");
  CHECK(mask.global >= 0, "global ", mask.global);
  for (const Index length : mask.key_lengths)
    CHECK(length >= 0 && length <= len, "key length ", length, " of ", len);
}

// The pairs of a query and a key that it sees, in all heads; without the queries of the global positions.
std::int64_t visible_pairs(const NeighborMask& mask, Index heads, Index len) {
  std::int64_t pairs = 0;
  for (const Index count : mask.visible_keys_of_scores(heads, len)) pairs += count;
  return pairs;
}

}  // namespace

// The steps are those of equation (1) in ops/scaled_dot_product_attention.cpp. Where that one goes through all keys j,
// this one goes through the visible keys keys[s] alone. Head h is the h-th block of columns.
Tensor neighbor_attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const NeighborMask& mask,
                                  Index heads, NeighborAttentionCache& cache) {
  // With global positions, their attention_forward counts the call, for both parts: they do not wait for each other.
  if (mask.global == 0) count_operation_call();
  check_arguments(q, k, v, mask, heads);
  if (ways.attention == Way::kFast) return fast::neighbor_attention_forward(q, k, v, mask, heads, cache);

  const Index batch = q.dim(0), len = q.dim(1), d_k = q.dim(2) / heads, d_v = v.dim(2) / heads;
  const Index first = std::min(mask.global, len);  // the first query that is not a global position
  cache = {.way = Way::kPlain, .query = q, .key = k, .value = v, .mask = mask, .heads = heads};
  count_multiply_adds(visible_pairs(mask, heads, len) * (d_k + d_v));

  // Steps 1 and 2. MatMul and Scale: score = q k / sqrt(d_k), for the visible keys.
  WritableTensor scores = Tensor::zeros({batch, heads, len, first + std::min(mask.neighbors, len)});
  const Real root = std::sqrt(static_cast<Real>(d_k));
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = first; i < len; ++i) {
        const NeighborKeys keys = mask.visible_keys(b, i);
        for (Index s = 0; s < keys.count(); ++s) {
          Real sum = 0;
          for (Index p = 0; p < d_k; ++p) sum += q(b, i, h * d_k + p) * k(b, keys[s], h * d_k + p);
          scores(b, h, i, s) = sum / root;
        }
      }

  // Step 4. SoftMax: weights = softmax(scores), each row over its visible keys. (Step 3, Mask, has nothing
  // left to do.)
  cache.weights = softmax_forward(scores, mask.visible_keys_of_scores(heads, len));
  const Tensor& weights = cache.weights;

  // Step 5. MatMul: output = weights V, an average of the visible values.
  WritableTensor output = Tensor::zeros(v.shape());
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = first; i < len; ++i) {
        const NeighborKeys keys = mask.visible_keys(b, i);
        for (Index s = 0; s < keys.count(); ++s)
          for (Index p = 0; p < d_v; ++p)
            output(b, i, h * d_v + p) += weights(b, h, i, s) * v(b, keys[s], h * d_v + p);
      }

  // Step 6. The global positions see all keys.
  return global_positions_forward(std::move(output), cache);
}

AttentionGradients neighbor_attention_backward(const Tensor& grad_output,
                                               const NeighborAttentionCache& cache) {
  if (cache.mask.global == 0) count_operation_call();
  CHECK(grad_output.shape() == cache.value.shape(), grad_output.shape().to_string(), " for ",
        cache.value.shape().to_string());
  if (cache.way == Way::kFast) return fast::neighbor_attention_backward(grad_output, cache);

  const Tensor &q = cache.query, &k = cache.key, &v = cache.value, &weights = cache.weights;
  const NeighborMask& mask = cache.mask;
  const Index batch = q.dim(0), heads = cache.heads, len = q.dim(1);
  const Index d_k = q.dim(2) / heads, d_v = v.dim(2) / heads, first = std::min(mask.global, len);
  count_multiply_adds(2 * visible_pairs(mask, heads, len) * (d_k + d_v));

  // Step 5 was: output = weights V. Both factors get a gradient.
  WritableTensor grad_weights = Tensor::zeros(weights.shape()), grad_v = Tensor::zeros(v.shape());
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = first; i < len; ++i) {
        const NeighborKeys keys = mask.visible_keys(b, i);
        for (Index s = 0; s < keys.count(); ++s)
          for (Index p = h * d_v; p < (h + 1) * d_v; ++p) {
            grad_weights(b, h, i, s) += grad_output(b, i, p) * v(b, keys[s], p);
            grad_v(b, keys[s], p) += weights(b, h, i, s) * grad_output(b, i, p);
          }
      }

  // Step 4 was: weights = softmax(scores), each row over its visible keys.
  const Tensor grad_scores = softmax_backward(grad_weights, weights, mask.visible_keys_of_scores(heads, len));

  // Steps 2 and 1 were: score = q k / sqrt(d_k). Both factors get a gradient.
  WritableTensor grad_q = Tensor::zeros(q.shape()), grad_k = Tensor::zeros(k.shape());
  const Real root = std::sqrt(static_cast<Real>(d_k));
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = first; i < len; ++i) {
        const NeighborKeys keys = mask.visible_keys(b, i);
        for (Index s = 0; s < keys.count(); ++s)
          for (Index p = h * d_k; p < (h + 1) * d_k; ++p) {
            grad_q(b, i, p) += grad_scores(b, h, i, s) / root * k(b, keys[s], p);
            grad_k(b, keys[s], p) += grad_scores(b, h, i, s) / root * q(b, i, p);
          }
      }

  // Step 6 was: the global positions see all keys.
  return global_positions_backward(grad_output, cache, {grad_q, grad_k, grad_v});
}

}  // namespace plainformer
