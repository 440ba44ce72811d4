// 5.4 Regularization: the loss of a training step.
#include "training/loss.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "support/gradient_check.h"
#include "training/targets.h"

namespace plainformer {
namespace {

// Two sentences, one with padding.
TranslationBatch two_sentences() {
  return {.source = TokenBatch::from({{5, 6, kEndId}, {7, 8, kEndId}}),
          .target_input = TokenBatch::from({{kStartId, 8}, {kStartId, 9, 10, 11}}),
          .target_output = TokenBatch::from({{8, kEndId}, {9, 10, 11, kEndId}})};
}

TEST(SmoothedCrossEntropy, SmoothsTheTargetsByTheNumberThatItIsGiven) {
  const Tensor decoder_output = random_tensor({2, 4, 3}, 1);
  Parameter embedding = random_parameter({12, 3}, 2);
  const std::vector<int> targets = targets_of(two_sentences().target_output);
  for (const double smoothing : {0.0, 0.1, 0.3}) {
    Tensor grad_decoder_output;
    const CrossEntropy sums =
        smoothed_cross_entropy(smoothing)(decoder_output, embedding, two_sentences(), 6, grad_decoder_output);
    const CrossEntropy expected = projected_cross_entropy_forward(decoder_output, embedding, targets, smoothing);
    EXPECT_NEAR(sums.loss, expected.loss, 1e-4) << smoothing;
    EXPECT_NEAR(sums.log_probability, expected.log_probability, 1e-4) << smoothing;
    EXPECT_EQ(sums.rows, 6);
  }
}

// The step has another batch, too.
GRADIENT_TEST(SmoothedCrossEntropy, GradientOfTheMeanOverTheTokensOfTheStep) {
  constexpr Index kTokensOfTheStep = 16;
  Tensor decoder_output = random_tensor({2, 4, 3}, 1), grad_decoder_output;
  Parameter embedding = random_parameter({12, 3}, 2);
  smoothed_cross_entropy(0.1)(decoder_output, embedding, two_sentences(), kTokensOfTheStep, grad_decoder_output);
  const std::vector<int> targets = targets_of(two_sentences().target_output);
  const auto loss = [&] {
    return projected_cross_entropy_forward(decoder_output, embedding, targets, 0.1).loss / kTokensOfTheStep;
  };
  EXPECT_TRUE(gradients_agree(loss, {{"decoder_output", &decoder_output, grad_decoder_output},
                                     {"embedding", &embedding.value, embedding.grad}}));
}

}  // namespace
}  // namespace plainformer
