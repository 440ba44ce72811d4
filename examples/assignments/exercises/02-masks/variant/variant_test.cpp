// A mask of blocks: if it is causal, a query sees only the keys of earlier blocks of three.
#include <gtest/gtest.h>

#include "ops/scaled_dot_product_attention.h"
#include "seed.h"
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

constexpr Index kBlock = 3;

enum class Causal { kEarlierBlocks, kOrdinary };

bool sees(const Scene& in, Index element, Index i, Index j, Causal causal) {
  if (j >= in.mask.key_lengths[element]) return false;
  if (!in.mask.causal) return true;
  return causal == Causal::kEarlierBlocks ? j / kBlock < i / kBlock : j <= i;
}

// [batch, query_len]
Values oracle_counts(const Scene& in, Causal causal = Causal::kEarlierBlocks) {
  Values counts;
  for (Index b = 0; b < in.batch; ++b)
    for (Index i = 0; i < in.query_len; ++i) {
      counts.push_back(0);
      for (Index j = 0; j < in.key_len; ++j) counts.back() += sees(in, b, i, j, causal);
    }
  return counts;
}

// [batch, query_len, d_v], in one head
Values oracle_output(const Scene& in, Causal causal = Causal::kEarlierBlocks) {
  Values output(in.batch * in.query_len * in.d_v, 0);
  for (Index b = 0; b < in.batch; ++b)
    for (Index i = 0; i < in.query_len; ++i) {
      Values power(in.key_len, 0);
      double sum = 0;
      for (Index j = 0; j < in.key_len; ++j) {
        if (!sees(in, b, i, j, causal)) continue;
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
  return output;
}

Values found_counts(const Scene& in) {
  Values counts;
  for (Index b = 0; b < in.batch; ++b)
    for (Index i = 0; i < in.query_len; ++i) counts.push_back(double(in.mask.visible_keys(b, i)));
  return counts;
}

Tensor found_output(const Scene& in) {
  AttentionCache cache;
  return attention_forward(tensor({in.batch, 1, in.query_len, in.d_k}, in.query),
                           tensor({in.batch, 1, in.key_len, in.d_k}, in.key),
                           tensor({in.batch, 1, in.key_len, in.d_v}, in.value), in.mask, cache);
}

TEST(EarlierBlocks, CountsTheirKeys) {
  for (const bool causal : {true, false}) {
    const Scene in = draw_scene(causal);
    EXPECT_EQ(found_counts(in), oracle_counts(in)) << (causal ? "causal" : "not causal");
  }
}

TEST(EarlierBlocks, AreAllThatAttentionSees) {
  for (const bool causal : {true, false}) {
    const Scene in = draw_scene(causal);
    EXPECT_TRUE(
        near(found_output(in), {in.batch, 1, in.query_len, in.d_v}, oracle_output(in), kOutputTolerance))
        << (causal ? "causal" : "not causal");
  }
}

TEST(Fair, EarlierBlocks) {
  const Scene in = draw_scene(true);
  EXPECT_TRUE(outputs_are_far_apart(oracle_counts(in), oracle_counts(in, Causal::kOrdinary)));
  EXPECT_TRUE(outputs_are_far_apart(oracle_output(in), oracle_output(in, Causal::kOrdinary)));
  EXPECT_TRUE(outputs_are_far_apart(oracle_output(in), oracle_output(draw_scene(false))));
}

}  // namespace
}  // namespace plainformer::course
