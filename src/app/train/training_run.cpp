#include "app/train/training_run.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <sstream>

#include "app/train/interrupt.h"
#include "app/peak_memory.h"
#include "core/check.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "io/safetensors.h"
#include "kernels/kernels.h"
#include "report/number_format.h"
#include "report/terminal.h"
#include "training/checkpoint_average.h"
#include "training/first_not_finite.h"

namespace plainformer {

namespace {

constexpr int kMaxSkippedInARow = 10;
constexpr double kMemory = 0.98;  // of the running averages that the progress bar shows

ModelConfig with_vocabulary(ModelConfig config, const TrainingData& data) {
  config.vocab = data.vocabulary.size();
  return config;
}

void require_finite(const std::vector<NamedTensor>& state) {
  const std::string name = first_not_finite(state);
  if (name.empty()) return;
  throw input_error("the training", name + " is not finite, and was not written",
                    "lower --learning-rate-scale, or try --clip-norm 1; the last checkpoint is good");
}

void slide(double& average, double value) {
  average = average == 0 ? value : kMemory * average + (1 - kMemory) * value;
}

}  // namespace

TrainingRun::TrainingRun(const TrainSettings& settings, const ModelFolder& folder, const TrainingData& data)
    : settings_(settings),
      folder_(folder),
      data_(data),
      model_(with_vocabulary(settings.model, data), settings.training.seed),
      trainer_(model_, settings.training),
      progress_(settings.resume ? restore() : TrainingProgress()),
      log_(folder.log(), trainer_.steps(), static_cast<Index>(trainer_.attempts())),
      bar_(std::cerr, is_terminal(2), settings.steps,
           {.unit = "step", .start = trainer_.steps(), .color = color_allowed(2)}) {}

TrainingProgress TrainingRun::restore() {
  const TensorFile file = read_tensor_file(folder_.training_state());
  check_text_files(folder_.text_files(), data_.byte_pairs, data_.vocabulary, file.metadata);
  if (ModelConfig::from_metadata(file.metadata, file.path) != model_.config()) {
    throw input_error(file.path, "was written by a model of another configuration",
                      "resume without options of the model, or train anew with --overwrite");
  }
  const TrainingProgress progress =
      load_training_state(model_, trainer_, file.tensors, file.metadata, file.path);
  // A run that was killed may have written the state, but not yet the weights beside it.
  if (is_checkpoint_step() && !std::filesystem::exists(folder_.checkpoint(trainer_.steps())))
    save_step_checkpoint();
  return progress;
}

void TrainingRun::print_summary() {
  Index parameters = 0;
  for (const NamedParameter& p : model_.parameters()) parameters += p.parameter->value.size();
  std::ostringstream text;
  text << "model: " << settings_.model.encoder_layers << "+" << settings_.model.decoder_layers
       << " layers, d_model " << settings_.model.d_model << ", d_ff " << settings_.model.d_ff << ", "
       << settings_.model.heads << " heads, vocabulary " << model_.config().vocab << ", "
       << format_count(static_cast<double>(parameters)) << " parameters\n"
       << "data: " << data_.train.size() << " training pairs, " << data_.valid.size() << " validation pairs\n"
       << "kernels " << kernels().name << ", " << threads() << " threads";
  bar_.print(text.str());
}

int TrainingRun::run() {
  start_ = std::chrono::steady_clock::now();
  take_best_back();
  while (!finished()) run_epoch();
  bar_.finish();
  if (last_checkpoint_ != trainer_.steps()) save_checkpoint();
  if (not_written_) std::rethrow_exception(not_written_);
  if (interrupt_signal() != 0) {
    if (progress_.best_step == 0) keep_weights();  // so that there is a model to look at
    return interrupt_signal();
  }

  set_best_aside();
  if (last_validation_ != trainer_.steps()) validate();
  if (not_written_) std::rethrow_exception(not_written_);
  average_checkpoints();
  return 0;
}

void TrainingRun::print_totals() {
  if (steps_made_ == 0) return;
  std::cerr << steps_made_ << (steps_made_ == 1 ? " step in " : " steps in ") << format_duration(seconds())
            << ", " << format_count(static_cast<double>(tokens_read_) / seconds())
            << " tokens/s, peak memory " << format_fixed(peak_resident_megabytes(), 0) << " MB\n";
}

bool TrainingRun::finished() const {
  return trainer_.steps() >= settings_.steps || interrupt_signal() != 0 ||
         (settings_.minutes > 0 && seconds() > 60 * settings_.minutes);
}

double TrainingRun::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void TrainingRun::run_epoch() {
  const auto batches = make_batches(data_.train, settings_.batch_tokens, settings_.training.seed,
                                    static_cast<std::uint64_t>(progress_.epoch));
  while (progress_.batch < std::ssize(batches) && !finished()) {
    const Index end = std::min(progress_.batch + settings_.accumulate, std::ssize(batches));
    std::vector<TranslationBatch> step_batches;
    for (; progress_.batch < end; ++progress_.batch) {
      step_batches.push_back(batch_of(data_.train, batches[progress_.batch]));
    }
    step(step_batches);
  }
  if (progress_.batch < std::ssize(batches)) return;
  ++progress_.epoch;
  progress_.batch = 0;
}

void TrainingRun::step(const std::vector<TranslationBatch>& batches) {
  const double before = seconds();
  const StepReport report = trainer_.step(batches);
  if (report.skipped()) return note_skipped(report);
  skipped_in_a_row_ = 0;

  const Index steps = trainer_.steps();
  log_.step(steps, progress_.epoch, report, seconds());
  const Index tokens = report.source_tokens + report.target_tokens;
  ++steps_made_;
  tokens_read_ += tokens;
  slide(loss_, report.loss);
  slide(tokens_per_second_, static_cast<double>(tokens) / (seconds() - before));
  std::ostringstream text;
  text.precision(3);
  text << "loss " << loss_ << "  lr " << report.learning_rate << "  " << format_count(tokens_per_second_)
       << " tok/s";
  bar_.update(steps, text.str());

  if (settings_.validate_every > 0 && steps % settings_.validate_every == 0) validate();
  if (is_checkpoint_step()) save_checkpoint();
}

void TrainingRun::note_skipped(const StepReport& report) {
  log_.skipped(trainer_.steps(), static_cast<Index>(trainer_.attempts()), report.not_finite);
  bar_.print("step " + std::to_string(trainer_.steps() + 1) + " skipped: " + report.not_finite +
             " is not finite");
  if (++skipped_in_a_row_ < kMaxSkippedInARow) return;
  throw input_error("the training",
                    std::to_string(kMaxSkippedInARow) + " steps in a row were skipped, because " +
                        report.not_finite + " is not finite",
                    "lower --learning-rate-scale, or try --clip-norm 1; the last checkpoint is good");
}

Validation TrainingRun::validation() const {
  return plainformer::validate(trainer_, model_, data_, settings_.batch_tokens);
}

void TrainingRun::validate() {
  last_validation_ = trainer_.steps();
  if (data_.valid.empty()) return write([&] { keep_weights(); });
  const Validation now = validation();
  log_.validation(trainer_.steps(), now);
  const bool best = progress_.best_step == 0 || now.loss < progress_.best_loss;
  bar_.print("step " + std::to_string(trainer_.steps()) + ": " + to_string(now) +
             (best ? " (best so far)" : ""));
  if (!best) return;
  write([&] {
    keep_weights();
    progress_.best_loss = now.loss;
    progress_.best_step = trainer_.steps();
  });
}

void TrainingRun::keep_weights() {
  require_finite(weights_of(model_));
  save_weights(model_, text_checksums(data_.byte_pairs, data_.vocabulary), folder_.weights());
}

void TrainingRun::set_best_aside() {
  if (progress_.best_step != 0) copy_weights_to_best(folder_);
}

// What the end of a run made of model.safetensors, it will make of it again at the new end.
void TrainingRun::take_best_back() {
  if (std::filesystem::exists(folder_.best())) std::filesystem::rename(folder_.best(), folder_.weights());
}

void TrainingRun::save_checkpoint() {
  write([&] {
    const std::vector<NamedTensor> state = training_state_of(model_, trainer_);
    require_finite(state);
    Metadata metadata = progress_to_metadata(trainer_, progress_);
    const Metadata checksums = text_checksums(data_.byte_pairs, data_.vocabulary);
    for (const Metadata& more : {model_.config().to_metadata(), checksums})
      metadata.insert(metadata.end(), more.begin(), more.end());
    write_tensor_file(folder_.training_state(), state, metadata);
    if (is_checkpoint_step()) save_step_checkpoint();
    last_checkpoint_ = trainer_.steps();
  });
}

void TrainingRun::save_step_checkpoint() {
  save_weights(model_, text_checksums(data_.byte_pairs, data_.vocabulary),
               folder_.checkpoint(trainer_.steps()));
  const std::vector<std::string> files = step_checkpoints(folder_);
  for (Index i = 0; i < std::ssize(files) - settings_.keep; ++i) std::filesystem::remove(files[i]);
}

// The others, where a run was stopped, must leave no trace in the average: so stopping changes nothing.
bool TrainingRun::is_checkpoint_step() const {
  return trainer_.steps() > 0 && trainer_.steps() % settings_.checkpoint_every == 0;
}

void TrainingRun::write(const std::function<void()>& files) {
  try {
    files();
  } catch (const std::runtime_error& error) {
    if (finished()) {
      not_written_ = std::current_exception();
      return;
    }
    bar_.print(std::string(error.what()) + "; training goes on, the files from before are kept");
  }
}

void TrainingRun::average_checkpoints() {
  CheckpointAverage sums;
  std::vector<std::string> files = step_checkpoints(folder_);
  if (!is_checkpoint_step()) sums.add(weights_of(model_), "the last weights");  // they are in no file yet
  const Index kept = std::min(std::ssize(files), settings_.keep - sums.count());
  files.erase(files.begin(), files.end() - kept);
  add_checkpoints(files, sums);
  if (sums.count() < 2) return;
  load_weights(model_, sums.average(), folder_.checkpoints());

  std::string text = "average of the last " + std::to_string(sums.count()) + " checkpoints";
  bool better = true;
  if (!data_.valid.empty()) {
    const Validation average = validation();
    log_.average(trainer_.steps(), sums.count(), average);
    better = average.loss < progress_.best_loss;
    text += ": " + to_string(average) +
            (better ? "; kept" : "; not kept, because the best checkpoint's loss is lower");
  }
  bar_.print(text);
  if (better) keep_weights();
}

}  // namespace plainformer
