// Beyond the paper: R-Drop (Liang et al. 2021, "R-Drop: Regularized Dropout for Neural Networks").
//
// Two passes over the same batch drop different elements, so they give two distributions p and q for each
// token. In addition to the target, each is asked to agree with the other. The loss of a token is half of
// that paper's:
//   L = (loss(p) + loss(q)) / 2 + alpha/4 (KL(p || q) + KL(q || p))
//   KL(p || q) = sum over k of p_k log(p_k / q_k)
#pragma once

#include <span>

#include "core/parameter.h"
#include "ops/cross_entropy.h"
#include "transformer/dropout_state.h"
#include "transformer/token_batch.h"

namespace plainformer {

struct RDropOptions {
  double alpha = 0;      // the weight of the divergences, 0 or more
  double smoothing = 0;  // epsilon_ls of loss(p) and loss(q)
};

// The loss, and the gradients of grad_loss times the sum of L over the tokens: sets grad_x and adds to
// table.grad, like projected_cross_entropy_forward_backward. The result holds (loss(p) + loss(q)) / 2, the
// loss without R-Drop. It exists only in the fast way.
//   x, grad_x [2 * batch, target_len, d]: the first pass, then the second; may be one tensor
//   table     [K, d]
//   targets   [batch * target_len]: of both, each a class or kNoTarget
CrossEntropy r_drop_forward_backward(Real grad_loss, const RDropOptions& options, const Tensor& x,
                                     Parameter& table, std::span<const int> targets, Tensor& grad_x);

// The sentences, and the same ones once more: two passes over a batch are one pass over a batch of twice the
// size.
inline TokenBatch twice(const TokenBatch& tokens) {
  TokenBatch both = tokens;
  both.batch *= 2;
  both.ids.insert(both.ids.end(), tokens.ids.begin(), tokens.ids.end());
  both.lengths.insert(both.lengths.end(), tokens.lengths.begin(), tokens.lengths.end());
  return both;
}

// A model that train() trains with R-Drop. Model has an embedding of its own, as Transformer and
// RecomputingTransformer have.
template <typename Model>
class RDrop {
 public:
  using Cache = typename Model::Cache;

  // Keeps a reference to the model.
  RDrop(Model& model, double alpha) : model_(model), alpha_(alpha) {}

  // -> [2 * batch, target_len, d_model]
  Tensor forward(const TokenBatch& source, const TokenBatch& target_input, const DropoutState& dropout,
                 Cache& cache) const {
    return model_.forward(twice(source), twice(target_input), dropout, cache);
  }

  CrossEntropy loss_forward_backward(Real grad_loss, const Tensor& output, const TranslationBatch& batch,
                                     double smoothing, Tensor& grad_output) {
    return r_drop_forward_backward(grad_loss, {.alpha = alpha_, .smoothing = smoothing}, output,
                                   model_.embedding, batch.targets(), grad_output);
  }

  void backward(const Tensor& grad_output, const Cache& cache) { model_.backward(grad_output, cache); }

  ParameterList parameters() { return model_.parameters(); }

 private:
  Model& model_;
  double alpha_;
};

}  // namespace plainformer
