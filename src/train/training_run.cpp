#include "train/training_run.h"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "core/input_error.h"
#include "core/thread_pool.h"
#include "data/batching.h"
#include "kernels/kernels.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "report/numbers.h"
#include "report/terminal.h"
#include "train/estimates.h"
#include "training/r_drop.h"
#include "training/recomputing.h"

namespace plainformer {

namespace {

// Moves a running average toward a new value. The first value starts it.
void update_average(double& average, double value) {
  constexpr double kWeightOfThePast = 0.98;
  average = average == 0 ? value : kWeightOfThePast * average + (1 - kWeightOfThePast) * value;
}

// Which weights a run ends with that cannot compare any.
std::string what_is_kept_without_validation(const Settings& settings) {
  const Index steps = settings.training.steps, every = settings.training.checkpoint_every;
  const Index checkpoints = std::min(settings.keep, steps / every + (steps % every == 0 ? 0 : 1));
  return "no validation text, so no step counts as the best: the model will be " +
         (checkpoints > 1 ? "the average of the last " + std::to_string(checkpoints) + " checkpoints"
                          : std::string("that of the last step"));
}

}  // namespace

TrainingRun::TrainingRun(const Settings& settings, const ModelFolder& folder, const Corpora& text,
                         const EncodedCorpora& corpora, State& state)
    : settings_(settings),
      folder_(folder),
      corpora_(corpora),
      state_(state),
      files_(settings, folder, corpora),
      log_(folder.log(), state.adam.steps(), state.progress.attempts),
      frames_(settings, folder.frames(), text, corpora, state.adam.steps()),
      bar_(std::cerr, understands_escapes(2), settings.training.steps,
           {.unit = "step", .start = state.adam.steps(), .most_seconds = 60 * settings.minutes}) {}

void TrainingRun::print_summary(const std::string& memory) {
  Index parameters = 0;
  for (const NamedParameter& p : state_.model.parameters()) parameters += p.parameter->value.size();
  const ModelConfig& model = state_.model.config();
  std::ostringstream text;
  text << "model: " << model.encoder_layers << "+" << model.decoder_layers << " layers, d_model "
       << model.d_model << ", d_ff " << model.d_ff << ", " << count_of(model.heads, "head") << ", vocabulary "
       << model.vocab << ", " << format_count(static_cast<double>(parameters)) << " parameters\n"
       << "data: " << corpora_.train.size() << " training pairs, " << corpora_.valid.size()
       << " validation pairs\n"
       << "kernels " << kernels().name << ", " << count_of(threads(), "thread")
       << ", plain operations: " << plain_names(ways);
  if (product_precision != Precision::kFloat) text << ", precision " << precision_name(product_precision);
  text << "\nmemory: " << memory;
  if (corpora_.valid.empty()) text << "\n" << what_is_kept_without_validation(settings_);
  bar_.print(text.str());
  if (const std::string watched = describe_watched(corpora_.watched); !watched.empty()) bar_.print(watched);
}

void TrainingRun::measure_starting_model() {
  if (corpora_.valid.empty()) return;
  before_first_step_ = measure();
  log_.validation(0, *before_first_step_);
  bar_.print("step 0: " + to_string(*before_first_step_) + " (the model of --from)");
}

int TrainingRun::run() {
  start_ = std::chrono::steady_clock::now();
  begin();
  train_model();
  bar_.finish();
  return finish();
}

void TrainingRun::begin() {
  files_.restore_best_weights();
  if (state_.progress.best_step != 0 && !files_.has_best_weights()) {
    bar_.print("model.safetensors is missing, and with it the best weights so far, of step " +
               std::to_string(state_.progress.best_step));
    state_.progress.best_step = 0;
  }
  if (steps() == 0) write([&] { frames_.keep(state_.model, 0, {}); });
  if (has_made_all_steps())
    bar_.print("the run has made " + count_of(steps(), "step") +
               " already, and none is left (hint: a larger --steps goes on)");
}

void TrainingRun::train_model() {
  const BatchSource batches = batches_of(corpora_.train, settings_.batch_tokens, settings_.training.seed);
  const auto train_with_r_drop = [&](auto& model) {
    if (settings_.r_drop == 0)
      return train(model, state_.adam, state_.progress, settings_.training, batches, hooks());
    RDrop with_r_drop(model, settings_.r_drop);
    train(with_r_drop, state_.adam, state_.progress, settings_.training, batches, hooks());
  };
  if (!settings_.recompute) return train_with_r_drop(state_.model);
  RecomputingTransformer recomputing(state_.model);
  train_with_r_drop(recomputing);
}

int TrainingRun::finish() {
  if (is_out_of_patience())
    bar_.print("out of patience after step " + std::to_string(steps()) + ": no validation since step " +
               std::to_string(state_.progress.best_step) + " had " +
               (settings_.best_by == Settings::BestBy::kBleu ? "a higher BLEU" : "a lower loss"));
  if (last_checkpoint_ != steps()) save_checkpoint();
  if (write_error_) std::rethrow_exception(write_error_);
  if (interrupt_signal() != 0) {
    // The folder holds a model even if the run never validated.
    if (state_.progress.best_step == 0) files_.save_best_weights(state_.model);
    return interrupt_signal();
  }

  if (state_.progress.best_step != 0) files_.back_up_best_weights();
  if (last_validation_ != steps()) validate();
  if (write_error_) std::rethrow_exception(write_error_);
  if (before_first_step_ && state_.progress.best_step != 0 && is_best(*before_first_step_))
    bar_.print(
        "no validation was as good as the one before the first step, so the model of --from suits this text "
        "better (hint: a lower --learning-rate-scale changes it less)");
  average_checkpoints();
  return 0;
}

TrainingHooks TrainingRun::hooks() {
  return {.stop = [this] { return should_stop(); },
          .after_step = [this](const StepReport& report) { report_step(report); },
          .validate =
              [this] {
                const double before = seconds();
                validate();
                validating_ += seconds() - before;
                ++validations_;
                report_estimate();
              },
          .save_checkpoint = [this] { save_checkpoint(); }};
}

bool TrainingRun::should_stop() const {
  const bool is_out_of_time = settings_.minutes > 0 && seconds() > 60 * settings_.minutes;
  return interrupt_signal() != 0 || is_out_of_time || is_out_of_patience();
}

bool TrainingRun::has_made_all_steps() const {
  return steps() >= settings_.training.steps;
}

// Counts from the two steps, because a resumed run knows no more of the earlier validations.
bool TrainingRun::is_out_of_patience() const {
  const Index every = settings_.training.validate_every, best = state_.progress.best_step;
  if (settings_.patience == 0 || every == 0 || best == 0) return false;
  return steps() / every - best / every >= settings_.patience;
}

void TrainingRun::report_step(const StepReport& report) {
  if (report.skipped()) {
    log_.skipped(steps(), state_.progress.attempts, report.not_finite);
    bar_.print("step " + std::to_string(steps() + 1) + " skipped: " + report.not_finite + " is not finite");
    return;
  }
  log_.step(steps(), state_.progress.epoch, report, seconds());
  write([&] { frames_.keep(state_.model, steps(), report.loss); });
  const Index tokens = report.source_tokens + report.target_tokens;
  ++steps_made_;
  tokens_read_ += tokens;
  update_average(mean_loss_, report.loss);
  update_average(mean_tokens_per_second_, static_cast<double>(tokens) / report.seconds);
  std::ostringstream text;
  text.precision(3);
  text << "loss " << mean_loss_ << "  lr " << report.learning_rate << "  "
       << format_count(mean_tokens_per_second_) << " tok/s";
  bar_.update(steps(), text.str());
  if (estimated_seconds_ == 0) report_estimate();
}

void TrainingRun::report_estimate() {
  const std::optional<TimeEstimate> now = estimate_time(settings_, {.made = steps_made_,
                                                                    .steps = steps(),
                                                                    .seconds = seconds() - validating_,
                                                                    .validations = validations_,
                                                                    .validation_seconds = validating_});
  if (!now || !now->corrects(estimated_seconds_)) return;
  estimated_seconds_ = now->seconds;
  if (!now->text.empty()) bar_.print(now->text);
}

void TrainingRun::validate() {
  last_validation_ = steps();
  if (corpora_.valid.empty()) return write([&] { files_.save_best_weights(state_.model); });
  const Validation now = measure();
  log_.validation(steps(), now);
  const bool best = is_best(now);
  std::vector<std::string> translations =
      translate_watched(corpora_.watched, state_.model, corpora_.vocabulary);
  bar_.print("step " + std::to_string(steps()) + ": " + to_string(now) + (best ? " (best so far)" : "") +
             describe_translations(corpora_.watched, translations, watched_translations_));
  watched_translations_ = std::move(translations);
  if (!best) return;
  write([&] {
    files_.save_best_weights(state_.model);
    state_.progress.best_loss = now.loss;
    state_.progress.best_bleu = settings_.best_by == Settings::BestBy::kBleu ? now.bleu : std::nullopt;
    state_.progress.best_step = steps();
  });
}

// The lower loss decides between two that have the same BLEU. A resumed run that did not compare by BLEU
// before does not know the BLEU of the best so far; then any is higher.
bool TrainingRun::is_best(const Validation& now) const {
  const TrainingProgress& progress = state_.progress;
  if (progress.best_step == 0) return true;
  if (settings_.best_by == Settings::BestBy::kBleu && now.bleu != progress.best_bleu)
    return now.bleu > progress.best_bleu;
  return now.loss < progress.best_loss;
}

void TrainingRun::save_checkpoint() {
  write([&] {
    files_.save(state_);
    last_checkpoint_ = steps();
    if (interrupt_signal() == 0) remove_old_model(folder_);
  });
}

void TrainingRun::average_checkpoints() {
  const Index count = files_.average(state_.model, steps());
  if (count == 0) return;

  std::string text = "average of the last " + std::to_string(count) + " checkpoints";
  bool better = true;
  if (!corpora_.valid.empty()) {
    const Validation average = measure();
    log_.average(steps(), count, average);
    better = is_best(average);
    text += ": " + to_string(average) +
            (better ? "; kept"
                    : "; not kept, because step " + std::to_string(state_.progress.best_step) + " is better");
  }
  bar_.print(text);
  if (better) files_.save_best_weights(state_.model);
}

void TrainingRun::write(const std::function<void()>& files) {
  try {
    files();
  } catch (const std::runtime_error& error) {
    if (has_made_all_steps() || should_stop()) {
      write_error_ = std::current_exception();
      return;
    }
    bar_.print(std::string(error.what()) + "; training continues, and the earlier files are kept");
  }
}

void TrainingRun::print_totals() const {
  if (steps_made_ == 0) return;
  std::cerr << count_of(steps_made_, "step") << " in " << format_duration(seconds()) << ", "
            << format_count(static_cast<double>(tokens_read_) / seconds()) << " tokens/s, peak memory "
            << format_fixed(peak_resident_megabytes(), 0) << " MB\n";
}

double TrainingRun::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace plainformer
