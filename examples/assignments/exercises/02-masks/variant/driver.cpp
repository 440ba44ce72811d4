// A mask of blocks: if it is causal, a query sees only the keys of earlier blocks of three.
#include <cmath>

#include "ops/scaled_dot_product_attention.h"
#include "variant.h"

namespace plainformer::course {

namespace {

struct Scene {
  Index batch, query_len, key_len, d_k, d_v;
  AttentionMask mask;
  Values query, key, value;
};

Scene draw_scene(bool causal) {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(5, 4, 9);
  Scene drawn = {.batch = extents[0],
                 .query_len = extents[1],
                 .key_len = extents[2],
                 .d_k = extents[3],
                 .d_v = extents[4],
                 .mask = {.key_lengths = {}, .causal = causal},
                 .query = draw.values(extents[0] * extents[1] * extents[3]),
                 .key = draw.values(extents[0] * extents[2] * extents[3]),
                 .value = draw.values(extents[0] * extents[2] * extents[4])};
  while (drawn.mask.batch() < drawn.batch) drawn.mask.key_lengths.push_back(draw.whole(1, drawn.key_len));
  return drawn;
}

#ifdef COURSE_ORACLE

constexpr Index kBlock = 3;

bool sees(const Scene& in, Index element, Index i, Index j) {
  return j < in.mask.key_lengths[element] && (!in.mask.causal || j / kBlock < i / kBlock);
}

// [batch, query_len]
Values counts_of(const Scene& in) {
  Values counts;
  for (Index b = 0; b < in.batch; ++b)
    for (Index i = 0; i < in.query_len; ++i) {
      counts.push_back(0);
      for (Index j = 0; j < in.key_len; ++j) counts.back() += sees(in, b, i, j);
    }
  return counts;
}

// [batch, query_len, d_v], in one head
Tensor output_of(const Scene& in) {
  Values output(in.batch * in.query_len * in.d_v, 0);
  for (Index b = 0; b < in.batch; ++b)
    for (Index i = 0; i < in.query_len; ++i) {
      Values power(in.key_len, 0);
      double sum = 0;
      for (Index j = 0; j < in.key_len; ++j) {
        if (!sees(in, b, i, j)) continue;
        double score = 0;
        for (Index p = 0; p < in.d_k; ++p)
          score += in.query[(b * in.query_len + i) * in.d_k + p] * in.key[(b * in.key_len + j) * in.d_k + p];
        power[j] = std::exp(score / std::sqrt(double(in.d_k)));
        sum += power[j];
      }
      for (Index j = 0; j < in.key_len && sum > 0; ++j)
        for (Index p = 0; p < in.d_v; ++p)
          output[(b * in.query_len + i) * in.d_v + p] +=
              power[j] / sum * in.value[(b * in.key_len + j) * in.d_v + p];
    }
  return tensor({in.batch, 1, in.query_len, in.d_v}, output);
}

#else

Values counts_of(const Scene& in) {
  Values counts;
  for (Index b = 0; b < in.batch; ++b)
    for (Index i = 0; i < in.query_len; ++i) counts.push_back(double(in.mask.visible_keys(b, i)));
  return counts;
}

Tensor output_of(const Scene& in) {
  AttentionCache cache;
  return attention_forward(tensor({in.batch, 1, in.query_len, in.d_k}, in.query),
                           tensor({in.batch, 1, in.key_len, in.d_k}, in.key),
                           tensor({in.batch, 1, in.key_len, in.d_v}, in.value), in.mask, cache);
}

#endif

void counts() {
  for (const bool causal : {true, false}) show("visible keys", counts_of(draw_scene(causal)));
}

void outputs() {
  for (const bool causal : {true, false}) show("output", output_of(draw_scene(causal)));
}

}  // namespace

std::vector<Stage> stages() {
  return {{"AttentionMask::visible_keys", counts}, {"attention under the mask", outputs}};
}

}  // namespace plainformer::course
