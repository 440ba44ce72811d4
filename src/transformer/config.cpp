#include "transformer/config.h"

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/special_symbols.h"

namespace plainformer {

namespace {

// No sane model exceeds these bounds. No product of two of them overflows 64 bits.
constexpr Index kMaxWidth = 1 << 16, kMaxVocab = 10'000'000, kMaxLength = 1 << 20;
constexpr Index kMaxPositions = 1 << 23;  // elements of the table of positional encodings: 32 MB

}  // namespace

void ModelConfig::check(const std::string& where) const {
  require_between(where + ": d_model", d_model, 1, kMaxWidth);
  require_between(where + ": d_ff", d_ff, 1, kMaxWidth);
  require_between(where + ": heads", heads, 1, d_model);
  require_between(where + ": encoder_layers", encoder_layers, 1, kMaxLayers);
  require_between(where + ": decoder_layers", decoder_layers, 1, kMaxLayers);
  require_between(where + ": vocab", vocab, kSpecialSymbols + 1, kMaxVocab);
  require_between(where + ": max_length", max_length, 2, kMaxLength);
  if (max_length > kMaxPositions / d_model) {
    throw input_error(
        where,
        "max_length " + std::to_string(max_length) + " is too long for d_model " + std::to_string(d_model),
        "choose at most " + std::to_string(kMaxPositions / d_model));
  }
  require_between(where + ": d_k", d_k, 0, kMaxWidth / heads);
  require_between(where + ": d_v", d_v, 0, kMaxWidth / heads);
  if (d_model % heads != 0 && (d_k == 0 || d_v == 0)) {
    throw input_error(where,
                      std::to_string(heads) + " heads do not divide d_model " + std::to_string(d_model),
                      "each head gets d_model / heads columns, so choose a divisor, or give d_k and d_v");
  }
  if (!(layer_norm_epsilon > 0 && layer_norm_epsilon < 1)) {
    throw input_error(where, "layer_norm_epsilon is " + shortest_text(layer_norm_epsilon), "1e-6 is usual");
  }
}

}  // namespace plainformer
