// Milestone 3: the toy, trained and translated by nothing but a student's code. All of it stays in memory, so
// that the program needs no right to write files.
#include <cstdio>

#include "data/batching.h"
#include "decoding/beam_search.h"
#include "driver.h"
#include "model_folder/weights.h"
#include "train/corpora.h"
#include "training/checkpoint_average.h"
#include "training/training_loop.h"

namespace plainformer::course {
namespace {

constexpr Index kToyWidth = 64;  // d_model
constexpr Index kToyBatchTokens = 512, kToySteps = 1000, kStepsOfAReport = 250;

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
void load_mean(Transformer& model, const std::vector<std::vector<NamedTensor>>& checkpoints) {
  CheckpointAverage sums;
  for (const std::vector<NamedTensor>& checkpoint : checkpoints) sums.add(checkpoint, "a checkpoint");
  load_weights(model, sums.average(), "the mean");
}

// False if the training has ended early, or has kept no checkpoint.
bool train_the_toy(Transformer& model, const Settings& settings, const EncodedCorpora& corpora) {
  Adam adam(model.parameters(), settings.training.adam);
  TrainingProgress progress;
  const BatchSource batches = batches_of(corpora.train, settings.batch_tokens, settings.training.seed);
  std::vector<std::vector<NamedTensor>> checkpoints;
  TrainingHooks hooks;
  hooks.save_checkpoint = [&] {
    checkpoints.push_back(weights_of(model));
    if (std::ssize(checkpoints) > settings.keep) checkpoints.erase(checkpoints.begin());
  };
  hooks.stop = [&] { return progress.attempts >= 2 * kToySteps; };  // steps that are skipped count, too
  hooks.after_step = [&](const StepReport& report) {
    if (adam.steps() % kStepsOfAReport == 0)
      std::printf("step %d: loss %.3f\n", static_cast<int>(adam.steps()), report.loss);
  };
  train(model, adam, progress, settings.training, batches, hooks);
  if (adam.steps() != kToySteps || checkpoints.empty()) return false;
  load_mean(model, checkpoints);
  return true;
}

// The held-out sentences, as a model's folder would hold them.
struct HeldOut {
  Settings settings = settings_of_the_toy();
  Corpora text = load_corpora(settings);
  EncodedCorpora corpora = encode_corpora(settings, ModelFolder(""), text);
  TranslationTask test;

  HeldOut() {
    settings.model.vocab = corpora.vocabulary.size();
    std::vector<std::string> sources, targets;
    for (const ToyPair& pair : text.test) {
      sources.push_back(pair.source);
      targets.push_back(pair.target);
    }
    test = translation_task(settings, ParallelCorpus::from_lines(sources, targets, "the test"),
                            std::ssize(sources), corpora);
  }
};

#ifdef COURSE_ORACLE

void translate_the_toy() {
  for (const std::string& reference : HeldOut().test.references) show_text("translation", reference);
}

#else

// The library's beam search translates, with one hypothesis in the student's Beam.
void translate_the_toy() {
  const HeldOut held_out;
  Transformer model(held_out.settings.model, held_out.settings.training.seed);
  if (!train_the_toy(model, held_out.settings, held_out.corpora)) return;
  const std::vector<std::vector<int>>& sources = held_out.test.sources;
  const std::size_t most = static_cast<std::size_t>(kGreedy.batch);
  for (std::size_t i = 0; i < sources.size(); i += most) {
    const std::size_t end = std::min(sources.size(), i + most);
    const std::vector<std::vector<int>> batch(sources.begin() + static_cast<std::ptrdiff_t>(i),
                                              sources.begin() + static_cast<std::ptrdiff_t>(end));
    const std::vector<Hypotheses> found = beam_search(model, batch, kGreedy);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const bool is_found = k < found.size() && !found[k].empty();
      show_text("translation",
                is_found ? BytePairEncoding::join(held_out.corpora.vocabulary.decode(found[k].front().tokens))
                         : "");
    }
  }
}

#endif

}  // namespace

std::vector<Stage> stages() {
  return {{"held-out sentences", translate_the_toy}};
}

}  // namespace plainformer::course
