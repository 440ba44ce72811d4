#include "train/checkpoints.h"

#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>

#include "core/input_error.h"
#include "core/number_text.h"
#include "io/atomic_file.h"
#include "model_folder/weights.h"
#include "ops/reductions.h"
#include "platform/platform.h"
#include "training/checkpoint_average.h"

namespace plainformer {

namespace {

const std::string kFirstMoment = "adam.first_moment.", kSecondMoment = "adam.second_moment.";
const std::string kBestBleu = "best_bleu";          // only where a run compares by it
const std::string kTakenBatches = "taken_batches";  // "2048:256:1:10": the three options below, ten batches
const std::string kBestMeasure = "best_measure";    // "bleu:300", by which best_loss or best_bleu is the best

void require_finite(const std::vector<NamedTensor>& tensors) {
  for (const NamedTensor& t : tensors) {
    if (std::isfinite(sum_of_squares(t.tensor))) continue;
    throw input_error("the training", t.name + " is not finite, and was not written",
                      "lower --learning-rate-scale, or try --clip-norm 1; the last checkpoint is good");
  }
}

std::string taken_batches(const Settings& settings, const TrainingProgress& progress) {
  return std::to_string(settings.batch_tokens) + ":" + std::to_string(settings.max_tokens) + ":" +
         std::to_string(settings.seed) + ":" + std::to_string(progress.batch);
}

std::string best_measure(const Settings& settings) {
  if (settings.best_by == Settings::BestBy::kBleu) return "bleu:" + std::to_string(settings.valid_bleu);
  return "loss:" + shortest_text(settings.training.label_smoothing);
}

}  // namespace

std::vector<NamedTensor> tensors_of(State& state) {
  std::vector<NamedTensor> tensors = weights_of(state.model);
  const std::size_t count = tensors.size();
  for (std::size_t i = 0; i < count; ++i)
    tensors.push_back({kFirstMoment + tensors[i].name, state.adam.first_moments()[i]});
  for (std::size_t i = 0; i < count; ++i)
    tensors.push_back({kSecondMoment + tensors[i].name, state.adam.second_moments()[i]});
  return tensors;
}

Metadata progress_metadata(const State& state) {
  const TrainingProgress& progress = state.progress;
  Metadata metadata = {
      {"step", std::to_string(state.adam.steps())},     {"attempts", std::to_string(progress.attempts)},
      {"epoch", std::to_string(progress.epoch)},        {"batch", std::to_string(progress.batch)},
      {"best_loss", shortest_text(progress.best_loss)}, {"best_step", std::to_string(progress.best_step)}};
  if (progress.best_bleu) metadata.emplace_back(kBestBleu, shortest_text(*progress.best_bleu));
  return metadata;
}

void restore_state(State& state, const std::vector<NamedTensor>& tensors, const Metadata& metadata,
                   const std::string& where) {
  TrainingProgress progress;
  const auto step = number_in<Index>(metadata, "step", where);
  progress.attempts = number_in<Index>(metadata, "attempts", where);
  progress.epoch = number_in<Index>(metadata, "epoch", where);
  progress.batch = number_in<Index>(metadata, "batch", where);
  progress.best_loss = number_in<double>(metadata, "best_loss", where);
  progress.best_step = number_in<Index>(metadata, "best_step", where);
  if (find_text(metadata, kBestBleu)) progress.best_bleu = number_in<double>(metadata, kBestBleu, where);

  const ParameterList parameters = state.model.parameters();
  check_count(tensors, 3 * parameters.size(), where);
  std::vector<Tensor> values = tensors_like(parameters, "", tensors, where);
  std::vector<Tensor> first_moments = tensors_like(parameters, kFirstMoment, tensors, where);
  std::vector<Tensor> second_moments = tensors_like(parameters, kSecondMoment, tensors, where);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].parameter->value = std::move(values[i]);
  state.adam.restore(step, std::move(first_moments), std::move(second_moments));
  state.progress = progress;
}

