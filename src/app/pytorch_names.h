// Our weights under the names and in the shapes of torch.nn.Transformer's state dict, and back.
//
//   ours: y = x W, W is [in, out]        PyTorch's: y = x W^T + b, W is [out, in]
//   embedding                            embedding.weight: an nn.Embedding beside nn.Transformer
//   position_embedding, if learned       position_embedding.weight: another one
//   {encoder|decoder}.{i}.               {encoder|decoder}.layers.{i}.
//     self_attention.w_q, w_k, w_v         self_attn.in_proj_weight: W^Q^T, W^K^T, W^V^T stacked
//     (no biases in the paper)             self_attn.in_proj_bias, self_attn.out_proj.bias: zeros
//     self_attention.w_o                   self_attn.out_proj.weight: W^O^T
//     encoder_decoder_attention...         multihead_attn...
//     feed_forward.w_1, b_1, w_2, b_2      linear1.weight: W_1^T, linear1.bias; linear2...
//     self_attention_norm.gain, bias       norm1.weight, bias
//     encoder_decoder_attention_norm...    norm2... (of the decoder)
//     feed_forward_norm...                 norm2... of the encoder, norm3... of the decoder
//
// The paper's post-norm stacks end with the norm of their last layer: encoder.norm and decoder.norm, which
// torch.nn.Transformer has by default, must be None.
#pragma once

#include <string>
#include <vector>

#include "core/named_tensor.h"
#include "io/safetensors.h"
#include "transformer/config.h"

namespace plainformer {

// weights: all of a model's, under our names.
std::vector<NamedTensor> to_pytorch_names(const std::vector<NamedTensor>& weights, const ModelConfig& config);

// Undoes to_pytorch_names for an untrusted file. std::runtime_error that names file and tensor if one is
// missing, unknown or of another shape, or if a bias that the paper's model does not have is not zero.
std::vector<NamedTensor> from_pytorch_names(const TensorFile& file, const ModelConfig& config);

}  // namespace plainformer
