#include "train/estimates.h"

#include <algorithm>
#include <cmath>

#include "core/input_error.h"
#include "core/number_text.h"
#include "model_folder/model_folder.h"
#include "ops/ways.h"
#include "report/numbers.h"
#include "train/corpora.h"

namespace plainformer {

namespace {

// The positions of a full batch on one side, or of the whole text if it is shorter; twice with R-Drop.
double positions_of_batch(const Settings& settings, const std::vector<SentencePair>& train) {
  std::size_t source = 0, target = 0;
  for (const SentencePair& pair : train) {
    source += pair.source.size() + 1;  // with </s>
    target += pair.target.size() + 1;  // with <s>
  }
  const double all = static_cast<double>(std::max(source, target));
  return std::min(all, static_cast<double>(settings.batch_tokens)) * (settings.r_drop > 0 ? 2 : 1);
}

// The numbers that a step keeps for its backward pass, and the gradients within one layer, which are about as
// many as the layer keeps.
double numbers_of_step(const Settings& settings, const ModelConfig& model, double positions) {
  const auto real = [](Index number) { return static_cast<double>(number); };
  const double d_model = real(model.d_model), d_ff = real(model.d_ff), heads = real(model.heads);
  const double encoders = real(model.encoder_layers), decoders = real(model.decoder_layers);
  const double projected = heads * real(model.head_d_k() + model.head_d_v());
  // The fast way keeps the logarithm of each row's sum, the plain one the row of weights.
  const double row = ways.attention == Way::kPlain ? real(longest_in_training(settings)) : 1;
  const double attention = 2 * projected + heads * row;
  const double encoder_layer = attention + 3 * d_model + d_ff;
  const double decoder_layer = 2 * attention + 5 * d_model + d_ff;
  const double inputs = d_model * (encoders + decoders + 2);
  const double layers =
      settings.recompute ? decoder_layer : encoders * encoder_layer + decoders * decoder_layer;
  const double logits = ways.cross_entropy == Way::kPlain ? 2 * real(model.vocab) : 0;
  return positions * (inputs + layers + std::max(logits, decoder_layer));
}

// "213 MB", "25.2 GB".
std::string bytes_text(double bytes) {
  return bytes < 1e9 ? format_fixed(bytes / 1e6, 0) + " MB" : format_fixed(bytes / 1e9, 1) + " GB";
}

std::string describe_patience(const Settings& settings) {
  if (settings.patience == 0) return "";
  return ", unless --patience " + std::to_string(settings.patience) + " ends it sooner";
}

// The line on a run that --minutes will end at this step, with the usual warm-up of a fifth if it is too
// long. The rate's peak is scale / sqrt(d_model * warm-up) (5.3), so a shorter warm-up alone would raise it.
std::string describe_end(const Settings& settings, Index last_step) {
  const Index warmup = settings.training.learning_rate.warmup_steps;
  std::string text = "time: --minutes " + shortest_text(settings.minutes) +
                     " will end the training at about step " + std::to_string(last_step) + " of " +
                     std::to_string(settings.training.steps) + describe_patience(settings);
  if (last_step >= warmup) return text;
  const Index shorter = std::max<Index>(1, last_step / 5);
  const double scale = settings.training.learning_rate.scale *
                       std::sqrt(static_cast<double>(shorter) / static_cast<double>(warmup));
  return text + ", before the learning rate's peak at step " + std::to_string(warmup) +
         " (hint: begin again with --overwrite --warmup " + std::to_string(shorter) +
         " --learning-rate-scale " + format_fixed(scale, 3) + ", which reaches the same peak sooner)";
}

// Validations up to this step: those that are due, and the one at the end.
Index validations_until(const Settings& settings, Index step) {
  const Index every = settings.training.validate_every;
  if (every == 0 || !settings.may_have_validation_text()) return 0;
  return step / every + (step == settings.training.steps && step % every != 0 ? 1 : 0);
}

}  // namespace

MemoryEstimate estimate_memory(const Settings& settings, const ModelConfig& model,
                               const std::vector<SentencePair>& train) {
  constexpr double kBytes = sizeof(Real);
  const double weights = kBytes * static_cast<double>(count_weights(model));
  const double step = kBytes * numbers_of_step(settings, model, positions_of_batch(settings, train));
  return {.model = 4 * weights, .step = 4 * weights + step};
}

void require_memory(const Settings& settings, const MemoryEstimate& needed, double usable) {
  const std::string but = ", but this program may use " + bytes_text(usable) + " of memory here";
  if (needed.model > usable)
    throw input_error(
        "the model",
        "its weights, their gradients and Adam's moments take at least " + bytes_text(needed.model) + but,
        "choose a smaller --d-model or --d-ff, fewer layers, or a smaller --preset");
  if (needed.step > usable)
    throw input_error("--batch-tokens",
                      "a step on a full batch takes about " + bytes_text(needed.step) +
                          ", of which the model takes " + bytes_text(needed.model) + but,
                      std::string("choose a smaller --batch-tokens or --max-tokens") +
                          (settings.recompute ? "" : ", or add --recompute") + ", or a smaller --d-model");
}

std::string describe_memory(const MemoryEstimate& needed, double held, double usable) {
  return "about " + bytes_text(held + needed.step) +
         (std::isfinite(usable) ? " of " + bytes_text(usable) : "");
}

bool TimeEstimate::corrects(double earlier_seconds) const {
  constexpr double kWorthTelling = 1.25;
  return seconds > kWorthTelling * earlier_seconds || earlier_seconds > kWorthTelling * seconds;
}

std::optional<TimeEstimate> estimate_time(const Settings& settings, const Pace& pace) {
  // The first step is slower, because it meets new memory, and one second says little. A step may be long.
  constexpr double kShortest = 1, kLongest = 10, kWorthTelling = 10;
  const bool is_early = pace.seconds < kShortest || (pace.made < 3 && pace.seconds < kLongest);
  if (pace.made == 0 || is_early) return std::nullopt;

  const double a_step = pace.seconds / static_cast<double>(pace.made);
  const double a_validation =
      pace.validations > 0 ? pace.validation_seconds / static_cast<double>(pace.validations) : 0;
  const Index steps = settings.training.steps - pace.steps;
  const Index validations = pace.validations == 0 ? 0
                                                  : validations_until(settings, settings.training.steps) -
                                                        validations_until(settings, pace.steps);
  const double so_far = pace.seconds + pace.validation_seconds;
  const double rest = a_step * static_cast<double>(steps) + a_validation * static_cast<double>(validations);
  TimeEstimate estimate = {.seconds = so_far + rest, .text = ""};
  if (rest < kWorthTelling) return estimate;
  const double allowed = 60 * settings.minutes;
  if (allowed > 0 && estimate.seconds > allowed) {
    const double left = std::max(0.0, allowed - so_far);
    const Index last_step = pace.steps + static_cast<Index>(static_cast<double>(steps) * left / rest);
    estimate.text = describe_end(settings, last_step);
    return estimate;
  }
  estimate.text = "time: about " + format_rough_duration(estimate.seconds) + " on this machine for " +
                  count_of(pace.made + steps, "step");
  if (validations > 0) estimate.text += " and " + count_of(pace.validations + validations, "validation");
  estimate.text += describe_patience(settings);
  return estimate;
}

}  // namespace plainformer
