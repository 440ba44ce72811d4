// Paper: 6.1 Machine Translation. A test for each sentence about averaging, decoding and the training cost.
#include <gtest/gtest.h>

#include <cmath>

#include "core/special_symbols.h"
#include "decoding/beam.h"
#include "decoding/beam_search.h"
#include "decoding/decode_all.h"
#include "decoding/tiny_model.h"
#include "io/safetensors.h"
#include "model_folder/model_folder.h"
#include "support/pattern.h"
#include "support/small_model_folder.h"
#include "train/settings.h"

namespace plainformer {
namespace {

// "For the base models, we used a single model obtained by averaging the last 5 checkpoints ... For the big
// models, we averaged the last 20 checkpoints."
TEST(Section61, WeAveragedTheLast5CheckpointsOfBaseAndTheLast20OfBig) {
  EXPECT_EQ(preset_settings("base").keep, 5);
  EXPECT_EQ(preset_settings("big").keep, 20);
}

// "... a single model obtained by averaging the last 5 checkpoints": of 7, here.
TEST(Section61, ASingleModelObtainedByAveragingTheLast5Checkpoints) {
  const TemporaryFolder folder;
  write_text(folder);
  std::vector<std::string> arguments = train_arguments(
      folder, "out",
      {"--steps", "7", "--warmup", "1", "--checkpoint-every", "1", "--keep", "5", "--hold-out", "0"});
  for (const char* option : {"--valid-source", "--valid-target"}) {  // which could prefer a checkpoint
    const auto at = std::find(arguments.begin(), arguments.end(), option);
    ASSERT_NE(at, arguments.end());
    arguments.erase(at, at + 2);
  }
  const ProgramResult trained = run_program(arguments);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;

  const ModelFolder out(folder.path_of("out"));
  const TensorFile average = read_tensor_file(out.weights());
  ASSERT_GT(average.tensors.size(), 10u);
  for (const NamedTensor& mean : average.tensors) {
    std::vector<double> sums(mean.tensor.size());
    for (Index step = 3; step <= 7; ++step) {
      const TensorFile checkpoint = read_tensor_file(out.checkpoint(step));
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += checkpoint.at(mean.name).data()[i];
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      ASSERT_NEAR(mean.tensor.data()[i], sums[i] / 5, 1e-6) << mean.name << " " << i;
  }
}

// "We used beam search with a beam size of 4 and length penalty alpha = 0.6."
TEST(Section61, WeUsedBeamSearchWithABeamSizeOf4AndLengthPenaltyAlpha06) {
  const SearchOptions options;
  EXPECT_EQ(options.beam, 4);
  EXPECT_EQ(options.length_penalty, 0.6);

  // Four hypotheses are alive after the first step, and the score is log P over ((5 + |Y|) / 6)^0.6.
  Beam beam(options, 50);
  beam.advance({.per_row = 5, .best = {{3, -1}, {4, -2}, {5, -3}, {6, -4}, {7, -5}}, .end = {-9}}, 0);
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
  beam.advance({.per_row = 4, .best = {{3, rest}, {4, rest}, {5, rest}, {6, rest}}, .end = {almost_certain}},
               0);
  EXPECT_TRUE(beam.done());
  EXPECT_TRUE(beam.finished().front().tokens.empty());
}

// "We estimate the number of floating point operations used to train a model by multiplying the training
// time, the number of GPUs used, and an estimate of the sustained single-precision floating-point capacity of
// each GPU." Table 2 has 3.3e18 and 2.3e19. The account counts the model's products
// alone, which are less.
TEST(Section61, WeEstimateTheNumberOfFloatingPointOperationsUsedToTrainAModel) {
  const struct {
    const char* preset;
    double hours, of_table_2, share;
  } cases[] = {{"base", 12, 3.3e18, 0.29}, {"big", 3.5 * 24, 2.3e19, 0.42}};
  for (const auto& [preset, hours, of_table_2, share] : cases) {
    EXPECT_NEAR(hours * 3600 * 8 * 9.5e12 / of_table_2, 1, 0.02) << "8 GPUs of 9.5 TFLOPS";
    const ProgramResult result = run_program({"cost", "--preset", preset});
    const auto counted = Pattern("such steps: ([0-9.e]+) operations").first_in(result.out);
    ASSERT_TRUE(counted) << result.out << result.err;
    EXPECT_NEAR(std::stod(counted->groups[1]) / of_table_2, share, 0.005) << "what the products need";
  }
}

}  // namespace
}  // namespace plainformer
