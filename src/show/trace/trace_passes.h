// The two passes of a trace: every tensor of Transformer::forward and Transformer::backward, recorded.
//
// Forward runs the model itself and reads its caches. If no cache holds a tensor, the same operation computes
// it again. Backward walks through the layers in the order of their own backward functions, with their own
// operations, and records each gradient.
#pragma once

#include "show/trace/trace.h"
#include "transformer/token_batch.h"
#include "transformer/transformer.h"

namespace plainformer {

struct TracePass {
  const TranslationBatch& pair;                               // a batch of one sentence
  TraceAxis source, target_input, target_output, vocabulary;  // with the words of their indices
  double label_smoothing = 0;
};

// Fills the cache and records the forward pass, the loss included.
//   -> decoder_output [1, target_len, d_model]
Tensor trace_forward(const Transformer& model, const TracePass& pass, Transformer::Cache& cache,
                     TraceRecorder& recorder);

// Records the backward pass of the loss. Adds to all gradients, as Transformer::backward does.
void trace_backward(Transformer& model, const TracePass& pass, const Transformer::Cache& cache,
                    const Tensor& decoder_output, TraceRecorder& recorder);

// ---- for both passes

// A layer of a stack.
struct LayerPlace {
  std::string name, title;  // "encoder.0", "Encoder layer 0"
  TraceAxis tokens;
};

// An attention of a layer, and what it attends from and to.
struct AttentionPlace {
  std::string name, title;  // "encoder.0.self_attention", "Self-attention"
  TraceAxis queries, keys;
};

// Records the tensors of one place after another.
class PassTrace {
 protected:
  PassTrace(const TracePass& pass, TraceRecorder& recorder) : pass_(pass), recorder_(recorder) {}

  LayerPlace encoder_place(std::size_t layer) const;
  LayerPlace decoder_place(std::size_t layer) const;
  static AttentionPlace attention_place(const LayerPlace& at, const std::string& name,
                                        const std::string& title, const TraceAxis& keys);
  static AttentionPlace self_attention(const LayerPlace& at);
  AttentionPlace encoder_decoder_attention(const LayerPlace& at) const;

  // The records that follow have this path, and names that begin with the place.
  void enter(const std::vector<std::string>& path, const std::string& place);

  // Records the tensor "place.name", with the section and the equation that notes.json has for its kind.
  TraceRecord& add(const std::string& name, const Tensor& tensor, const std::vector<TraceAxis>& axes);

  const TracePass& pass_;
  TraceRecorder& recorder_;
  std::string place_;  // "encoder.0.self_attention"; "" for a name without a place
  const TraceAxis d_model_ = axis("d_model"), d_ff_ = axis("d_ff");
  const TraceAxis heads_ = axis("heads"), d_k_ = axis("d_k"), d_v_ = axis("d_v");
  const TraceAxis heads_d_k_ = axis("heads * d_k"), heads_d_v_ = axis("heads * d_v");
};

// The products inside an attention, which neither its result nor its cache keeps: A B^T in every head. The
// loops add in the order of the plain attention_forward, so all bits are equal.
//   a [1, heads, rows, d], b [1, heads, columns, d] -> [1, heads, rows, columns]
Tensor head_products(const Tensor& a, const Tensor& b);

// x / sqrt(d_k), element by element.
Tensor divide_by_root(const Tensor& x, Index d_k);

}  // namespace plainformer
