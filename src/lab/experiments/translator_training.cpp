#include "lab/experiments/translator_training.h"

#include <ctime>

#include "core/multiply_adds.h"
#include "core/operation_calls.h"
#include "decoding/greedy_search.h"
#include "evaluation/bleu.h"
#include "lab/experiments/recurrent_translation.h"

namespace plainformer {

namespace {

constexpr double kLargestNorm = 1;  // of a recurrent model; a longer one is scaled down to this
constexpr SearchLimits kLimits = {.extra_length = 10};  // no German sentence is as much longer

AnyTranslator model_of(TranslatorKind kind, const ModelConfig& config, std::uint64_t seed) {
  if (kind == TranslatorKind::kTransformer) return Transformer(config, seed);
  if (kind == TranslatorKind::kChain)
    return ChainTranslator({.vocab = config.vocab, .d_model = config.d_model}, seed);
  return RecurrentTranslator({.vocab = config.vocab, .d_model = config.d_model}, seed);
}

TrainedModel trained(AnyTranslator& model) {
  return std::visit(
      [](auto& each) {
        return TrainedModel{each.parameters(), each.embedding, passes_of(each)};
      },
      model);
}

}  // namespace

const char* name_of(TranslatorKind kind) {
  if (kind == TranslatorKind::kTransformer) return "Transformer";
  return kind == TranslatorKind::kRecurrent ? "chain with attention" : "chain without";
}

TranslatorText translator_text(const TranslatorTextOptions& options) {
  TranslatorText text;
  TrainSettings& settings = text.settings;
  settings = preset_settings("toy");
  settings.seed = options.seed;
  settings.toy_pairs = options.pairs;
  settings.toy_held_out = options.held_out;
  copy_shared_values(settings);
  LearningRateSchedule& schedule = settings.training.learning_rate;
  schedule.scale = 1;
  schedule.scale = options.learning_rate / schedule.at(schedule.warmup_steps);
  text.text = load_corpora(settings);
  text.corpora = encode_corpora(settings, ModelFolder(""), text.text);
  settings.model.vocab = text.corpora.vocabulary.size();
  std::vector<std::string> sources, targets;
  for (const ToyPair& pair : text.text.test) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  text.test = translation_task(settings, ParallelCorpus::from_lines(sources, targets, "the test"),
                               std::ssize(sources), text.corpora.byte_pairs, text.corpora.vocabulary);
  return text;
}

TranslatorTraining::TranslatorTraining(TranslatorKind kind, TranslatorText& text)
    : text_(text),
      options_(text.settings.training),
      model_(model_of(kind, text.settings.model, text.settings.training.seed)),
      adam_(trained(model_).parameters, text.settings.training.adam),
      batches_(text.settings, text.text, text.corpora) {
  options_.validate_every = options_.checkpoint_every = 0;
  if (kind != TranslatorKind::kTransformer) options_.clip_norm = kLargestNorm;
}

void TranslatorTraining::train_until(Index steps, const std::function<void()>& after_step) {
  options_.steps = steps;
  TrainingHooks hooks;
  const std::int64_t before = multiply_adds();
  hooks.after_step = [&](const StepReport&) { after_step(); };
  const std::clock_t begin = std::clock();
  train(trained(model_), adam_, progress_, options_, batches_.source(), hooks);
  seconds_ += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  multiply_adds_ += static_cast<double>(multiply_adds() - before);
}

TranslatorResult TranslatorTraining::test() const {
  const std::vector<Hypothesis> decoded = std::visit(
      [&](const auto& model) { return greedy_search(model, text_.test.sources, kLimits); }, model_);
  TranslatorResult result;
  std::vector<std::string> translations;
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    translations.push_back(BytePairEncoding::join(text_.corpora.vocabulary.decode(decoded[i].tokens)));
    result.right.push_back(translations[i] == text_.test.references[i]);
  }
  result.bleu = corpus_bleu(translations, text_.test.references).score;
  result.seconds = seconds_;
  result.multiply_adds = multiply_adds_ / static_cast<double>(adam_.steps());
  return result;
}

Index TranslatorTraining::weights() {
  Index weights = 0;
  for (const NamedParameter& p : trained(model_).parameters) weights += p.parameter->value.size();
  return weights;
}

std::int64_t waiting_operations(TranslatorKind kind, Index len) {
  ModelConfig config = preset_recipe("toy")->model;
  config.vocab = 5;
  AnyTranslator model = model_of(kind, config, 1);
  const std::vector<int> sentence(len, 4);
  const TranslationBatch batch = TranslationBatch::from({sentence}, {sentence});
  const ModelPasses passes = trained(model).passes;
  const std::int64_t before = operation_calls();
  passes.forward(batch, batch.target_tokens(), {});
  return operation_calls() - before;
}

}  // namespace plainformer
