#include "transformer/incremental_attention.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ops/scaled_dot_product_attention.h"
#include "ops/swap_axes.h"
#include "tensors.h"

namespace plainformer {
namespace {

constexpr Index kHeads = 3, kDepth = 5, kModel = kHeads * kDepth;

Tensor split_heads(const Tensor& x) {  // [len, kModel] -> [1, kHeads, len, kDepth]
  return swap_middle_axes(x.reshaped({1, x.dim(0), kHeads, kDepth}));
}

// Equation (1) for one query, by the plain form. keys and values [key_len, kModel]
Tensor plain(const Tensor& query, const Tensor& keys, const Tensor& values) {
  AttentionCache cache;
  const AttentionMask mask = {.key_lengths = {keys.dim(0)}};
  return swap_middle_axes(scaled_dot_product_attention_forward(split_heads(query), split_heads(keys),
                                                               split_heads(values), mask, cache))
      .reshaped({1, kModel});
}

Tensor rows_at(const Tensor& x, const std::vector<Index>& rows) {
  Tensor picked({static_cast<Index>(rows.size()), x.dim(1)});
  Real* to = picked.mutable_data();
  for (const Index row : rows) to = std::copy_n(x.data() + row * x.dim(1), x.dim(1), to);
  return picked;
}

struct Sentence {
  Tensor keys, values;     // [positions, kModel]
  Tensor transposed_keys;  // [kModel, positions]
};

Sentence random_sentence(Index positions, std::uint64_t seed) {
  Sentence sentence = {
      random_tensor({positions, kModel}, seed), random_tensor({positions, kModel}, seed + 1), {}};
  sentence.transposed_keys = swap_middle_axes(sentence.keys.reshaped({1, positions, kModel, 1}));
  return sentence;
}

QueryGroup group_of(const Sentence& sentence, Index first_row, Index rows) {
  const Index positions = sentence.keys.dim(0);
  return {.first_row = first_row,
          .rows = rows,
          .keys = {sentence.transposed_keys.data(), kModel, positions, positions},
          .values = {sentence.values.data(), positions, kModel, kModel}};
}

// Two sentences with 2 and 1 queries, each of which sees other positions, some of them in gaps.
TEST(IncrementalAttention, IsEquationOneOverTheVisiblePositionsToTheBit) {
  const std::vector<Sentence> sentences = {random_sentence(9, 10), random_sentence(40, 20)};
  std::vector<Index> all(40);
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<std::vector<Index>> seen = {{0, 2, 3, 7}, {0, 1, 8}, all};
  const std::vector<Index> sentence_of = {0, 0, 1};

  const Tensor q = random_tensor({3, 1, kModel}, 30);
  const std::vector<QueryGroup> groups = {group_of(sentences[0], 0, 2), group_of(sentences[1], 2, 1)};
  const std::vector<VisiblePositions> visible(seen.begin(), seen.end());
  const Tensor concat = incremental_attention(q, groups, visible, kHeads);

  ASSERT_EQ(concat.shape(), (Shape{3, 1, kModel}));
  for (Index row = 0; row < 3; ++row) {
    const Sentence& sentence = sentences[sentence_of[row]];
    const Tensor query = rows_at(q.reshaped({3, kModel}), {row});
    const Tensor expected =
        plain(query, rows_at(sentence.keys, seen[row]), rows_at(sentence.values, seen[row]));
    EXPECT_TRUE(same_bits(rows_at(concat.reshaped({3, kModel}), {row}), expected)) << "query " << row;
  }
}

TEST(IncrementalAttention, OnePositionIsCopied) {
  const Sentence sentence = random_sentence(4, 1);
  const std::vector<Index> seen = {2};
  const std::vector<QueryGroup> groups = {group_of(sentence, 0, 1)};
  const std::vector<VisiblePositions> visible = {seen};
  const Tensor concat = incremental_attention(random_tensor({1, 1, kModel}, 2), groups, visible, kHeads);
  EXPECT_TRUE(near(concat.reshaped({1, kModel}), rows_at(sentence.values, seen), 1e-6));
}

TEST(IncrementalAttention, RefusesWhatDoesNotFit) {
  const Sentence sentence = random_sentence(4, 1);
  const std::vector<Index> seen = {0, 3}, too_far = {0, 4};
  const Tensor q = random_tensor({3, 1, kModel}, 2);
  const auto attend = [&](const std::vector<QueryGroup>& groups, VisiblePositions last, Index heads) {
    incremental_attention(q, groups, std::vector<VisiblePositions>{seen, seen, last}, heads);
  };
  const auto group = [&](Index first_row, Index rows) { return group_of(sentence, first_row, rows); };
  const std::vector<QueryGroup> good = {group(0, 1), group(1, 2)};
  EXPECT_NO_THROW(attend(good, seen, kHeads));
  EXPECT_THROW(attend(good, too_far, kHeads), std::logic_error);
  for (const Index heads : {0, -1, 2}) EXPECT_THROW(attend(good, seen, heads), std::logic_error);

  EXPECT_THROW(attend({group(0, 1), group(2, 1)}, seen, kHeads), std::logic_error) << "a gap";
  EXPECT_THROW(attend({group(0, 2), group(1, 2)}, seen, kHeads), std::logic_error) << "an overlap";
  EXPECT_THROW(attend({group(1, 2), group(0, 1)}, seen, kHeads), std::logic_error) << "another order";
  EXPECT_THROW(attend({group(0, 2)}, seen, kHeads), std::logic_error) << "a row is left over";
  EXPECT_THROW(attend({group(0, 4)}, seen, kHeads), std::logic_error) << "a row too many";
  EXPECT_THROW(attend({group(0, 4), group(4, -1)}, seen, kHeads), std::logic_error) << "fewer than no rows";

  std::vector<QueryGroup> narrow = good, short_keys = good;
  narrow[1].values.cols = narrow[1].keys.rows = kModel - kDepth;
  EXPECT_THROW(attend(narrow, seen, kHeads), std::logic_error);
  short_keys[1].keys.cols = 3;
  EXPECT_THROW(attend(short_keys, seen, kHeads), std::logic_error);
}

}  // namespace
}  // namespace plainformer
