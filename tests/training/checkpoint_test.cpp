// What a run keeps to go on exactly where it stopped.
#include "training/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "support/thrown_message.h"
#include "training/tiny_training.h"

namespace plainformer {
namespace {

constexpr TrainingProgress kProgress = {
    .epoch = 3, .batch = 17, .attempts = 260, .best_loss = 2.0 / 7, .best_step = 250};

// A model in training, which can be saved to memory and restored.
struct TrainingSession {
  Transformer model;
  StepwiseTraining training;

  explicit TrainingSession(std::uint64_t seed)
      : model(tiny_config(), seed), training(model, tiny_options(0.3)) {}
  void train(int steps) {
    for (int step = 0; step < steps; ++step) training.step({tiny_batch()});
  }
  std::vector<NamedTensor> state() { return training_state_of(model, training.adam); }
  Metadata metadata() const { return progress_to_metadata(training.adam, training.progress); }
  void restore(const std::vector<NamedTensor>& tensors, const Metadata& metadata, const std::string& where) {
    training.progress = load_training_state(model, training.adam, tensors, metadata, where);
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Checkpoint, WeightsComeBackBitForBit) {
  Transformer model(tiny_config(), 1), other(tiny_config(), 2);
  ASSERT_FALSE(same_bits(weights(model), weights(other)));
  auto tensors = weights_of(model);
  std::reverse(tensors.begin(), tensors.end());  // the order in the file does not matter
  load_weights(other, tensors, "a file");
  EXPECT_TRUE(same_bits(weights(model), weights(other)));
}

TEST(Checkpoint, HoldsThePublicNamesAndCopiesNothing) {
  Transformer model(tiny_config(), 1);
  const auto tensors = weights_of(model);
  const ParameterList parameters = model.parameters();
  ASSERT_EQ(tensors.size(), parameters.size());
  EXPECT_EQ(tensors[0].name, "embedding");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(tensors[i].name, parameters[i].name);
    EXPECT_EQ(tensors[i].tensor.data(), parameters[i].parameter->value.data());
  }
}

struct BadWeights {
  const char* what;
  std::string message;
  void (*spoil)(std::vector<NamedTensor>&);
};

TEST(Checkpoint, BadWeightsAreNamedAndTheModelKeepsItsOwn) {
  const BadWeights cases[] = {
      {"missing", "a.safetensors: 30 tensors, but this model has 31",
       [](std::vector<NamedTensor>& t) { t.pop_back(); }},
      {"extra", "a.safetensors: 32 tensors, but this model has 31",
       [](std::vector<NamedTensor>& t) {
         t.push_back({"bias", Tensor::zeros({3})});
       }},
      {"renamed", "a.safetensors: no tensor \"decoder.0.feed_forward_norm.bias\"",
       [](std::vector<NamedTensor>& t) { t.back().name = "bias"; }},
      {"twice", "a.safetensors: no tensor \"decoder.0.feed_forward_norm.bias\"",
       [](std::vector<NamedTensor>& t) { t.back() = t.front(); }},
      {"transposed", "a.safetensors: embedding is [8, 11], not [11, 8]",
       [](std::vector<NamedTensor>& t) {
         t[0].tensor = t[0].tensor.reshaped({8, 11});
       }},
      {"NaN", "a.safetensors: decoder.0.feed_forward_norm.bias holds NaN",
       [](std::vector<NamedTensor>& t) {
         t.back().tensor.mutable_data()[7] = std::numeric_limits<Real>::quiet_NaN();
       }},
      {"infinite", "a.safetensors: embedding holds NaN or infinite values",
       [](std::vector<NamedTensor>& t) {
         t.front().tensor.mutable_data()[0] = -std::numeric_limits<Real>::infinity();
       }},
  };
  for (const BadWeights& bad : cases) {
    Transformer model(tiny_config(), 1), source(tiny_config(), 2);
    const auto before = weights(model);
    auto tensors = weights_of(source);
    bad.spoil(tensors);
    const std::string message =
        thrown_message<std::runtime_error>([&] { load_weights(model, tensors, "a.safetensors"); });
    EXPECT_EQ(message.rfind(bad.message, 0), 0u) << bad.what << ": " << message;
    EXPECT_TRUE(contains(message, "(hint: ")) << message;
    EXPECT_TRUE(same_bits(weights(model), before)) << bad.what;
  }
}

TEST(Checkpoint, ARestoredRunGoesOnBitForBit) {
  TrainingSession run(1), restored(2);
  run.train(3);
  restored.restore(run.state(), run.metadata(), "a file");
  EXPECT_EQ(restored.training.adam.steps(), 3);

  run.train(4);
  restored.train(4);
  EXPECT_TRUE(same_bits(weights(run.model), weights(restored.model)));
  EXPECT_TRUE(same_bits(run.training.adam.second_moments(), restored.training.adam.second_moments()));
}

// A skipped step uses up dropout masks, too.
TEST(Checkpoint, ARestoredRunRemembersSkippedSteps) {
  TrainingSession run(1), restored(2);
  const Tensor embedding = run.model.embedding.value;
  run.model.embedding.value.mutable_data()[4 * 8] = std::numeric_limits<Real>::quiet_NaN();
  ASSERT_TRUE(run.training.step({tiny_batch()}).skipped());
  run.model.embedding.value = embedding;

  restored.restore(run.state(), run.metadata(), "a file");
  EXPECT_EQ(restored.training.progress.attempts, 1);
  EXPECT_EQ(restored.training.adam.steps(), 0);
  run.train(2);
  restored.train(2);
  EXPECT_TRUE(same_bits(weights(run.model), weights(restored.model)));
}

TEST(Checkpoint, ProgressComesBackExactly) {
  TrainingSession run(1);
  run.training.progress = kProgress;
  const std::vector<NamedTensor> state = run.state();
  const Metadata metadata = run.metadata();
  run.training.progress = {};
  run.restore(state, metadata, "a file");
  const TrainingProgress& progress = run.training.progress;
  EXPECT_EQ(progress.epoch, kProgress.epoch);
  EXPECT_EQ(progress.batch, kProgress.batch);
  EXPECT_EQ(progress.attempts, kProgress.attempts);
  EXPECT_EQ(progress.best_loss, kProgress.best_loss);
  EXPECT_EQ(progress.best_step, kProgress.best_step);
}

TEST(Checkpoint, BadProgressIsNamedAndNothingChanges) {
  TrainingSession source(1);
  source.train(1);
  const auto tensors = source.state();
  const Metadata good = source.metadata();
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char* text : {"", "-1", "x", "1x", " 1", "nan", "99999999999999999999x"}) {
      TrainingSession run(2);
      const auto before = weights(run.model);
      Metadata bad = good;
      bad[i].second = text;
      const std::string message =
          thrown_message<std::runtime_error>([&] { run.restore(tensors, bad, "a.safetensors"); });
      EXPECT_EQ(message.rfind("a.safetensors: " + good[i].first + " is \"" + text + "\"", 0), 0u) << message;
      EXPECT_TRUE(same_bits(weights(run.model), before));
      EXPECT_EQ(run.training.adam.steps(), 0);
    }
    Metadata missing = good;
    missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(i));
    TrainingSession run(2);
    const std::string message =
        thrown_message<std::runtime_error>([&] { run.restore(tensors, missing, "a.safetensors"); });
    EXPECT_TRUE(contains(message, "no \"" + good[i].first + "\"")) << message;
  }
}

TEST(Checkpoint, BadMomentsAreNamedAndNothingChanges) {
  TrainingSession source(1);
  source.train(2);
  for (const char* name : {"adam.first_moment.embedding", "adam.second_moment.embedding"}) {
    for (const bool missing : {false, true}) {
      TrainingSession run(2);
      const auto before = weights(run.model);
      auto tensors = source.state();
      const auto bad =
          std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
      ASSERT_NE(bad, tensors.end());
      if (missing)
        bad->name = "adam.third_moment";
      else
        bad->tensor.mutable_data()[3] = std::numeric_limits<Real>::quiet_NaN();
      const std::string message = thrown_message<std::runtime_error>(
          [&] { run.restore(tensors, source.metadata(), "a.safetensors"); });
      EXPECT_TRUE(contains(message, name)) << message;
      EXPECT_TRUE(same_bits(weights(run.model), before));
      EXPECT_EQ(run.training.adam.steps(), 0);
    }
  }
}

}  // namespace
}  // namespace plainformer
