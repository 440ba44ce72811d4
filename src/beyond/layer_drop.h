// Beyond the paper: LayerDrop (Fan et al. 2020, "Reducing Transformer Depth on Demand with Structured
// Dropout"). A pass of training leaves out each layer with a probability. The layers that stay learn to do without
// the others. Translation uses all of them.
#pragma once

#include <vector>

#include "transformer/transformer.h"

namespace plainformer {

// While it exists, the model has only some of its layers, at least one in each stack. Forward and backward work as
// ever, and pointers to the parameters of all layers are good again when it is gone.
class ShallowerModel {
 public:
  ShallowerModel(Transformer& model, double layer_drop, const DropoutState& dropout);
  ~ShallowerModel();
  ShallowerModel(const ShallowerModel&) = delete;
  ShallowerModel& operator=(const ShallowerModel&) = delete;

 private:
  Transformer& model_;
  std::vector<bool> encoder_stays_, decoder_stays_;
  std::vector<EncoderLayer> encoder_layers_;  // the places of all layers, to which pointers may exist
  std::vector<DecoderLayer> decoder_layers_;
};

}  // namespace plainformer
