// What a run keeps to go on exactly where it stopped.
#include "train/training_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "support/thrown_message.h"
#include "training/tiny_training.h"

namespace plainformer {
namespace {

constexpr TrainingProgress kProgress = {
    .epoch = 3, .batch = 17, .attempts = 260, .best_loss = 2.0 / 7, .best_step = 250, .best_bleu = 100.0 / 3};

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

TEST(TrainingState, ARestoredRunGoesOnBitForBit) {
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
TEST(TrainingState, ARestoredRunRemembersSkippedSteps) {
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

TEST(TrainingState, ProgressComesBackExactly) {
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
  EXPECT_EQ(progress.best_bleu, kProgress.best_bleu);
}

TEST(TrainingState, BadProgressIsNamedAndNothingChanges) {
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

TEST(TrainingState, BadMomentsAreNamedAndNothingChanges) {
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
