// What small training runs show. Each claim of the pages about them is here with fewer steps, and with room
// for the rounding of other machines.
#include "lab/experiments/lookup_training.h"

#include <gtest/gtest.h>

#include "core/multiply_adds.h"
#include "core/thread_pool.h"
#include "lab/experiments/lookup_settings.h"

namespace plainformer {
namespace {

LookupResult train(const LookupSetting& setting, Index steps, std::uint64_t seed = 1) {
  return train_lookup(setting.model, setting.task, {.steps = steps, .held_out = 256, .seed = seed});
}

// Recall of one of 4 pairs out of 8 keys: small enough to be learned in 150 steps.
LookupSetting small_recall(Score score, Index d_k, Index pairs = 4) {
  const RecallTask task = {.pairs = pairs, .keys = 8, .values = 5};
  return {name_of(score),
          pairs,
          {.score = score, .symbols = task.symbols(), .d_model = 16, .d_k = d_k, .classes = 5},
          [task](Index batch, Random& random) { return task.draw(batch, random); }};
}

TEST(LookupTraining, LearnsWithEveryScore) {
  for (const Score score : {Score::kScaledDotProduct, Score::kDotProduct, Score::kDividedByDk,
                            Score::kAdditive, Score::kCosine, Score::kLinear}) {
    const LookupResult result = train(small_recall(score, 16), 400);
    EXPECT_GT(result.accuracy, 0.9) << name_of(score);
    EXPECT_LT(result.loss, 0.5) << name_of(score);
  }
}

TEST(LookupTraining, BeginsAtChanceAndLearns) {
  const LookupSetting setting = small_recall(Score::kScaledDotProduct, 16);
  const double at_first = train(setting, 0).loss;
  EXPECT_GT(at_first, 1.2);  // ln 5 = 1.6 at chance
  EXPECT_LT(train(setting, 100).loss, at_first);
}

TEST(LookupTraining, TheSeedAloneDecides) {
  const LookupSetting setting = small_recall(Score::kLinear, 16);
  const int before = threads();
  set_threads(1);
  const LookupResult one = train(setting, 20);
  set_threads(3);
  const LookupResult same = train(setting, 20);
  set_threads(before);
  EXPECT_EQ(one.loss, same.loss);
  EXPECT_EQ(one.accuracy, same.accuracy);
  EXPECT_NE(one.loss, train(setting, 20, /*seed=*/2).loss);
}

// Section 3.2.1: without the root, a large d_k is slow to learn.
TEST(LookupTraining, TheUnscaledDotProductFallsBehindAtLargeDk) {
  const std::vector<LookupSetting> settings = score_settings({64});
  ASSERT_EQ(settings[0].series, "scaled dot product");
  ASSERT_EQ(settings[1].series, "dot product");
  const LookupResult scaled = train(settings[0], 150), unscaled = train(settings[1], 150);
  EXPECT_GT(scaled.accuracy, 0.85);
  EXPECT_LT(unscaled.accuracy, 0.5);
  EXPECT_GT(unscaled.loss, 2 * scaled.loss);
}

TEST(LookupTraining, BothKindsOfAttentionCopyExactly) {
  for (const LookupSetting& setting : copy_settings({4})) {
    const LookupResult result = train(setting, 120);
    EXPECT_EQ(result.accuracy, 1) << setting.series;
    EXPECT_LT(result.loss, 0.05) << setting.series;
  }
}

// Linear attention with d_k = 4 cannot tell 8 keys apart; softmax attention with d_k = 4 can.
TEST(LookupTraining, LinearAttentionFailsWhereSoftmaxRecalls) {
  const LookupResult softmax = train(small_recall(Score::kScaledDotProduct, 4, 8), 600);
  const LookupResult linear = train(small_recall(Score::kLinear, 4, 8), 600);
  EXPECT_GT(softmax.accuracy, 0.9);
  EXPECT_LT(linear.accuracy, 0.75);
  EXPECT_GT(train(small_recall(Score::kLinear, 16, 2), 600).accuracy, 0.95);  // few pairs, and room for them
}

// Section 3.2.2: one head averages over the two pairs and no longer knows which value belongs to which
// question.
TEST(LookupTraining, OneHeadLosesTheOrderOfTwoPairs) {
  const RecallTask task = {.pairs = 4, .keys = 8, .values = 5, .questions = 2};
  const auto accuracy = [&](Index heads) {
    return train_lookup({.symbols = task.symbols(),
                         .d_model = 32,
                         .heads = heads,
                         .d_k = 32 / heads,
                         .answers = 2,
                         .classes = 5},
                        [&](Index batch, Random& random) { return task.draw(batch, random); },
                        {.steps = 500, .held_out = 256})
        .accuracy;
  };
  EXPECT_GT(accuracy(2), 0.9);
  EXPECT_LT(accuracy(1), 0.75);
}

TEST(LookupSettings, ScoresAreComparedAtEachWidth) {
  const std::vector<LookupSetting> settings = score_settings({8, 32});
  ASSERT_EQ(settings.size(), 10u);
  EXPECT_EQ(settings[1].series, "dot product");
  EXPECT_EQ(settings[1].x, 8);
  EXPECT_EQ(settings[2].series, "dot product / d_k");
  EXPECT_EQ(settings[9].model.d_k, 32);
}

// The same number of parameters, and d_k divided among the heads.
TEST(LookupSettings, HeadsAreComparedAtEqualCost) {
  const std::vector<LookupSetting> settings = head_settings({1, 2, 16});
  std::vector<Index> sizes;
  std::vector<std::int64_t> costs;
  for (const LookupSetting& setting : settings) {
    EXPECT_EQ(setting.model.heads, setting.x);
    EXPECT_EQ(setting.model.heads * setting.model.d_k, 64);
    LookupModel model(setting.model, 1);
    Random random(random_stream(1, 2, 3));
    LookupModel::Cache cache;
    const LookupBatch batch = setting.task(2, random);
    const std::int64_t before = multiply_adds();
    model.forward(batch, cache);
    costs.push_back(multiply_adds() - before);
    Index size = 0;
    for (const NamedParameter& p : model.parameters()) size += p.parameter->value.size();
    sizes.push_back(size);
  }
  EXPECT_EQ(sizes, std::vector<Index>(3, sizes[0]));
  EXPECT_GT(costs[0], 0);
  EXPECT_EQ(costs, std::vector<std::int64_t>(3, costs[0]));
  EXPECT_THROW(head_settings({3}), std::logic_error);
}

TEST(LookupSettings, RecallComparesSoftmaxWithWiderLinearAttention) {
  const std::vector<LookupSetting> settings = recall_settings({4});
  ASSERT_EQ(settings.size(), 5u);
  EXPECT_EQ(settings[0].model.score, Score::kScaledDotProduct);
  EXPECT_EQ(settings[0].model.d_k, 8);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(settings[i].model.score, Score::kLinear);
    EXPECT_EQ(settings[i].series, "linear, d_k = " + std::to_string(settings[i].model.d_k));
  }
}

TEST(Spread, IsMeanLowestAndHighest) {
  const Spread spread = spread_of({3, 1, 8});
  EXPECT_EQ(spread.mean, 4);
  EXPECT_EQ(spread.lowest, 1);
  EXPECT_EQ(spread.highest, 8);
  EXPECT_THROW(spread_of({}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
