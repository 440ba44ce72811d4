#include "app/full_heads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/input_error.h"

namespace plainformer {

namespace {

// w [d_model, heads * from] -> [d_model, heads * to]: each head's columns times `scale`, then zeros.
Tensor with_columns(const Tensor& w, Index heads, Index to, Real scale) {
  const Index rows = w.dim(0), from = w.dim(1) / heads;
  Tensor wide = Tensor::zeros({rows, heads * to});
  Real* out = wide.mutable_data();
  for (Index block = 0; block < rows * heads; ++block) {
    for (Index i = 0; i < from; ++i) out[block * to + i] = scale * w.data()[block * from + i];
  }
  return wide;
}

// w [heads * from, d_model] -> [heads * to, d_model]: each head's rows, then zeros.
Tensor with_rows(const Tensor& w, Index heads, Index to) {
  const Index from = w.dim(0) / heads, columns = w.dim(1);
  Tensor tall = Tensor::zeros({heads * to, columns});
  for (Index head = 0; head < heads; ++head) {
    std::copy_n(w.data() + head * from * columns, from * columns, tall.mutable_data() + head * to * columns);
  }
  return tall;
}

}  // namespace

FullHeads with_full_heads(std::vector<NamedTensor> weights, const ModelConfig& config,
                          const std::string& where) {
  FullHeads full = {.config = config, .weights = std::move(weights)};
  full.config.d_k = full.config.d_v = 0;
  if (config.d_k == 0 && config.d_v == 0) return full;

  const Index heads = config.heads, width = config.d_model / heads;
  if (config.d_model % heads != 0 || config.head_d_k() > width || config.head_d_v() > width) {
    throw input_error(where,
                      "its heads have d_k = " + std::to_string(config.head_d_k()) +
                          " and d_v = " + std::to_string(config.head_d_v()) +
                          "; PyTorch's have d_model / heads = " + std::to_string(width),
                      "only models with at most d_model / heads columns in each head can be exported");
  }
  const Real scale = std::sqrt(static_cast<Real>(width) / static_cast<Real>(config.head_d_k()));
  for (NamedTensor& weight : full.weights) {
    const std::string& name = weight.name;
    if (name.ends_with(".w_q")) weight.tensor = with_columns(weight.tensor, heads, width, scale);
    if (name.ends_with(".w_k") || name.ends_with(".w_v"))
      weight.tensor = with_columns(weight.tensor, heads, width, 1);
    if (name.ends_with(".w_o")) weight.tensor = with_rows(weight.tensor, heads, width);
  }
  return full;
}

}  // namespace plainformer
