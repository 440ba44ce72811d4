#include "lab/table_1/distance_model.h"

#include <algorithm>

#include "ops/cross_entropy.h"
#include "ops/elementwise.h"
#include "transformer/embedding.h"
#include "transformer/initialize.h"
#include "transformer/output_projection.h"

namespace plainformer {

namespace {

constexpr Real kEpsilon = static_cast<Real>(1e-6);  // of layer norm
constexpr Index kFeedForwardFactor = 2;             // d_ff / d

Index count_targets(const std::vector<int>& targets) {
  return std::ssize(targets) - std::count(targets.begin(), targets.end(), kNoTarget);
}

}  // namespace

DistanceModel::DistanceModel(LayerKind kind, const LayerSizes& sizes, Index layers, Index longest,
                             std::uint64_t seed)
    : embedding_(Tensor::zeros({kTaskVocabulary, sizes.d})), positions_(longest, sizes.d) {
  for (Index depth = 0; depth < layers; ++depth)
    layers_.push_back({.mix = make_layer(kind, sizes, depth),
                       .feed_forward = FeedForward(sizes.d, kFeedForwardFactor * sizes.d),
                       .mix_norm = ResidualLayerNorm(sizes.d, kEpsilon, /*site=*/0),
                       .feed_forward_norm = ResidualLayerNorm(sizes.d, kEpsilon, /*site=*/0)});
  initialize(parameters(), seed, {token_table(embedding_)});
}

ParameterList DistanceModel::parameters() {
  ParameterList list = {{"embedding", &embedding_}};
  for (Layer& layer : layers_) {
    list.insert(list.end(), layer.mix.parameters.begin(), layer.mix.parameters.end());
    layer.mix_norm.append_parameters("mix_norm", list);
    layer.feed_forward.append_parameters("feed_forward", list);
    layer.feed_forward_norm.append_parameters("feed_forward_norm", list);
  }
  return list;
}

Tensor DistanceModel::forward(const TokenBatch& tokens) {
  // Step 1. Embed: x = sqrt(d) embedding + positions.
  Tensor x = positions_.forward(embedding_forward(tokens, embedding_));
  for (Layer& layer : layers_) {
    // Step 2. Mix the positions: x = LayerNorm(x + Layer(x)).
    x = layer.mix_norm.forward(x, layer.mix.forward(x), DropoutState{}, layer.mix_norm_cache);
    // Step 3. Each position by itself: x = LayerNorm(x + FFN(x)).
    x = layer.feed_forward_norm.forward(x, layer.feed_forward.forward(x, layer.feed_forward_cache),
                                        DropoutState{}, layer.feed_forward_norm_cache);
  }
  return x;
}

double DistanceModel::forward_backward(const TaskBatch& batch) {
  const Tensor x = forward(batch.tokens);

  // Step 4. The loss of the logits x embedding^T, and its gradient.
  const auto count = static_cast<double>(count_targets(batch.targets));
  Tensor grad;
  const CrossEntropy loss = projected_cross_entropy_forward_backward(
      static_cast<Real>(1 / count), x, embedding_, batch.targets, /*smoothing=*/0, grad);

  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    // Step 3 was: x = LayerNorm(x + FFN(x)). x has two gradients: of the sum, and through the sub-layer.
    const auto outer = layer->feed_forward_norm.backward(grad, layer->feed_forward_norm_cache);
    grad = add(layer->feed_forward.backward(outer.sublayer_output, layer->feed_forward_cache), outer.x);
    // Step 2 was: x = LayerNorm(x + Layer(x)). x has two gradients here, too.
    const auto inner = layer->mix_norm.backward(grad, layer->mix_norm_cache);
    grad = add(layer->mix.backward(inner.sublayer_output), inner.x);
  }
  // Step 1 was: x = sqrt(d) embedding + positions.
  embedding_backward(std::move(grad), batch.tokens, embedding_);
  return loss.loss / count;
}

double DistanceModel::accuracy(const TaskBatch& batch) {
  const Tensor logits = output_projection_forward(forward(batch.tokens), embedding_);  // [batch, len, vocab]
  Index right = 0;
  for (Index row = 0; row < std::ssize(batch.targets); ++row) {
    const Real* begin = logits.data() + row * kTaskVocabulary;
    const auto best = static_cast<int>(std::max_element(begin, begin + kTaskVocabulary) - begin);
    right += batch.targets[row] == best ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(count_targets(batch.targets));
}

}  // namespace plainformer
