// Two passes in one: R-Drop in a training run.
#include "training/twice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "training/tiny_training.h"

namespace plainformer {
namespace {

TEST(Twice, HoldsTheSentencesAndThenTheSameOnceMore) {
  const TranslationBatch batch = TranslationBatch::from({{3, 4}, {5}}, {{6}, {7, 8}});
  const TranslationBatch both = twice(batch), four = TranslationBatch::from({{3, 4}, {5}, {3, 4}, {5}},
                                                                            {{6}, {7, 8}, {6}, {7, 8}});
  for (auto part :
       {&TranslationBatch::source, &TranslationBatch::target_input, &TranslationBatch::target_output}) {
    EXPECT_EQ((both.*part).batch, 4);
    EXPECT_EQ((both.*part).ids, (four.*part).ids);
    EXPECT_EQ((both.*part).lengths, (four.*part).lengths);
  }
}

// Without dropout the two passes are equal.
TEST(Twice, RDropChangesATrainingOnlyThroughDropout) {
  const auto weights_after = [](double dropout, double alpha) {
    Transformer model(tiny_config(), 1);
    TrainingOptions options = tiny_options(dropout);
    options.r_drop = alpha;
    StepwiseTraining training(model, options);
    const StepReport report = training.step({tiny_batch()});
    EXPECT_EQ(report.target_tokens, 14);
    return weights(model);
  };
  const auto largest_difference = [](const std::vector<Tensor>& x, const std::vector<Tensor>& y) {
    double largest = 0;
    for (std::size_t t = 0; t < x.size(); ++t) {
      for (Index i = 0; i < x[t].size(); ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(x[t].data()[i] - y[t].data()[i])));
    }
    return largest;
  };
  EXPECT_LT(largest_difference(weights_after(0, 5), weights_after(0, 0.01)), 1e-5);
  EXPECT_GT(largest_difference(weights_after(0.3, 5), weights_after(0.3, 0.01)), 1e-3);
}

// The penalty is a mean over both passes, like the loss.
TEST(Twice, ThePenaltyOnAttentionWeightsIsThatOfOnePass) {
  const auto step = [](double alpha) {
    Transformer model(tiny_config(), 1);
    TrainingOptions options = tiny_options(/*dropout=*/0);
    options.attention_penalty = 50;
    options.r_drop = alpha;
    return StepwiseTraining(model, options).step({tiny_batch()});
  };
  const double norm = step(0).grad_norm;
  EXPECT_NEAR(step(1e-9).grad_norm, norm, 1e-4 * norm);
}

}  // namespace
}  // namespace plainformer
