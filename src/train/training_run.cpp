#include "train/training_run.h"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "core/check.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "model_folder/weights.h"
#include "ops/precision.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "report/number_format.h"
#include "report/terminal.h"
#include "train/time_estimate.h"
#include "train/train_with.h"
#include "train/watched_sentences.h"

namespace plainformer {

namespace {

constexpr int kMaxSkippedInARow = 10;

ModelConfig with_vocabulary(ModelConfig config, const EncodedCorpora& corpora) {
  config.vocab = corpora.vocabulary.size();
  return config;
}

// Moves a running average toward a new value. The first value starts it.
void update_average(double& average, double value) {
  constexpr double kWeightOfThePast = 0.98;
  average = average == 0 ? value : kWeightOfThePast * average + (1 - kWeightOfThePast) * value;
}

// Which weights a run ends with that cannot compare any.
std::string what_is_kept_without_validation(const TrainSettings& settings) {
  const Index steps = settings.training.steps, every = settings.training.checkpoint_every;
  const Index checkpoints = std::min(settings.keep, steps / every + (steps % every == 0 ? 0 : 1));
  return "no validation text, so no step counts as the best: the model will be " +
         (checkpoints > 1 ? "the average of the last " + std::to_string(checkpoints) + " checkpoints"
                          : std::string("that of the last step"));
}

}  // namespace

TrainingRun::TrainingRun(const TrainSettings& settings, const ModelFolder& folder, const Corpora& text,
                         const EncodedCorpora& corpora)
    : settings_(settings),
      corpora_(corpora),
      files_(settings, folder, corpora),
      model_(with_vocabulary(settings.model, corpora), settings.training.seed),
      adam_(model_.parameters(), settings.training.adam),
      progress_(settings.resume ? files_.restore(model_, adam_, begun_) : TrainingProgress()),
      log_(folder.log(), adam_.steps(), progress_.attempts),
      frames_(settings, folder.frames(), text, corpora, adam_.steps()),
      bar_(std::cerr, understands_escapes(2), settings.training.steps,
           {.unit = "step",
            .start = adam_.steps(),
            .color = color_allowed(2),
            .most_seconds = 60 * settings.minutes}),
      batches_(batches_of(corpora.train, settings.batch_tokens, settings.training.seed, begun_)) {
  if (begun_.taken.empty()) return;
  const Index left = batches_.begin_epoch(progress_.epoch);
  if (left == 0)
    ++progress_.epoch;
  else if (progress_.batch == 0)
    bar_.print("the batches have another size: the pairs that are left of this epoch make " +
               count_of(left, "batch", "batches"));
}

void TrainingRun::start_with(std::unique_ptr<Transformer> trained) {
  CHECK(adam_.steps() == 0, "a run goes on from another model before its first step");
  load_weights(model_, weights_of(*trained), settings_.from);
  trained.reset();  // the weights are shared: now the run can change them without a copy
  if (corpora_.valid.empty()) return;
  const Validation before = measure();
  log_.validation(0, before);
  before_first_step_ = before;
  bar_.print("step 0: " + to_string(before) + " (the model of --from)");
}

void TrainingRun::print_summary(const std::string& memory) {
  Index parameters = 0;
  for (const NamedParameter& p : model_.parameters()) parameters += p.parameter->value.size();
  const ModelConfig& model = model_.config();
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

int TrainingRun::run() {
  start_ = std::chrono::steady_clock::now();
  files_.restore_best_weights();
  if (progress_.best_step != 0 && !files_.has_best_weights()) {
    bar_.print("model.safetensors is missing, and with it the best weights so far, of step " +
               std::to_string(progress_.best_step));
    progress_.best_step = 0;
  }
  if (adam_.steps() == 0) write([&] { frames_.keep(model_, 0, {}); });
  if (has_made_all_steps())
    bar_.print("the run has made " + count_of(adam_.steps(), "step") +
               " already, and none is left (hint: a larger --steps goes on)");
  train_with(settings_, model_, adam_, progress_, batches_, hooks());
  bar_.finish();
  if (is_out_of_patience())
    bar_.print("out of patience after step " + std::to_string(adam_.steps()) + ": no validation since step " +
               std::to_string(progress_.best_step) + " had " +
               (settings_.compares_bleu() ? "a higher BLEU" : "a lower loss"));
  if (interrupt_signal() != 0 && replacement_) {
    stop_beside();
    return interrupt_signal();
  }
  if (last_checkpoint_ != adam_.steps()) save_checkpoint();
  if (write_error_) std::rethrow_exception(write_error_);
  if (interrupt_signal() != 0) {
    if (progress_.best_step == 0) files_.save_weights(model_);  // so that the folder holds a model
    return interrupt_signal();
  }

  if (progress_.best_step != 0) files_.back_up_best_weights();
  if (last_validation_ != adam_.steps()) validate();
  if (write_error_) std::rethrow_exception(write_error_);
  if (before_first_step_ && progress_.best_step != 0 && is_best(*before_first_step_))
    bar_.print(
        "no validation was as good as the one before the first step, so the model of --from suits this text "
        "better (hint: a lower --learning-rate-scale changes it less)");
  average_checkpoints();
  return 0;
}

TrainingHooks TrainingRun::hooks() {
  return {.stop = [this] { return should_stop(); },
          .after_step =
              [this](const StepReport& report) {
                if (report.skipped())
                  report_skipped_step(report);
                else
                  report_step(report);
              },
          .validate =
              [this] {
                const double before = seconds();
                validate();
                last_validation_seconds_ = seconds() - before;
                validating_ += last_validation_seconds_;
                ++validations_;
                report_estimate();
              },
          .save_checkpoint = [this] { save_checkpoint(); }};
}

bool TrainingRun::should_stop() const {
  return interrupt_signal() != 0 || is_out_of_time() || is_out_of_patience();
}

bool TrainingRun::has_made_all_steps() const {
  return adam_.steps() >= settings_.training.steps;
}

bool TrainingRun::is_out_of_time() const {
  return settings_.minutes > 0 && seconds() > 60 * settings_.minutes;
}

// Counts from the two steps, because a resumed run knows no more of the earlier validations.
bool TrainingRun::is_out_of_patience() const {
  const Index every = settings_.training.validate_every;
  if (settings_.patience == 0 || every == 0 || progress_.best_step == 0) return false;
  return adam_.steps() / every - progress_.best_step / every >= settings_.patience;
}

void TrainingRun::report_step(const StepReport& report) {
  skipped_in_a_row_ = 0;
  log_.step(adam_.steps(), progress_.epoch, report, seconds());
  write([&] { frames_.keep(model_, adam_.steps(), report.loss); });
  const Index tokens = report.source_tokens + report.target_tokens;
  ++steps_made_;
  tokens_read_ += tokens;
  update_average(mean_loss_, report.loss);
  update_average(mean_tokens_per_second_, static_cast<double>(tokens) / report.seconds);
  std::ostringstream text;
  text.precision(3);
  text << "loss " << mean_loss_ << "  lr " << report.learning_rate << "  "
       << format_count(mean_tokens_per_second_) << " tok/s";
  bar_.update(adam_.steps(), text.str());
  if (estimated_seconds_ == 0) report_estimate();
}

void TrainingRun::report_estimate() {
  Pace pace = {.made = steps_made_,
               .steps = adam_.steps(),
               .seconds = seconds() - validating_,
               .validations = validations_,
               .a_validation = last_validation_seconds_};
  if (validations_ == 0)
    pace.a_validation = pace.seconds * tokens_like_a_validation(corpora_) / static_cast<double>(tokens_read_);
  const std::optional<TimeEstimate> now = estimate_time(settings_, pace);
  if (!now || !now->corrects(estimated_seconds_)) return;
  estimated_seconds_ = now->seconds;
  if (!now->text.empty()) bar_.print(now->text);
}

void TrainingRun::report_skipped_step(const StepReport& report) {
  log_.skipped(adam_.steps(), progress_.attempts, report.not_finite);
  bar_.print("step " + std::to_string(adam_.steps() + 1) + " skipped: " + report.not_finite +
             " is not finite");
  if (++skipped_in_a_row_ < kMaxSkippedInARow) return;
  throw input_error("the training",
                    std::to_string(kMaxSkippedInARow) + " steps in a row were skipped, because " +
                        report.not_finite + " is not finite",
                    "lower --learning-rate-scale, or try --clip-norm 1; the last checkpoint is good");
}

void TrainingRun::validate() {
  last_validation_ = adam_.steps();
  if (corpora_.valid.empty()) return write([&] { files_.save_weights(model_); });
  const Validation now = measure();
  log_.validation(adam_.steps(), now);
  const bool best = is_best(now);
  std::vector<std::string> translations = translate_watched(corpora_.watched, model_, corpora_.vocabulary);
  bar_.print("step " + std::to_string(adam_.steps()) + ": " + to_string(now) +
             (best ? " (best so far)" : "") +
             describe_translations(corpora_.watched, translations, watched_translations_));
  watched_translations_ = std::move(translations);
  if (!best) return;
  write([&] {
    files_.save_weights(model_);
    progress_.best_loss = now.loss;
    progress_.best_bleu = settings_.compares_bleu() ? now.bleu : std::nullopt;
    progress_.best_step = adam_.steps();
  });
}

// The lower loss decides between two that have the same BLEU. A resumed run that did not compare by BLEU before knows none
// of the best so far; then any is higher.
bool TrainingRun::is_best(const Validation& now) const {
  if (progress_.best_step == 0) return true;
  if (settings_.compares_bleu() && now.bleu != progress_.best_bleu) return now.bleu > progress_.best_bleu;
  return now.loss < progress_.best_loss;
}

void TrainingRun::save_checkpoint() {
  write([&] {
    files_.save_checkpoint(model_, adam_, progress_, begun_);
    last_checkpoint_ = adam_.steps();
    take_place();
  });
}

void TrainingRun::take_place() {
  if (!replacement_) return;
  const ModelFolder& place = replacement_->place();
  log_.move_to(place.log(), [&] { replacement_->take_place(); });
  files_.move_to(place);
  frames_.move_to(place.frames());
  replacement_ = nullptr;
}

// Saves what can be resumed, in the folder beside the old model. Before the first step there is nothing to save.
void TrainingRun::stop_beside() {
  if (!has_made_a_step()) return;
  files_.save_checkpoint(model_, adam_, progress_, begun_);
  if (progress_.best_step == 0) files_.save_weights(model_);
}

void TrainingRun::average_checkpoints() {
  const Index count = files_.average_last_checkpoints(model_, adam_.steps());
  if (count == 0) return;

  std::string text = "average of the last " + std::to_string(count) + " checkpoints";
  bool better = true;
  if (!corpora_.valid.empty()) {
    const Validation average = measure();
    log_.average(adam_.steps(), count, average);
    better = is_best(average);
    text += ": " + to_string(average) +
            (better ? "; kept"
                    : "; not kept, because step " + std::to_string(progress_.best_step) + " is better");
  }
  bar_.print(text);
  if (better) files_.save_weights(model_);
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

void TrainingRun::print_totals() {
  if (steps_made_ == 0) return;
  std::cerr << count_of(steps_made_, "step") << " in " << format_duration(seconds()) << ", "
            << format_count(static_cast<double>(tokens_read_) / seconds()) << " tokens/s, peak memory "
            << format_fixed(peak_resident_megabytes(), 0) << " MB\n";
}

double TrainingRun::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace plainformer
