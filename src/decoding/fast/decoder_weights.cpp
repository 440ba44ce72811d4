#include "decoding/fast/decoder_weights.h"

namespace plainformer {

namespace {

PreparedMatrix prepared(const Parameter& w) {
  return {w.value, Transpose::kNo};
}

}  // namespace

DecoderWeights::DecoderWeights(const Transformer& model)
    : layers(model.decoder.layers.begin(), model.decoder.layers.end()),
      vocabulary(model.embedding.value, Transpose::kYes) {}

DecoderWeights::Layer::Layer(const DecoderLayer& layer)
    : self_w_q(prepared(layer.self_attention.w_q)),
      self_w_k(prepared(layer.self_attention.w_k)),
      self_w_v(prepared(layer.self_attention.w_v)),
      self_w_o(prepared(layer.self_attention.w_o)),
      source_w_q(prepared(layer.encoder_decoder_attention.w_q)),
      source_w_o(prepared(layer.encoder_decoder_attention.w_o)),
      w_1(prepared(layer.feed_forward.w_1)),
      w_2(prepared(layer.feed_forward.w_2)) {}

}  // namespace plainformer
