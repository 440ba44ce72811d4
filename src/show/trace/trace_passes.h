// The two passes of a trace: every tensor of Transformer::forward and Transformer::backward, recorded.
//
// Forward runs the model itself and reads its caches. If no cache holds a tensor, the same operation computes
// it again. Backward walks through the layers in the order of their own backward functions, with their own
// operations, and records each gradient.
#pragma once

#include "ops/ways.h"
#include "show/trace/trace.h"
#include "transformer/token_batch.h"
#include "transformer/transformer.h"

namespace plainformer {

// Names for the indices of some axes.
struct TraceWords {
  std::shared_ptr<const Words> source, target_input, target_output, vocabulary;
};

struct TracePass {
  const TranslationBatch& pair;  // of one sentence
  TraceWords words;
  double label_smoothing = 0;

  TraceAxis source() const { return {.name = "source_len", .words = words.source, .of_sentence = true}; }
  TraceAxis target_input() const {
    return {.name = "target_len", .words = words.target_input, .of_sentence = true};
  }
  TraceAxis target_output() const {
    return {.name = "target_len", .words = words.target_output, .of_sentence = true};
  }
  TraceAxis vocabulary() const { return {.name = "vocab", .words = words.vocabulary}; }
};

// An attention of the model: where it is, and what it attends from and to.
struct AttentionPlace {
  std::string prefix;         // "encoder.0.self_attention"
  std::string query, memory;  // the names of its inputs: "x" and "x", or "y" and "memory"
  TraceAxis queries, keys;

  static AttentionPlace self_attention(const std::string& layer, const TraceAxis& tokens);
  static AttentionPlace encoder_decoder_attention(const std::string& layer, const TracePass& pass);
};

// Attention is plain, because only plain attention keeps its weights. The other ways stay as they are.
Ways ways_of_trace();

// Fills the cache and records the forward pass, the loss included. Returns the logits [1, target_len, vocab].
Tensor trace_forward(const Transformer& model, const TracePass& pass, Transformer::Cache& cache,
                     TraceRecorder& recorder);

// Records the backward pass of the loss. Adds to all gradients, as Transformer::backward does.
void trace_backward(Transformer& model, const TracePass& pass, const Transformer::Cache& cache,
                    const Tensor& logits, TraceRecorder& recorder);

}  // namespace plainformer
