// The files of a training run: the best weights, the checkpoints, and the state to resume from.
#pragma once

#include "data/epoch_batches.h"
#include "train/corpora.h"
#include "train/training_state.h"

namespace plainformer {

class TrainingFiles {
 public:
  // Keeps references to the settings and to the text.
  TrainingFiles(const TrainSettings& settings, const ModelFolder& folder, const EncodedCorpora& corpora)
      : settings_(settings), folder_(folder), corpora_(corpora) {}

  // The files are in another folder now.
  void move_to(const ModelFolder& folder) { folder_ = folder; }
  const ModelFolder& folder() const { return folder_; }

  // Loads the last checkpoint. std::runtime_error, which names the file, if it is damaged or of another
  // model. If the checkpoint's epoch began with batches of another size than settings.batch_tokens, `begun` tells which
  // batches it has taken, and the progress counts those of this size alone.
  TrainingProgress restore(Transformer& model, Adam& adam, BegunEpoch& begun) const;

  // Both throw std::runtime_error if a number is not finite or a file cannot be written; then the earlier
  // file is still there.
  void save_weights(Transformer& model) const;  // as model.safetensors
  void save_checkpoint(Transformer& model, const Adam& adam, const TrainingProgress& progress,
                       const BegunEpoch& begun) const;

  // At its end a run may replace the best weights so far with the last ones or with an average. So it first
  // copies the best ones, and a resumed run begins by restoring the copy.
  void back_up_best_weights() const;
  void restore_best_weights() const;
  bool has_best_weights() const;

  // Replaces the model's weights with the average of the last checkpoints, (the current weights count as the last
  // one, at `step`). Returns the number of checkpoints, or 0 if there is only one: then the model is
  // unchanged.
  Index average_last_checkpoints(Transformer& model, Index step) const;

 private:
  bool is_checkpoint_step(Index step) const;
  void save_step_checkpoint(Transformer& model, Index step) const;
  Metadata of_text() const { return text_metadata(corpora_.byte_pairs, corpora_.vocabulary, corpora_.words, !settings_.treebank.empty()); }

  const TrainSettings& settings_;
  ModelFolder folder_;
  const EncodedCorpora& corpora_;
};

}  // namespace plainformer
