#include "beyond/attention_regularization.h"

#include <utility>

#include "beyond/fast/fast.h"
#include "core/check.h"
#include "core/random_streams.h"
#include "core/writable_tensor.h"
#include "ops/dropout.h"

namespace plainformer {

namespace {

void check(const AttentionRegularization& regularization, const Shape& weights) {
  check_dropout(regularization.weight_dropout, weights.elements());
  check_dropout(regularization.head_dropout, weights.elements());
  CHECK(regularization.penalty >= 0, "penalty on attention weights ", regularization.penalty);
  if (regularization.penalty == 0) return;
  CHECK(std::ssize(regularization.query_lengths) == weights[0], "query lengths of ",
        regularization.query_lengths.size(), " sentences, not ", weights[0]);
  for (const Index length : regularization.query_lengths)
    CHECK(length >= 0 && length <= weights[2], "query length ", length, " of ", weights[2]);
}

}  // namespace

Real factor_of_head(const AttentionRegularization& regularization, Index head) {
  const Real p = regularization.head_dropout;
  const std::uint32_t bits = random_bits(regularization.head_stream, static_cast<std::uint32_t>(head));
  return bits < dropout_threshold(p) ? 0 : 1 / (1 - p);
}

Tensor drop_weights(Tensor weights, const AttentionRegularization& regularization) {
  if (ways.attention == Way::kFast) return fast::drop_weights(std::move(weights), regularization);

  const Index heads = weights.dim(0) * weights.dim(1), weights_of_head = weights.dim(2) * weights.dim(3);
  const Real p = regularization.weight_dropout;
  const std::uint32_t threshold = dropout_threshold(p);
  WritableTensor kept = std::move(weights);
  for (Index head = 0; head < heads; ++head) {
    const Real factor = factor_of_head(regularization, head);
    for (Index e = head * weights_of_head; e < (head + 1) * weights_of_head; ++e) {
      const bool is_kept =
          random_bits(regularization.weight_stream, static_cast<std::uint32_t>(e)) >= threshold;
      kept(e) = is_kept ? kept(e) / (1 - p) * factor : 0;
    }
  }
  return kept;
}

namespace {

// The penalty was: penalty times the sum of P_ij^2, over the queries that are not padding. It is a second way from the
// weights to the loss.
Tensor add_penalty_backward(Tensor grad, const AttentionRegularization& regularization,
                            const Tensor& weights) {
  WritableTensor grad_weights = std::move(grad);
  for (Index b = 0; b < weights.dim(0); ++b)
    for (Index h = 0; h < weights.dim(1); ++h)
      for (Index i = 0; i < regularization.query_lengths[b]; ++i)
        for (Index j = 0; j < weights.dim(3); ++j)
          grad_weights(b, h, i, j) += 2 * regularization.penalty * weights(b, h, i, j);
  return grad_weights;
}

}  // namespace

AttentionWeightsHook hook_of(const AttentionRegularization& regularization) {
  if (!regularization.is_on()) return {};
  return {.forward =
              [regularization](Tensor weights) {
                check(regularization, weights.shape());
                return drop_weights(std::move(weights), regularization);
              },
          .backward =
              [regularization](Tensor grad_kept, const Tensor& weights) {
                Tensor grad = drop_weights(std::move(grad_kept), regularization);
                if (regularization.penalty == 0) return grad;
                return add_penalty_backward(std::move(grad), regularization, weights);
              }};
}

DropoutState::AttentionHook hooks_of(const AttentionRegularization& regularization,
                                     const QueryLengths& lengths) {
  return [=](const DropoutState& dropout, int site) {
    AttentionRegularization at_site = regularization;
    at_site.weight_stream = dropout.stream(random_site::kFirstAttentionWeights + site);
    at_site.head_stream = dropout.stream(random_site::kFirstHeads + site);
    at_site.query_lengths = site < lengths.first_decoder_site ? lengths.source : lengths.target;
    return hook_of(at_site);
  };
}

}  // namespace plainformer
