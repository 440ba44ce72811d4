#include "ops/plain/products.h"

#include "ops/rows.h"

namespace plainformer::plain {

std::int64_t linear_products(const Tensor& x, const Parameter& w) {
  return std::int64_t{row_count(x)} * w.value.size();
}

std::int64_t attention_products(const Tensor& query, const Tensor& key, const Tensor& value) {
  const std::int64_t pairs = std::int64_t{query.dim(0)} * query.dim(1) * key.dim(1);
  return pairs * (query.dim(2) + value.dim(2));
}

std::int64_t visible_pairs(const NeighborMask& mask, Index heads, Index len) {
  std::int64_t pairs = 0;
  for (const Index count : mask.visible_keys_of_scores(heads, len)) pairs += count;
  return pairs;
}

namespace {

// The keys that join the sums S and z, and the queries that see one, in all heads.
struct Visible {
  std::int64_t keys = 0, queries = 0;
};

Visible visible_in(const LinearAttentionCache& cache) {
  const Index query_len = cache.query.dim(2);
  Visible visible;
  for (Index b = 0; b < cache.mask.batch() && query_len > 0; ++b) {
    visible.keys += cache.heads * cache.mask.visible_keys(b, query_len - 1);  // the last query sees most
    for (Index i = 0; i < query_len; ++i)
      if (cache.mask.visible_keys(b, i) > 0) visible.queries += cache.heads;
  }
  return visible;
}

}  // namespace

std::int64_t forward_products(const LinearAttentionCache& cache) {
  const std::int64_t d_k = cache.key.dim(3), d_v = cache.value.dim(3);
  const std::int64_t queries = cache.denominators.size();
  return visible_in(cache).keys * d_k * d_v  // S += phi(k_j) v_j^T
         + queries * d_k * (d_v + 1);        // phi(q_i) S, phi(q_i) . z
}

std::int64_t backward_products(const LinearAttentionCache& cache) {
  const std::int64_t d_k = cache.key.dim(3), d_v = cache.value.dim(3);
  const std::int64_t keys = std::int64_t{cache.key.dim(0)} * cache.heads * cache.key.dim(2);
  return forward_products(cache)                        // S once more, and the gradient of phi(q_i)
         + visible_in(cache).queries * d_k * (d_v + 1)  // the gradients of S and z
         + 2 * keys * d_k * d_v;                        // and of phi(k_j) and v_j
}

}  // namespace plainformer::plain
