#include "ops/neighbor_attention.h"

#include <algorithm>
#include <cmath>

#include "core/elements.h"
#include "ops/global_positions.h"
#include "ops/plain/plain.h"
#include "ops/softmax.h"

namespace plainformer::plain {

// As equation (1) in plain/scaled_dot_product_attention.cpp. But where that one goes through all keys j, this
// one goes through the visible keys keys[s] alone. Head h is the h-th block of columns.
Tensor neighbor_attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const NeighborMask& mask,
                                  Index heads, NeighborAttentionCache& cache) {
  const Index batch = q.dim(0), len = q.dim(1), d_k = q.dim(2) / heads, d_v = v.dim(2) / heads;
  const Index first = std::min(mask.global, len);  // the first query that is not a global position
  cache = {.way = Way::kPlain, .query = q, .key = k, .value = v, .mask = mask, .heads = heads};

  // Steps 1 and 2. MatMul and Scale: score = q k / sqrt(d_k), for the visible keys.
  Tensor scores = Tensor::zeros({batch, heads, len, first + std::min(mask.neighbors, len)});
  Elements score(scores);
  const Real root = std::sqrt(static_cast<Real>(d_k));
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = first; i < len; ++i) {
        const NeighborKeys keys = mask.visible_keys(b, i);
        for (Index s = 0; s < keys.count(); ++s) {
          Real sum = 0;
          for (Index p = 0; p < d_k; ++p) sum += q(b, i, h * d_k + p) * k(b, keys[s], h * d_k + p);
          score(b, h, i, s) = sum / root;
        }
      }

  // Step 4. SoftMax: weights = softmax(scores), each row over its visible keys. (Step 3, Mask, has nothing
  // left to do.)
  cache.weights = softmax_forward(scores, mask.visible_keys_of_scores(heads, len));
  const Tensor& weight = cache.weights;

  // Step 5. MatMul: output = weights V, an average of the visible values.
  Tensor outputs = Tensor::zeros(v.shape());
  Elements output(outputs);
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = first; i < len; ++i) {
        const NeighborKeys keys = mask.visible_keys(b, i);
        for (Index s = 0; s < keys.count(); ++s)
          for (Index p = 0; p < d_v; ++p)
            output(b, i, h * d_v + p) += weight(b, h, i, s) * v(b, keys[s], h * d_v + p);
      }

  // Step 6. The global positions see all keys.
  global_positions_forward(cache, outputs);
  return outputs;
}

AttentionGradients neighbor_attention_backward(const Tensor& grad_output,
                                               const NeighborAttentionCache& cache) {
  const Tensor &q = cache.query, &k = cache.key, &v = cache.value, &weight = cache.weights;
  const NeighborMask& mask = cache.mask;
  const Index batch = q.dim(0), heads = cache.heads, len = q.dim(1);
  const Index d_k = q.dim(2) / heads, d_v = v.dim(2) / heads, first = std::min(mask.global, len);
  AttentionGradients grad = {
      .query = Tensor::zeros(q.shape()), .key = Tensor::zeros(k.shape()), .value = Tensor::zeros(v.shape())};

  // Step 5 was: output = weights V. Both factors get a gradient.
  Tensor grad_weights = Tensor::zeros(weight.shape());
  Elements grad_weight(grad_weights), grad_v(grad.value);
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = first; i < len; ++i) {
        const NeighborKeys keys = mask.visible_keys(b, i);
        for (Index s = 0; s < keys.count(); ++s)
          for (Index p = h * d_v; p < (h + 1) * d_v; ++p) {
            grad_weight(b, h, i, s) += grad_output(b, i, p) * v(b, keys[s], p);
            grad_v(b, keys[s], p) += weight(b, h, i, s) * grad_output(b, i, p);
          }
      }

  // Step 4 was: weights = softmax(scores), each row over its visible keys.
  const Tensor grad_score = softmax_backward(grad_weights, weight, mask.visible_keys_of_scores(heads, len));

  // Steps 2 and 1 were: score = q k / sqrt(d_k). Both factors get a gradient.
  Elements grad_q(grad.query), grad_k(grad.key);
  const Real root = std::sqrt(static_cast<Real>(d_k));
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = first; i < len; ++i) {
        const NeighborKeys keys = mask.visible_keys(b, i);
        for (Index s = 0; s < keys.count(); ++s)
          for (Index p = h * d_k; p < (h + 1) * d_k; ++p) {
            grad_q(b, i, p) += grad_score(b, h, i, s) / root * k(b, keys[s], p);
            grad_k(b, keys[s], p) += grad_score(b, h, i, s) / root * q(b, i, p);
          }
      }

  // Step 6 was: the global positions see all keys.
  global_positions_backward(grad_output, cache, grad);
  return grad;
}

}  // namespace plainformer::plain
