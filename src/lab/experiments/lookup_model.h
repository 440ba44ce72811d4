// The smallest model that can look something up: embeddings, one layer of attention with a score to choose,
// and a linear map to the classes. No residual connection, no norm, no feed-forward network: the answer can
// only come through the attention.
#pragma once

#include <cstdint>

#include "beyond/additive_attention.h"
#include "beyond/cosine_attention.h"
#include "beyond/linear_attention.h"
#include "core/parameter.h"
#include "lab/experiments/lookup_task.h"

namespace plainformer {

// How a query and a key are compared.
enum class Score { kScaledDotProduct, kDotProduct, kDividedByDk, kAdditive, kCosine, kLinear };

const char* name_of(Score score);

struct LookupModelOptions {
  Score score = Score::kScaledDotProduct;
  Index symbols = 0;
  Index d_model = 64, heads = 1;  // d_v = d_model / heads; additive attention has one head
  Index d_k = 64;                 // of each head; the hidden layer of additive attention
  Index answers = 1, classes = 0;
};

class LookupModel {
 public:
  struct Cache {
    std::vector<int> query_symbols, key_symbols;
    Tensor query, key;  // [batch, query_len, d_model], [batch, key_len, d_model]: the embeddings
    AttentionCache attention;
    AdditiveAttention::Cache additive;
    CosineAttention::Cache cosine;
    LinearAttentionCache linear;
    Tensor concat;  // [batch, query_len, d_model]
  };

  // Random weights. If the embeddings are independent, of mean 0 and variance 1, so are the components of
  // query and key: footnote 4's assumption.
  LookupModel(const LookupModelOptions& options, std::uint64_t seed);

  // -> logits [batch * query_len * answers, classes]
  Tensor forward(const LookupBatch& batch, Cache& cache) const;
  // Adds to the gradients of all parameters.    grad_logits as forward's logits
  void backward(const Tensor& grad_logits, const Cache& cache);

  ParameterList parameters();  // those that the score uses

  Parameter embedding;  // [symbols, d_model]
  Parameter w_q, w_k;   // [d_model, heads * d_k]; additive attention has its own
  Parameter w_v;        // [d_model, d_model]
  Parameter w_o;        // [d_model, answers * classes]
  AdditiveAttention additive;
  CosineAttention cosine;

 private:
  Tensor attend(const Tensor& v, const AttentionMask& mask, Cache& cache) const;
  AttentionGradients attend_backward(const Tensor& grad_concat, const Cache& cache);

  LookupModelOptions options_;
};

}  // namespace plainformer
