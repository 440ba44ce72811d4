#include "lab/experiments/lookup_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "ops/cross_entropy.h"
#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Score kScores[] = {Score::kScaledDotProduct, Score::kDotProduct, Score::kDividedByDk,
                             Score::kAdditive,         Score::kCosine,     Score::kLinear};

const RecallTask kRecall = {.pairs = 3, .keys = 5, .values = 7, .questions = 2};
const CopyTask kCopy = {.length = 3, .values = 5};

LookupModelOptions small_options(Score score, Index symbols, Index answers, Index classes) {
  return {.score = score,
          .symbols = symbols,
          .d_model = 6,
          .heads = score == Score::kAdditive ? 1 : 2,
          .d_k = 4,
          .answers = answers,
          .classes = classes};
}

LookupBatch recall_batch() {
  Random random(random_stream(1, 0, 0));
  return kRecall.draw(2, random);
}

TEST(LookupModel, GivesARowOfLogitsForEachAnswer) {
  for (const Score score : kScores) {
    const LookupModel model(small_options(score, kRecall.symbols(), 2, 7), 1);
    LookupModel::Cache cache;
    EXPECT_EQ(model.forward(recall_batch(), cache).shape(), (Shape{2 * 2, 7})) << name_of(score);
  }
}

TEST(LookupModel, EachScoreGivesOtherLogitsAndHasAName) {
  std::vector<Tensor> all;
  std::set<std::string> names;
  for (const Score score : kScores) {
    LookupModelOptions options = small_options(score, kRecall.symbols(), 2, 7);
    options.heads = 1;
    const LookupModel model(options, 1);
    LookupModel::Cache cache;
    const Tensor logits = model.forward(recall_batch(), cache);
    for (const Tensor& other : all) EXPECT_FALSE(near(logits, other, 1e-4)) << name_of(score);
    all.push_back(logits);
    names.insert(name_of(score));
  }
  EXPECT_EQ(names.size(), std::size(kScores));
}

// Footnote 4's assumption holds at first: the components of queries and keys have variance 1, although two
// embeddings are added up at each position.
TEST(LookupModel, BeginsWithQueriesAndKeysOfVarianceOne) {
  const RecallTask task = {.pairs = 16, .keys = 64, .values = 16};
  const LookupModel model({.symbols = task.symbols(), .d_model = 64, .d_k = 64, .classes = 16}, 1);
  Random random(random_stream(1, 0, 0));
  LookupModel::Cache cache;
  const WaysInScope plain(plain_ways("attention", "test"));
  model.forward(task.draw(64, random), cache);
  for (const Tensor* x : {&cache.attention.query, &cache.attention.key})
    EXPECT_NEAR(dot(*x, *x) / double(x->size()), 1, 0.1);
}

TEST(LookupModel, OnlyTheParametersOfItsScoreAreTrained) {
  const auto names = [](Score score) {
    LookupModel model(small_options(score, kRecall.symbols(), 2, 7), 1);
    std::set<std::string> result;
    for (const NamedParameter& p : model.parameters()) result.insert(p.name);
    return result;
  };
  const std::set<std::string> dot_product = {"embedding", "w_v", "w_o", "w_q", "w_k"};
  EXPECT_EQ(names(Score::kScaledDotProduct), dot_product);
  EXPECT_EQ(names(Score::kLinear), dot_product);
  EXPECT_EQ(names(Score::kAdditive),
            (std::set<std::string>{"embedding", "w_v", "w_o", "additive.w_1", "additive.w_2", "additive.v"}));
  EXPECT_EQ(names(Score::kCosine).count("scale"), 1u);
}

TEST(LookupModel, RefusesHeadsThatDoNotFit) {
  EXPECT_THROW(LookupModel({.symbols = 3, .d_model = 6, .heads = 4, .classes = 2}, 1), std::logic_error);
  EXPECT_THROW(
      LookupModel({.score = Score::kAdditive, .symbols = 3, .d_model = 6, .heads = 2, .classes = 2}, 1),
      std::logic_error);
}

// Every element of every parameter, with every score, in both tasks.
void expect_gradients(Score score, const LookupBatch& batch, Index symbols, Index answers, Index classes) {
  LookupModel model(small_options(score, symbols, answers, classes), 1);
  const auto loss = [&] {
    LookupModel::Cache cache;
    return cross_entropy_forward(model.forward(batch, cache), batch.targets, 0).loss;
  };
  LookupModel::Cache cache;
  const Tensor logits = model.forward(batch, cache);
  model.backward(cross_entropy_backward(1, logits, batch.targets, 0), cache);
  EXPECT_TRUE(gradients_agree(loss, differentiated(model.parameters()))) << name_of(score);
}

GRADIENT_TEST(LookupModel, GradientInRecall) {
  for (const Score score : kScores) expect_gradients(score, recall_batch(), kRecall.symbols(), 2, 7);
}

GRADIENT_TEST(LookupModel, GradientInCopying) {
  Random random(random_stream(1, 0, 0));
  const LookupBatch batch = kCopy.draw(2, random);
  for (const Score score : kScores) expect_gradients(score, batch, kCopy.symbols(), 1, 5);
}

}  // namespace
}  // namespace plainformer