void Checkpoints::restore(State& state) const {
  const TensorFile file = read_tensor_file(folder_.training_state());
  check_text_files(folder_.text_files(), corpora_, file.metadata);
  if (config_from(file.metadata, file.path) != state.model.config()) {
    throw input_error(file.path, "was written by a model of another configuration",
                      "resume without options of the model, or train a new one with --overwrite");
  }
  restore_state(state, file.tensors, file.metadata, file.path);
  TrainingProgress& progress = state.progress;
  const std::string* taken = find_text(file.metadata, kTakenBatches);
  if (progress.batch > 0 && !(taken && *taken == taken_batches(settings_, progress))) {
    progress.batch = 0;
    std::cerr << "epoch " << progress.epoch
              << " begins again: its batches had another --batch-tokens, --max-tokens or --seed\n";
  }
  const std::string* measure = find_text(file.metadata, kBestMeasure);
  const bool is_another =
      measure ? *measure != best_measure(settings_)
              : progress.best_bleu.has_value() != (settings_.best_by == Settings::BestBy::kBleu);
  if (progress.best_step > 0 && is_another) {
    progress.best_loss = std::numeric_limits<double>::infinity();
    progress.best_bleu.reset();
    std::cerr << "the next validation is the best so far: the earlier ones had another --best-by, "
                 "--valid-bleu or --label-smoothing\n";
  }
}

void Checkpoints::save(State& state) const {
  const std::vector<NamedTensor> tensors = tensors_of(state);
  require_finite(tensors);
  Metadata metadata = progress_metadata(state);
  metadata.emplace_back(kTakenBatches, taken_batches(settings_, state.progress));
  metadata.emplace_back(kBestMeasure, best_measure(settings_));
  for (auto& entry : metadata_of_model(state.model)) metadata.push_back(std::move(entry));
  // The state comes last: a run that is killed in between makes the steps to this checkpoint once more.
  const Index step = state.adam.steps();
  if (is_step_of_a_checkpoint(step)) save_step(state.model, step);
  write_tensor_file(folder_.training_state(), tensors, metadata);
}

// Saves only the weights, for the average. Then removes the oldest files beyond settings_.keep.
void Checkpoints::save_step(Transformer& model, Index step) const {
  write_tensor_file(folder_.checkpoint(step), weights_of(model), metadata_of_model(model));
  const std::vector<std::string> files = step_checkpoints(folder_);
  for (Index i = 0; i < std::ssize(files) - settings_.keep; ++i) std::filesystem::remove(to_path(files[i]));
}

// The average counts only these steps. It does not count the step at which a run stopped, so stopping and
// resuming changes nothing.
bool Checkpoints::is_step_of_a_checkpoint(Index step) const {
  return step > 0 && step % settings_.training.checkpoint_every == 0;
}

Metadata Checkpoints::metadata_of_model(const Transformer& model) const {
  return metadata_of_weights(model.config(), corpora_, /*parses=*/!settings_.treebank.empty());
}

void Checkpoints::save_best_weights(Transformer& model) const {
  require_finite(weights_of(model));
  write_tensor_file(folder_.weights(), weights_of(model), metadata_of_model(model));
}

void Checkpoints::back_up_best_weights() const {
  constexpr Index kAnySize = std::numeric_limits<Index>::max();
  write_file_atomically(folder_.best(), read_file(folder_.weights(), kAnySize));
}

void Checkpoints::restore_best_weights() const {
  if (std::filesystem::exists(to_path(folder_.best())))
    std::filesystem::rename(to_path(folder_.best()), to_path(folder_.weights()));
}

Index Checkpoints::average(Transformer& model, Index step) const {
  CheckpointAverage sums;
  if (!is_step_of_a_checkpoint(step)) sums.add(weights_of(model), "the last weights");  // no file holds them
  const Index every = settings_.training.checkpoint_every, most = settings_.keep - sums.count();
  std::vector<std::string> files;  // without those that an earlier --checkpoint-every left
  for (Index s = step / every * every; s > 0 && std::ssize(files) < most; s -= every) {
    if (!std::filesystem::exists(to_path(folder_.checkpoint(s)))) break;
    files.insert(files.begin(), folder_.checkpoint(s));
  }
  add_checkpoints(files, sums);
  if (sums.count() < 2) return 0;
  load_weights(model, sums.average(), folder_.checkpoints());
  return sums.count();
}

void remove_old_model(const ModelFolder& folder) {
  std::vector<std::string> files = step_checkpoints(folder);
  files.insert(files.end(), {folder.weights(), folder.best(), folder.training_state()});
  for (const std::string& file : files) std::filesystem::remove(to_path(file));
}

}  // namespace plainformer
