#include "ops/fast/cached_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/attention.h"
#include "support/matmul.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Index kHeads = 3, kDepth = 5, kModel = kHeads * kDepth;

Tensor rows_at(const Tensor& x, const std::vector<Index>& rows) {
  Tensor picked({static_cast<Index>(rows.size()), x.dim(1)});
  Real* to = picked.mutable_data();
  for (const Index row : rows) to = std::copy_n(x.data() + row * x.dim(1), x.dim(1), to);
  return picked;
}

// Equation (1) for one query, by the plain way. query [1, d_model], keys and values [key_len, d_model]
Tensor plain_row(const Tensor& query, const Tensor& keys, const Tensor& values, Index heads) {
  const Index len = keys.dim(0), d_model = keys.dim(1);
  const auto split = [&](const Tensor& x) { return split_heads(x.reshaped({1, x.dim(0), d_model}), heads); };
  return concatenate_heads(attend(split(query), split(keys), split(values), {.key_lengths = {len}}))
      .reshaped({1, d_model});
}

// The same by the steps one by one on the kernels in use: multiply, scale, softmax, multiply, head by head.
Tensor step_by_step(const Tensor& query, const Tensor& keys, const Tensor& values, Index heads) {
  const Index len = keys.dim(0), d_model = keys.dim(1), d_k = d_model / heads;
  const Tensor key_columns = transposed(keys);  // [d_model, len]
  Tensor scores({1, len}), output({1, d_model});
  for (Index h = 0; h < heads; ++h) {
    Real* row = scores.mutable_data();
    multiply({query.data() + h * d_k, 1, d_k, d_model}, Transpose::kNo,
             {key_columns.data() + h * d_k * len, d_k, len, len}, Transpose::kNo, row, false);
    kernels().scale(len, 1 / std::sqrt(static_cast<Real>(d_k)), row, row);
    const double sum = kernels().exp_sum(len, kernels().largest(len, row), row, row);
    kernels().scale(len, static_cast<Real>(1 / sum), row, row);
    multiply({row, 1, len, len}, Transpose::kNo, {values.data() + h * d_k, len, d_k, d_model}, Transpose::kNo,
             output.mutable_data() + h * d_k, false);
  }
  return output;
}

struct Sentence {
  Tensor keys, values;     // [positions, d_model]
  Tensor transposed_keys;  // [d_model, positions]
};

Sentence random_sentence(Index positions, std::uint64_t seed, Index d_model = kModel) {
  Sentence sentence = {
      random_tensor({positions, d_model}, seed), random_tensor({positions, d_model}, seed + 1), {}};
  sentence.transposed_keys = transposed(sentence.keys);
  return sentence;
}

// The first `positions` of a sentence that has room for more.
QueryGroup group_of(const Sentence& sentence, Index first_row, Index rows, Index positions) {
  const Index room = sentence.keys.dim(0), d_model = sentence.keys.dim(1);
  return {.first_row = first_row,
          .rows = rows,
          .keys = {sentence.transposed_keys.data(), d_model, positions, room},
          .values = {sentence.values.data(), positions, d_model, d_model}};
}

QueryGroup group_of(const Sentence& sentence, Index first_row, Index rows) {
  return group_of(sentence, first_row, rows, sentence.keys.dim(0));
}

// exp(0) and exp(ln 3): weights 1/4 and 3/4 in the first row, 1 in the second.
TEST(CachedAttention, WeighsTheVisiblePositionsByTheSoftmax) {
  const double ln_3 = std::log(3.0), root = std::sqrt(2.0);
  const Tensor query = tensor({2, 1, 2}, {root, 0, root, 0});
  const Sentence sentence = {.keys = tensor({3, 2}, {0, 0, 100, 0, ln_3, 0}),
                             .values = tensor({3, 2}, {4, 0, 50, 60, 8, 4}),
                             .transposed_keys = tensor({2, 3}, {0, 100, ln_3, 0, 0, 0})};
  const std::vector<Index> ends = {0, 2}, middle = {1};
  const std::vector<VisiblePositions> visible = {ends, middle};
  const std::vector<QueryGroup> groups = {group_of(sentence, 0, 2)};
  EXPECT_TRUE(near(cached_attention(query, groups, visible, 1), {2, 1, 2}, {7, 3, 50, 60}, 1e-5));
}

