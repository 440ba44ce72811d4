#include "train/training_files.h"

#include <algorithm>
#include <filesystem>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/split.h"
#include "model_folder/metadata.h"
#include "model_folder/weights.h"
#include "platform/platform.h"
#include "training/checkpoint_average.h"
#include "training/first_not_finite.h"

namespace plainformer {

namespace {

void require_finite(const std::vector<NamedTensor>& tensors) {
  const std::string name = first_not_finite(tensors);
  if (name.empty()) return;
  throw input_error("the training", name + " is not finite, and was not written",
                    "lower --learning-rate-scale, or try --clip-norm 1; the last checkpoint is good");
}

const std::string kTakenBatches =
    "taken_batches";  // of the epoch: "24:10 480:3", ten of 24 tokens and three of 480

std::string to_text(const std::vector<TakenBatches>& all) {
  std::vector<std::string> parts;
  for (const TakenBatches& taken : all)
    parts.push_back(std::to_string(taken.max_tokens) + ":" + std::to_string(taken.batches));
  return join(" ", parts);
}

// The inverse of to_text. The checkpoint of an older version does not say; then there are none.
std::vector<TakenBatches> taken_batches(const TensorFile& file) {
  std::vector<TakenBatches> all;
  for (const auto& [key, text] : file.metadata) {
    if (key != kTakenBatches) continue;
    for (const std::string& part : split_at(' ', text)) {
      const std::vector<std::string> numbers = split_at(':', part);
      const auto tokens = parse_number<Index>(numbers.front()), batches = parse_number<Index>(numbers.back());
      if (numbers.size() != 2 || !tokens || *tokens < 1 || !batches || *batches < 0)
        throw input_error(file.path, kTakenBatches + " is \"" + text + "\"",
                          "the file was altered; use another checkpoint");
      all.push_back({*tokens, *batches});
    }
  }
  return all;
}

}  // namespace

TrainingProgress TrainingFiles::restore(Transformer& model, Adam& adam, BegunEpoch& begun) const {
  const TensorFile file = read_tensor_file(folder_.training_state());
  check_text_files(folder_.text_files(), corpora_.byte_pairs, corpora_.vocabulary, file.metadata);
  if (config_from(file.metadata, file.path) != model.config()) {
    throw input_error(file.path, "was written by a model of another configuration",
                      "resume without options of the model, or train anew with --overwrite");
  }
  TrainingProgress progress = load_training_state(model, adam, file.tensors, file.metadata, file.path);
  begun = {.epoch = progress.epoch, .taken = taken_batches(file)};
  if (!begun.taken.empty() && begun.taken.back().max_tokens == settings_.batch_tokens)
    begun.taken.pop_back();  // progress.batch counts these
  else if (!begun.taken.empty())
    progress.batch = 0;
  // A killed run may have written the state, but not the weights that belong to it.
  const Index step = adam.steps();
  if (is_checkpoint_step(step) && !std::filesystem::exists(to_path(folder_.checkpoint(step))))
    save_step_checkpoint(model, step);
  return progress;
}

void TrainingFiles::save_weights(Transformer& model) const {
  require_finite(weights_of(model));
  plainformer::save_weights(model, of_text(), folder_.weights());
}

void TrainingFiles::save_checkpoint(Transformer& model, const Adam& adam, const TrainingProgress& progress,
                                    const BegunEpoch& begun) const {
  const std::vector<NamedTensor> state = training_state_of(model, adam);
  require_finite(state);
  Metadata metadata = progress_to_metadata(adam, progress);
  std::vector<TakenBatches> taken;
  if (begun.epoch == progress.epoch) taken = begun.taken;
  taken.push_back({settings_.batch_tokens, progress.batch});
  metadata.emplace_back(kTakenBatches, to_text(taken));
  for (const Metadata& more : {metadata_of(model.config()), of_text()})
    metadata.insert(metadata.end(), more.begin(), more.end());
  write_tensor_file(folder_.training_state(), state, metadata);
  if (is_checkpoint_step(adam.steps())) save_step_checkpoint(model, adam.steps());
}

// Saves only the weights, for the average. Then removes the oldest files beyond settings_.keep.
void TrainingFiles::save_step_checkpoint(Transformer& model, Index step) const {
  plainformer::save_weights(model, of_text(), folder_.checkpoint(step));
  const std::vector<std::string> files = step_checkpoints(folder_);
  for (Index i = 0; i < std::ssize(files) - settings_.keep; ++i) std::filesystem::remove(to_path(files[i]));
}

// The average counts only these steps. It does not count the step at which a run stopped, so stopping and
// resuming changes nothing.
bool TrainingFiles::is_checkpoint_step(Index step) const {
  return step > 0 && step % settings_.training.checkpoint_every == 0;
}

void TrainingFiles::back_up_best_weights() const {
  copy_weights_to_best(folder_);
}

void TrainingFiles::restore_best_weights() const {
  if (std::filesystem::exists(to_path(folder_.best())))
    std::filesystem::rename(to_path(folder_.best()), to_path(folder_.weights()));
}

bool TrainingFiles::has_best_weights() const {
  return std::filesystem::exists(to_path(folder_.weights()));
}

Index TrainingFiles::average_last_checkpoints(Transformer& model, Index step) const {
  CheckpointAverage sums;
  std::vector<std::string> files = step_checkpoints(folder_);
  if (!is_checkpoint_step(step)) sums.add(weights_of(model), "the last weights");  // no file holds them
  const Index kept = std::min(std::ssize(files), settings_.keep - sums.count());
  files.erase(files.begin(), files.end() - kept);
  add_checkpoints(files, sums);
  if (sums.count() < 2) return 0;
  load_weights(model, sums.average(), folder_.checkpoints());
  return sums.count();
}

}  // namespace plainformer
