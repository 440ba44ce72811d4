#include "lab/experiments/lookup_model.h"

#include <algorithm>
#include <cmath>

#include "beyond/dot_product_attention.h"
#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/elementwise.h"
#include "ops/embedding_lookup.h"
#include "ops/linear.h"

namespace plainformer {

namespace {

constexpr Real kInitialCosineScale = 5;  // as far as scaled dot products of unit variance reach

Real over_root(Index d_k) {
  return 1 / std::sqrt(static_cast<Real>(d_k));
}

void fill_with_normal(Parameter& parameter, double deviation, RandomStream stream) {
  Random random(stream);
  std::generate_n(parameter.value.mutable_data(), parameter.value.size(),
                  [&] { return static_cast<Real>(deviation * random.normal()); });
}

// The sum of the embeddings at each position, divided by the root of their number: again of variance 1.
Tensor embed_forward(const std::vector<int>& symbols, Index batch, Index parts, const Parameter& embedding) {
  const Index d_model = embedding.value.dim(1), rows = std::ssize(symbols) / parts;
  const Tensor picked = embedding_lookup_forward(symbols, embedding);  // [rows * parts, d_model]
  Tensor sums = Tensor::zeros({batch, rows / batch, d_model});
  TensorWriter sum(sums);
  for (Index row = 0; row < rows; ++row)
    for (Index part = 0; part < parts; ++part)
      for (Index p = 0; p < d_model; ++p) sum(row, p) += picked(row * parts + part, p);
  return scale(std::move(sums), 1 / std::sqrt(static_cast<Real>(parts)));
}

void embed_backward(const Tensor& grad_x, const std::vector<int>& symbols, Parameter& embedding) {
  const Index d_model = embedding.value.dim(1), rows = grad_x.dim(0) * grad_x.dim(1);
  const Index parts = std::ssize(symbols) / rows;
  Tensor grad_picked({rows * parts, d_model});
  TensorWriter grad(grad_picked);
  for (Index row = 0; row < rows * parts; ++row)
    for (Index p = 0; p < d_model; ++p) grad(row, p) = grad_x(row / parts, p);
  embedding_lookup_backward(scale(std::move(grad_picked), 1 / std::sqrt(static_cast<Real>(parts))), symbols,
                            embedding);
}

}  // namespace

const char* name_of(Score score) {
  switch (score) {
    case Score::kScaledDotProduct:
      return "scaled dot product";
    case Score::kDotProduct:
      return "dot product";
    case Score::kDividedByDk:
      return "dot product / d_k";
    case Score::kAdditive:
      return "additive";
    case Score::kCosine:
      return "cosine";
    default:
      return "linear";
  }
}

LookupModel::LookupModel(const LookupModelOptions& options, std::uint64_t seed)
    : embedding(Tensor({options.symbols, options.d_model})),
      w_q(Tensor::zeros({options.d_model, options.heads * options.d_k})),
      w_k(Tensor::zeros({options.d_model, options.heads * options.d_k})),
      w_v(Tensor::zeros({options.d_model, options.d_model})),
      w_o(Tensor::zeros({options.d_model, options.answers * options.classes})),
      additive(options.d_model, options.d_k),
      cosine(kInitialCosineScale),
      options_(options) {
  CHECK(options.heads > 0 && options.d_model % options.heads == 0, options.heads, " heads of ",
        options.d_model);
  CHECK(options.score != Score::kAdditive || options.heads == 1, "additive attention has one head");
  fill_with_normal(embedding, 1, random_stream(seed, 0, 0));
  const double deviation = 1 / std::sqrt(static_cast<double>(options.d_model));
  std::uint64_t site = 1;
  for (Parameter* w : {&w_q, &w_k, &w_v, &w_o, &additive.w_1, &additive.w_2})
    fill_with_normal(*w, deviation, random_stream(seed, 0, site++));
  fill_with_normal(additive.v, 1 / std::sqrt(static_cast<double>(options.d_k)), random_stream(seed, 0, site));
}

// Projects queries and keys, compares them, and averages the values v [batch, key_len, d_model].
Tensor LookupModel::attend(const Tensor& v, const AttentionMask& mask, Cache& cache) const {
  if (options_.score == Score::kAdditive)
    return additive.forward(cache.query, cache.key, v, mask, cache.additive);
  const Tensor q = linear_forward(cache.query, w_q);  // [batch, query_len, heads * d_k]
  const Tensor k = linear_forward(cache.key, w_k);    // [batch, key_len, heads * d_k]
  switch (options_.score) {
    case Score::kDotProduct:
      return dot_product_attention_forward(q, k, v, mask, options_.heads, cache.attention);
    case Score::kDividedByDk:  // equation (1) of shorter queries, so that the roots make d_k
      return attention_forward(scale(q, over_root(options_.d_k)), k, v, mask, options_.heads,
                               cache.attention);
    case Score::kCosine:
      return cosine.forward(q, k, v, mask, options_.heads, cache.cosine);
    case Score::kLinear:
      return linear_attention_forward(q, k, v, mask, options_.heads, cache.linear);
    default:
      return attention_forward(q, k, v, mask, options_.heads, cache.attention);
  }
}

// The gradients of the embeddings of queries and keys, and of v.
AttentionGradients LookupModel::attend_backward(const Tensor& grad_concat, const Cache& cache) {
  if (options_.score == Score::kAdditive) return additive.backward(grad_concat, cache.additive);
  AttentionGradients grad;
  switch (options_.score) {
    case Score::kDotProduct:
      grad = dot_product_attention_backward(grad_concat, cache.attention);
      break;
    case Score::kDividedByDk:
      grad = attention_backward(grad_concat, cache.attention);
      grad.query = scale(std::move(grad.query), over_root(options_.d_k));
      break;
    case Score::kCosine:
      grad = cosine.backward(grad_concat, cache.cosine);
      break;
    case Score::kLinear:
      grad = linear_attention_backward(grad_concat, cache.linear);
      break;
    default:
      grad = attention_backward(grad_concat, cache.attention);
  }
  grad.query = linear_backward(grad.query, cache.query, w_q);
  grad.key = linear_backward(grad.key, cache.key, w_k);
  return grad;
}

Tensor LookupModel::forward(const LookupBatch& batch, Cache& cache) const {
  const Index d_model = options_.d_model, rows = batch.batch * batch.query_len * options_.answers;

  // Step 1. Embed: the symbols of a position are added up.
  cache.query_symbols = batch.query_symbols;
  cache.key_symbols = batch.key_symbols;
  cache.query = embed_forward(batch.query_symbols, batch.batch, batch.query_parts, embedding);
  cache.key = embed_forward(batch.key_symbols, batch.batch, batch.key_parts, embedding);
  CHECK_SHAPE(cache.query, batch.batch, batch.query_len, d_model);
  CHECK_SHAPE(cache.key, batch.batch, batch.key_len, d_model);

  // Step 2. Attend to all keys, or to those up to the query's own position.
  const AttentionMask mask = {
      .key_lengths = std::vector<Index>(static_cast<std::size_t>(batch.batch), batch.key_len),
      .causal = batch.causal};
  cache.concat = attend(linear_forward(cache.key, w_v), mask, cache);

  // Step 3. Classify: one row of logits for each answer.
  return linear_forward(cache.concat, w_o).reshaped({rows, options_.classes});
}

void LookupModel::backward(const Tensor& grad_logits, const Cache& cache) {
  const Index batch = cache.concat.dim(0), query_len = cache.concat.dim(1);

  // Step 3 was: one row of logits for each answer.
  const Tensor grad_concat = linear_backward(
      grad_logits.reshaped({batch, query_len, options_.answers * options_.classes}), cache.concat, w_o);

  // Step 2 was: attend. The keys' embeddings gave keys and values.
  const AttentionGradients grad = attend_backward(grad_concat, cache);
  const Tensor grad_key = add(grad.key, linear_backward(grad.value, cache.key, w_v));

  // Step 1 was: embed.
  embed_backward(grad.query, cache.query_symbols, embedding);
  embed_backward(grad_key, cache.key_symbols, embedding);
}

ParameterList LookupModel::parameters() {
  ParameterList list = {{"embedding", &embedding}, {"w_v", &w_v}, {"w_o", &w_o}};
  if (options_.score == Score::kAdditive) {
    additive.append_parameters("additive", list);
  } else {
    list.push_back({"w_q", &w_q});
    list.push_back({"w_k", &w_k});
  }
  if (options_.score == Score::kCosine) list.push_back({"scale", &cosine.scale});
  return list;
}

}  // namespace plainformer