// Two sentences with 2 and 1 queries, each of which sees other positions, some of them in gaps.
TEST(CachedAttention, IsEquationOneOverTheVisiblePositionsToTheBit) {
  const std::vector<Sentence> sentences = {random_sentence(9, 10), random_sentence(40, 20)};
  std::vector<Index> all(40);
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<std::vector<Index>> seen = {{0, 2, 3, 7}, {0, 1, 8}, all};
  const std::vector<Index> sentence_of = {0, 0, 1};

  const Tensor q = random_tensor({3, 1, kModel}, 30);
  const std::vector<QueryGroup> groups = {group_of(sentences[0], 0, 2), group_of(sentences[1], 2, 1)};
  const std::vector<VisiblePositions> visible(seen.begin(), seen.end());
  const Tensor concat = cached_attention(q, groups, visible, kHeads);

  ASSERT_EQ(concat.shape(), (Shape{3, 1, kModel}));
  for (Index row = 0; row < 3; ++row) {
    const Sentence& sentence = sentences[sentence_of[row]];
    const Tensor query = rows_at(q.reshaped({3, kModel}), {row});
    const Tensor keys = rows_at(sentence.keys, seen[row]), values = rows_at(sentence.values, seen[row]);
    const Tensor actual = rows_at(concat.reshaped({3, kModel}), {row});
    EXPECT_TRUE(same_bits(actual, step_by_step(query, keys, values, kHeads))) << "query " << row;
    EXPECT_TRUE(near(actual, plain_row(query, keys, values, kHeads), 1e-5)) << "query " << row;
  }
}

// Many groups of all sizes around those of the tiles, over the first positions of a sentence that has more.
TEST(CachedAttention, HasTheBitsOfTheStepsForAllSizesAroundATile) {
  constexpr Index kWide = 66, kTwoHeads = 2;  // of width 33
  const Sentence sentence = random_sentence(90, 1, kWide);
  std::vector<Index> all(90);
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<QueryGroup> groups;
  std::vector<VisiblePositions> visible;
  for (const Index rows : {1, 4, 15, 37}) {
    for (const Index positions : {1, 8, 17, 33, 65}) {
      groups.push_back(group_of(sentence, std::ssize(visible), rows, positions));
      for (Index i = 0; i < rows; ++i)
        visible.push_back(std::span(all).first(i % 3 == 0 ? positions : 1 + i % positions));
    }
  }
  const Index count = std::ssize(visible);
  const Tensor query = random_tensor({count, 1, kWide}, 3);
  const Tensor concat = cached_attention(query, groups, visible, kTwoHeads).reshaped({count, kWide});
  for (Index row = 0; row < count; ++row) {
    const std::vector<Index> seen(visible[row].begin(), visible[row].end());
    const Tensor expected =
        step_by_step(rows_at(query.reshaped({count, kWide}), {row}), rows_at(sentence.keys, seen),
                     rows_at(sentence.values, seen), kTwoHeads);
    ASSERT_TRUE(same_bits(rows_at(concat, {row}), expected)) << "row " << row << " sees " << seen.size();
  }
}

TEST(CachedAttention, NothingIsNothingAndAQueryThatSeesNothingGetsZeros) {
  EXPECT_EQ(cached_attention(Tensor({0, 1, kModel}), {}, {}, kHeads).shape(), (Shape{0, 1, kModel}));
  const Sentence sentence = random_sentence(4, 1);
  { const Tensor used = Tensor::filled({1, 1, kModel}, 7); }  // its storage comes next
  const std::vector<QueryGroup> groups = {group_of(sentence, 0, 1)};
  const std::vector<VisiblePositions> visible = {{}};
  const Tensor concat = cached_attention(random_tensor({1, 1, kModel}, 2), groups, visible, kHeads);
  EXPECT_TRUE(same_bits(concat, Tensor::zeros({1, 1, kModel})));
}

TEST(CachedAttention, RefusesHeadsThatDoNotDivideTheColumnsAndPositionsThatDoNotExist) {
  const Sentence sentence = random_sentence(4, 1);
  const std::vector<QueryGroup> groups = {group_of(sentence, 0, 1)};
  const Tensor query = random_tensor({1, 1, kModel}, 2);
  const auto attend = [&](const std::vector<Index>& seen, Index heads) {
    cached_attention(query, groups, std::vector<VisiblePositions>{seen}, heads);
  };
  EXPECT_NO_THROW(attend({0, 3}, kHeads));
  for (const Index heads : {0, -1, 2}) EXPECT_THROW(attend({0, 3}, heads), std::logic_error);
  for (const std::vector<Index>& seen : {std::vector<Index>{-1, 2}, {0, 4}, {1, 2, 3, 4}, {0, 1, 1, 2, 3}})
    EXPECT_THROW(attend(seen, kHeads), std::logic_error) << seen.front();
}

}  // namespace
}  // namespace plainformer
