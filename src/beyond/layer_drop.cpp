#include "beyond/layer_drop.h"

#include <algorithm>
#include <utility>

#include "core/random.h"
#include "core/random_streams.h"

namespace plainformer {

namespace {

std::vector<bool> draw_layers(std::size_t layers, double layer_drop, Random& random) {
  std::vector<bool> stays(layers);
  for (std::size_t i = 0; i < layers; ++i) stays[i] = random.uniform() >= layer_drop;
  if (std::find(stays.begin(), stays.end(), true) == stays.end())
    stays[random.below(static_cast<Index>(layers))] = true;
  return stays;
}

// Moves the layers that stay from their places into the stack.
template <typename Layer>
void take(std::vector<Layer>& places, const std::vector<bool>& stays, std::vector<Layer>& stack) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (stays[i]) stack.push_back(std::move(places[i]));
  }
}

// Moves the layers back from the stack to their places.
template <typename Layer>
void put_back(std::vector<Layer>& stack, const std::vector<bool>& stays, std::vector<Layer>& places) {
  auto layer = stack.begin();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (stays[i]) places[i] = std::move(*layer++);
  }
  stack = std::move(places);
}

}  // namespace

ShallowerModel::ShallowerModel(Transformer& model, double layer_drop, const DropoutState& dropout)
    : model_(model) {
  Random random(dropout.stream(random_site::kLayerDrop));
  encoder_stays_ = draw_layers(model.encoder.layers.size(), layer_drop, random);
  decoder_stays_ = draw_layers(model.decoder.layers.size(), layer_drop, random);
  encoder_layers_ = std::exchange(model.encoder.layers, {});
  decoder_layers_ = std::exchange(model.decoder.layers, {});
  take(encoder_layers_, encoder_stays_, model.encoder.layers);
  take(decoder_layers_, decoder_stays_, model.decoder.layers);
}

ShallowerModel::~ShallowerModel() {
  put_back(model_.encoder.layers, encoder_stays_, encoder_layers_);
  put_back(model_.decoder.layers, decoder_stays_, decoder_layers_);
}

}  // namespace plainformer
