// Paper: 6.1 Machine Translation. A test for each sentence about decoding.
#include <gtest/gtest.h>

#include <cmath>

#include "core/special_symbols.h"
#include "decoding/beam.h"
#include "decoding/beam_search.h"
#include "decoding/decode_all.h"
#include "decoding/tiny_model.h"
#include "lab/accounts/paper_training.h"

namespace plainformer {
namespace {

// "We used beam search with a beam size of 4 and length penalty alpha = 0.6."
TEST(Section61, WeUsedBeamSearchWithABeamSizeOf4AndLengthPenaltyAlpha06) {
  const SearchOptions options;
  EXPECT_EQ(options.beam, 4);
  EXPECT_EQ(options.length_penalty, Real(0.6));

  // Four hypotheses are alive after the first step, and the score is log P over ((5 + |Y|) / 6)^0.6.
  Beam beam(options, 50);
  beam.advance({.candidates = 5, .best = {{3, -1}, {4, -2}, {5, -3}, {6, -4}, {7, -5}}, .end = {-9}}, 0);
  EXPECT_EQ(beam.live().size(), 4u);
  const Transformer model = tiny_model(1);
  for (const Hypotheses& translations : beam_search(model, random_sources(1, 9), options)) {
    const double length = static_cast<double>(translations.front().tokens.size()) + 1;
    EXPECT_NEAR(translations.front().score,
                translations.front().log_probability / std::pow((5 + length) / 6, 0.6), 1e-6);
  }
}

// "These hyperparameters were chosen after experimentation on the development set. We set the maximum output
// length during inference to input length + 50 ..."
TEST(Section61, WeSetTheMaximumOutputLengthDuringInferenceToInputLengthPlus50) {
  EXPECT_EQ(SearchOptions().limits.output_limit(12, 1024), 62);

  // A model that never wants to stop: its decoder always gives the vector (1, 0, ...), which is far from the
  // embedding of </s> and near that of <unk>.
  Transformer model = tiny_model(8, 5, 100);
  const Index d_model = model.config().d_model;
  ResidualLayerNorm& last = model.decoder.layers.back().feed_forward_norm;
  last.gain = Parameter(Tensor::zeros({d_model}));
  last.bias.value.mutable_data()[0] = 1;
  model.embedding.value.mutable_data()[kEndId * d_model] = -20;
  model.embedding.value.mutable_data()[kUnknownId * d_model] = 20;
  const std::vector<int> source = {4, 4, 4};
  const auto translations = decode_all(model, {source}, {}).front();
  EXPECT_EQ(translations.front().tokens, std::vector<int>(53, kUnknownId));
}

// "... but terminate early when possible."
TEST(Section61, ButTerminateEarlyWhenPossible) {
  // A certain end: after one step no live hypothesis can do better.
  Beam beam({}, 62);
  const double almost_certain = std::log(0.99), rest = std::log(0.01 / 4);
  beam.advance(
      {.candidates = 4, .best = {{3, rest}, {4, rest}, {5, rest}, {6, rest}}, .end = {almost_certain}}, 0);
  EXPECT_TRUE(beam.done());
  EXPECT_TRUE(beam.finished().front().tokens.empty());
}

// "We estimate the number of floating point operations used to train a model by multiplying the training time,
// the number of GPUs used, and an estimate of the sustained single-precision floating-point capacity of each
// GPU." Table 2 has 3.3e18 and 2.3e19.
TEST(Section61, WeEstimateTheNumberOfFloatingPointOperationsUsedToTrainAModel) {
  EXPECT_NEAR(kPaperBase.operations(), 3.3e18, 0.05e18);
  EXPECT_NEAR(kPaperBig.operations(), 2.3e19, 0.05e19);
}

}  // namespace
}  // namespace plainformer
