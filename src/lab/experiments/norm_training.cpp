#include "lab/experiments/norm_training.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "lab/experiments/repeated_greedy_search.h"
#include "ops/cross_entropy.h"
#include "training/targets.h"

namespace plainformer {

namespace {

constexpr Index kExtraLength = 10;  // no German sentence is as much longer
constexpr Index kMostSkipped = 10;
constexpr std::ptrdiff_t kMeanOver = 20;  // steps

using AnyModel = std::variant<Transformer, PreNormTransformer, BatchNormTransformer>;

AnyModel model_of(NormKind kind, const ModelConfig& config, std::uint64_t seed) {
  if (kind == NormKind::kPreNorm) return PreNormTransformer(config, seed);
  if (kind == NormKind::kBatchNorm) return BatchNormTransformer(config, seed);
  return Transformer(config, seed);
}

// The embedding, which is also the matrix of the output projection.
template <typename Model>
auto& embedding_of(Model& model) {
  if constexpr (std::is_same_v<std::remove_const_t<Model>, Transformer>)
    return model.embedding;
  else
    return model.layers.embedding;
}

// Batch norm's moments change in training's forward passes.
template <typename Model>
void after_forward(Model& model, const typename Model::Cache& cache) {
  if constexpr (std::is_same_v<Model, BatchNormTransformer>) model.update_moments(cache);
}

template <typename Model>
ModelPasses norm_passes(Model& model) {
  const auto cache = std::make_shared<typename Model::Cache>();
  return {.forward =
              [&model, cache](const TranslationBatch& batch, Index /*tokens*/, const DropoutState& dropout) {
                Tensor output = model.forward(batch.source, batch.target_input, dropout, *cache);
                after_forward(model, *cache);
                return output;
              },
          .backward = [&model, cache](
                          const Tensor& grad_decoder_output) { model.backward(grad_decoder_output, *cache); },
          .first_not_finite = [] { return std::string("the loss"); }};
}

TrainedModel trained_with_norms(AnyModel& model) {
  return std::visit(
      [](auto& each) {
        return TrainedModel{each.parameters(), embedding_of(each), norm_passes(each)};
      },
      model);
}

double infinite_if_not_finite(double loss) {
  return std::isfinite(loss) ? loss : std::numeric_limits<double>::infinity();
}

// The loss of the validation text, where decoder_output(batch) is the model's.
double validation_loss(const TranslatorText& text, const Parameter& embedding, Index batch_tokens,
                       const std::function<Tensor(const TranslationBatch&)>& decoder_output) {
  CrossEntropy sums;
  const std::vector<SentencePair>& pairs = text.corpora.valid;
  for (const auto& numbers : make_batches(pairs, batch_tokens, /*seed=*/0, /*epoch=*/0)) {
    const TranslationBatch batch = batch_of(pairs, numbers);
    sums += projected_cross_entropy_forward(decoder_output(batch), embedding, targets_of(batch.target_output),
                                            /*smoothing=*/0);
  }
  return infinite_if_not_finite(sums.loss / static_cast<double>(sums.rows));
}

double percent_exact(const TranslatorText& text, const EncoderDecoder& model) {
  std::vector<std::vector<int>> translations;
  try {
    translations = repeated_greedy_search(model, text.test.sources, kExtraLength);
  } catch (const std::runtime_error&) {
    return 0;  // the output is not finite
  }
  Index exact = 0;
  for (std::size_t i = 0; i < translations.size(); ++i)
    exact +=
        BytePairEncoding::join(text.corpora.vocabulary.decode(translations[i])) == text.test.references[i];
  return 100.0 * static_cast<double>(exact) / static_cast<double>(translations.size());
}

template <typename Model>
NormResult test_of(const TranslatorText& text, const Model& model) {
  const Parameter& embedding = embedding_of(model);
  const Index batch_tokens = text.settings.batch_tokens;
  NormResult result;
  result.loss = validation_loss(text, embedding, batch_tokens, [&](const TranslationBatch& batch) {
    return model.decode(batch.target_input, model.encode(batch.source), batch.source.lengths);
  });
  result.exact = percent_exact(
      text, {.encode = [&](const TokenBatch& source) { return model.encode(source); },
             .decode = [&](const TokenBatch& target_input, const Tensor& memory,
                           const auto& lengths) { return model.decode(target_input, memory, lengths); },
             .embedding = embedding});
  if constexpr (std::is_same_v<Model, BatchNormTransformer>) {
    const auto output = [&](const TranslationBatch& batch) {
      BatchNormTransformer::Cache not_kept;
      return model.forward(batch.source, batch.target_input, DropoutState{}, not_kept);
    };
    result.loss_by_batch = validation_loss(text, embedding, batch_tokens, output);
    result.loss_by_sentence = validation_loss(text, embedding, /*batch_tokens=*/1, output);
  }
  return result;
}

}  // namespace

const char* name_of(NormKind kind) {
  if (kind == NormKind::kPreNorm) return "pre-norm";
  return kind == NormKind::kBatchNorm ? "batch norm" : "post-norm";
}

double NormRates::at(Index step) const {
  const double s = static_cast<double>(step) / static_cast<double>(warmup_steps);
  const double rising = warms_up ? s : 1;
  return factor * peak * std::min(rising, std::pow(s, -0.5));
}

double toy_peak_rate() {
  const Recipe toy = *preset_recipe("toy");
  LearningRateSchedule schedule = toy.training.learning_rate;
  schedule.d_model = toy.model.d_model;
  return schedule.at(schedule.warmup_steps);
}

NormRates toy_rates(double peak, bool warms_up, double factor) {
  return {.peak = peak,
          .warmup_steps = preset_recipe("toy")->training.learning_rate.warmup_steps,
          .warms_up = warms_up,
          .factor = factor};
}

NormTraining::NormTraining(NormKind kind, const NormRates& rates, TranslatorText& text)
    : rates_(rates),
      text_(text),
      options_(text.settings.training),
      model_(model_of(kind, text.settings.model, text.settings.training.seed)),
      adam_(trained_with_norms(model_).parameters, text.settings.training.adam),
      batches_(text.settings, text.text, text.corpora) {
  options_.validate_every = options_.checkpoint_every = 0;
}

void NormTraining::train_until(Index steps, const std::function<void()>& after_step) {
  options_.steps = steps;
  TrainingHooks hooks;
  // The loop asks before each step, and reads the rate during it. So the rate of the next step can be set here.
  hooks.stop = [&] {
    const Index next = adam_.steps() + 1;
    options_.learning_rate.scale = 1;
    options_.learning_rate.scale = rates_.at(next) / options_.learning_rate.at(next);
    return skipped_ >= kMostSkipped;
  };
  hooks.after_step = [&](const StepReport& report) {
    if (report.skipped()) ++skipped_;
    losses_.push_back(infinite_if_not_finite(report.loss));
    after_step();
  };
  train(trained_with_norms(model_), adam_, progress_, options_, batches_.source(), hooks);
}

NormResult NormTraining::test() const {
  const std::ptrdiff_t count = std::min(std::ssize(losses_), kMeanOver);
  NormResult result = std::visit([&](const auto& model) { return test_of(text_, model); }, model_);
  result.training_loss = std::accumulate(losses_.end() - count, losses_.end(), 0.0) / double(count);
  return result;
}

}  // namespace plainformer
