// A model whose heads have d_k or d_v columns of their own (Table 3, row B) for programs whose heads always
// have d_model / heads, as torch.nn.MultiheadAttention.
//
// The missing columns of a head are zeros, in W^Q, W^K and W^V, and so are the rows of W^O that would read
// them. They change no score and no output. But the other program divides the scores by the square root of
// d_model / heads, so W^Q is multiplied by sqrt(d_model / heads / d_k).
#pragma once

#include <string>
#include <vector>

#include "core/named_tensor.h"
#include "transformer/config.h"

namespace plainformer {

struct FullHeads {
  ModelConfig config;  // with d_k = d_v = d_model / heads
  std::vector<NamedTensor> weights;
};

// weights: all of a model's, under our names. std::runtime_error, which names `where`, if a head has more
// columns than d_model / heads.
FullHeads with_full_heads(std::vector<NamedTensor> weights, const ModelConfig& config,
                          const std::string& where);

}  // namespace plainformer
