#include "decoding/fast/key_value_cache.h"

#include <gtest/gtest.h>

#include "core/storage.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Index kLayers = 2, kModel = 3;

// Rows [rows, 1, kModel] that tell where they come from: number + 0.1 * column.
Tensor rows_of(const std::vector<double>& numbers) {
  Tensor x({static_cast<Index>(numbers.size()), 1, kModel});
  Real* data = x.mutable_data();
  for (const double number : numbers) {
    for (Index column = 0; column < kModel; ++column)
      *data++ = static_cast<Real>(number + 0.1 * double(column));
  }
  return x;
}

// The numbers that a live hypothesis finds in a layer, one for each of its positions.
std::vector<int> numbers_of(const KeyValueCache& cache, Index layer, Index row) {
  std::vector<int> numbers;
  for (const QueryGroup& group : cache.groups(layer)) {
    if (row < group.first_row || row >= group.first_row + group.rows) continue;
    const VisiblePositions path = cache.paths()[row];
    for (const Index node : path) {
      const Real number = group.values.data[node * group.values.row_stride];
      for (Index column = 0; column < kModel; ++column) {
        const Real value = group.values.data[node * group.values.row_stride + column];
        const Real key = group.keys.data[column * group.keys.row_stride + node];
        EXPECT_NEAR(value, number + Real(0.1) * Real(column), 1e-4);
        EXPECT_EQ(key, -value);
      }
      numbers.push_back(static_cast<int>(std::lround(number)));
    }
  }
  return numbers;
}

void store(KeyValueCache& cache, const std::vector<double>& numbers) {
  for (Index layer = 0; layer < kLayers; ++layer) {
    std::vector<double> shifted = numbers;
    for (double& number : shifted) number += 1000 * double(layer);
    const Tensor values = rows_of(shifted);
    Tensor keys = values;
    for (Index i = 0; i < keys.size(); ++i) keys.mutable_data()[i] *= -1;
    cache.store(layer, keys, values);
  }
}

TEST(KeyValueCache, AHypothesisInheritsItsParentsPositions) {
  KeyValueCache cache(kLayers, 2, kModel, kModel);
  cache.extend(std::vector<GrownHypothesis>{{0, kNoParent, 1}, {1, kNoParent, 1}});
  store(cache, {10, 20});
  cache.extend(std::vector<GrownHypothesis>{{0, 0, 5}, {0, 0, 6}, {1, 1, 7}});
  store(cache, {11, 12, 21});
  cache.extend(std::vector<GrownHypothesis>{{0, 1, 5}, {0, 1, 6}, {0, 0, 7}, {1, 2, 7}});
  store(cache, {13, 14, 15, 22});

  EXPECT_EQ(numbers_of(cache, 0, 0), (std::vector<int>{10, 12, 13}));
  EXPECT_EQ(numbers_of(cache, 0, 1), (std::vector<int>{10, 12, 14}));
  EXPECT_EQ(numbers_of(cache, 0, 2), (std::vector<int>{10, 11, 15}));
  EXPECT_EQ(numbers_of(cache, 0, 3), (std::vector<int>{20, 21, 22}));
  EXPECT_EQ(numbers_of(cache, 1, 2), (std::vector<int>{1010, 1011, 1015}));
}

TEST(KeyValueCache, ASentenceWithoutHypothesesGivesItsMemoryBack) {
  KeyValueCache cache(kLayers, 2, kModel, kModel);
  cache.extend(std::vector<GrownHypothesis>{{0, kNoParent, 1}, {1, kNoParent, 1}});
  store(cache, {10, 20});
  const std::uint64_t bytes_of_both = storage_statistics().used_bytes;
  cache.extend(std::vector<GrownHypothesis>{{1, 1, 5}});
  store(cache, {21});
  EXPECT_LT(storage_statistics().used_bytes, bytes_of_both);
  EXPECT_EQ(cache.groups(0).size(), 1u);
  EXPECT_EQ(numbers_of(cache, 0, 0), (std::vector<int>{20, 21}));
}

// Any reordering, against hypotheses that carry their own histories.
TEST(KeyValueCache, HistoriesSurviveSweepingAndGrowing) {
  constexpr Index kSentences = 3, kSteps = 150;
  KeyValueCache cache(kLayers, kSentences, kModel, kModel);
  Random random(random_stream(1, 2, 3));
  std::vector<std::vector<int>> histories;  // by row
  std::vector<Index> sentence_of;
  int number = 0;
  for (Index step = 0; step < kSteps; ++step) {
    std::vector<GrownHypothesis> hypotheses;
    std::vector<std::vector<int>> next_histories;
    std::vector<double> numbers;
    for (Index sentence = 0; sentence < kSentences; ++sentence) {
      std::vector<Index> parents;
      for (Index row = 0; row < std::ssize(sentence_of); ++row) {
        if (sentence_of[row] == sentence) parents.push_back(row);
      }
      const Index live = step == 0 ? 1 : 1 + random.below(4);
      for (Index i = 0; i < live; ++i) {
        const Index parent = step == 0 ? kNoParent : parents[random.below(std::ssize(parents))];
        hypotheses.push_back({sentence, parent, 5});
        next_histories.push_back(step == 0 ? std::vector<int>() : histories[parent]);
        next_histories.back().push_back(++number);
        numbers.push_back(number);
      }
    }
    cache.extend(hypotheses);
    store(cache, numbers);
    histories = next_histories;
    sentence_of.clear();
    for (const GrownHypothesis& hypothesis : hypotheses) sentence_of.push_back(hypothesis.sentence);
    if (step % 10 != 9) continue;
    for (Index row = 0; row < cache.rows(); ++row) ASSERT_EQ(numbers_of(cache, 0, row), histories[row]);
  }
  // 375 nodes were appended on average; those alive are some 160, and room is at most four times as many.
  for (const QueryGroup& group : cache.groups(0)) {
    const Index room = group.keys.row_stride;  // keys are stored [heads * d_k, room]
    EXPECT_GE(room, kSteps);
    EXPECT_LE(room, 4 * (kSteps + 20));
  }
}

TEST(KeyValueCache, RefusesParentsThatDoNotExistAndSentencesOutOfOrder) {
  KeyValueCache cache(kLayers, 2, kModel, kModel);
  EXPECT_THROW(cache.extend(std::vector<GrownHypothesis>{{0, 0, 5}}), std::logic_error);
  EXPECT_THROW(cache.extend(std::vector<GrownHypothesis>{{1, kNoParent, 5}, {0, kNoParent, 5}}),
               std::logic_error);
  EXPECT_THROW(cache.extend(std::vector<GrownHypothesis>{{2, kNoParent, 5}}), std::logic_error);
  cache.extend(std::vector<GrownHypothesis>{{0, kNoParent, 5}, {1, kNoParent, 5}});
  EXPECT_THROW(cache.extend(std::vector<GrownHypothesis>{{0, 1, 5}}), std::logic_error)
      << "of another sentence";
}

}  // namespace
}  // namespace plainformer
