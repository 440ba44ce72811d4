// Milestone 3: the toy, trained and translated by nothing but a student's code, as `course milestone 3` does it. All of it
// stays in memory, so that the program needs no right to write files.
#include <gtest/gtest.h>

#include <cstdio>

#include "data/batching.h"
#include "decoding/beam_search.h"
#include "toy_milestone.h"
#include "train/corpora.h"
#include "training/training_loop.h"

namespace plainformer::course {
namespace {

constexpr Index kStepsOfAReport = 250;

Settings settings_of_the_toy() {
  Settings settings = preset_settings("toy");
  settings.model.d_model = kToyWidth;
  settings.batch_tokens = kToyBatchTokens;
  settings.training.steps = kToySteps;
  settings.training.validate_every = 0;
  settings.training.learning_rate.d_model = kToyWidth;
  return settings;
}

// The mean of the last checkpoints, as a run ends with.
class MeanOfCheckpoints {
 public:
  MeanOfCheckpoints(Transformer& model, Index keep) : model_(model), keep_(keep) {}

  void save() {
    std::vector<Tensor>& values = checkpoints_.emplace_back();
    for (const NamedParameter& p : model_.parameters()) values.push_back(p.parameter->value);
    if (std::ssize(checkpoints_) > keep_) checkpoints_.erase(checkpoints_.begin());
  }

  void load() const {
    const ParameterList parameters = model_.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Tensor& value = parameters[i].parameter->value;
      Real* const elements = value.mutable_data();
      for (Index e = 0; e < value.size(); ++e) {
        double sum = 0;
        for (const std::vector<Tensor>& checkpoint : checkpoints_) sum += checkpoint[i].data()[e];
        elements[e] = static_cast<Real>(sum / static_cast<double>(checkpoints_.size()));
      }
    }
  }

 private:
  Transformer& model_;
  const Index keep_;
  std::vector<std::vector<Tensor>> checkpoints_;
};

void train_the_toy(Transformer& model, const Settings& settings, const Corpora& text,
                   const EncodedCorpora& corpora) {
  Adam adam(model.parameters(), settings.training.adam);
  TrainingProgress progress;
  const BatchSource batches = batches_of(corpora.train, settings.batch_tokens, settings.training.seed);
  MeanOfCheckpoints mean(model, settings.keep);
  TrainingHooks hooks;
  hooks.save_checkpoint = [&] { mean.save(); };
  hooks.stop = [&] { return progress.attempts >= 2 * kToySteps; };  // steps that are skipped count, too
  hooks.after_step = [&](const StepReport& report) {
    if (adam.steps() % kStepsOfAReport == 0)
      std::printf("step %d: loss %.3f\n", static_cast<int>(adam.steps()), report.loss);
  };
  train(model, adam, progress, settings.training, batches, hooks);
  ASSERT_EQ(adam.steps(), kToySteps) << "the training has ended early";
  mean.load();
}

// The percentage of sentences that the library's beam search, with one hypothesis in the student's Beam, translates word
// for word.
double percent_translated_right(const Transformer& model, const TranslationTask& test,
                                const Vocabulary& vocabulary) {
  std::size_t right = 0;
  const std::size_t count = test.sources.size(), most = static_cast<std::size_t>(kGreedy.batch);
  for (std::size_t i = 0; i < count; i += most) {
    const std::size_t end = std::min(count, i + most);
    const std::vector<std::vector<int>> sources(test.sources.begin() + static_cast<std::ptrdiff_t>(i),
                                                test.sources.begin() + static_cast<std::ptrdiff_t>(end));
    const std::vector<Hypotheses> found = beam_search(model, sources, kGreedy);
    for (std::size_t k = 0; k < found.size() && k < sources.size(); ++k)
      right += !found[k].empty() &&
               BytePairEncoding::join(vocabulary.decode(found[k].front().tokens)) == test.references[i + k];
  }
  return 100.0 * static_cast<double>(right) / static_cast<double>(count);
}

TEST(Toy, IsTrainedAndTranslatesWhatItHasNotSeen) {
  Settings settings = settings_of_the_toy();
  const Corpora text = load_corpora(settings);
  EncodedCorpora corpora = encode_corpora(settings, ModelFolder(""), text);
  settings.model.vocab = corpora.vocabulary.size();
  std::vector<std::string> sources, targets;
  for (const ToyPair& pair : text.test) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  const TranslationTask test =
      translation_task(settings, ParallelCorpus::from_lines(sources, targets, "the test"),
                       std::ssize(sources), corpora);

  Transformer model(settings.model, settings.training.seed);
  ASSERT_NO_FATAL_FAILURE(train_the_toy(model, settings, text, corpora));
  const double percent = percent_translated_right(model, test, corpora.vocabulary);
  std::printf("reached %.1f %%\n", percent);
  EXPECT_GE(percent, kAskedToyPercent) << "of the held-out sentences are translated word for word";
}

}  // namespace
}  // namespace plainformer::course
