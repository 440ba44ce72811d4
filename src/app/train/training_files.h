// The files of a training run: the best weights, the checkpoints, and the state that a resumed run starts from.
#pragma once

#include "app/train/corpora.h"
#include "training/checkpoint.h"

namespace plainformer {

class TrainingFiles {
 public:
  // Keeps references to all three.
  TrainingFiles(const TrainSettings& settings, const ModelFolder& folder, const EncodedCorpora& corpora)
      : settings_(settings), folder_(folder), corpora_(corpora) {}

  // Loads the last checkpoint. std::runtime_error naming the file if it is damaged or of another model.
  TrainingProgress restore(Transformer& model, Adam& adam) const;

  // All of these throw std::runtime_error if a number is not finite or the disk is full; then the file from
  // before is still there.
  void save_weights(Transformer& model) const;  // as model.safetensors
  void save_checkpoint(Transformer& model, const Adam& adam, const TrainingProgress& progress) const;

  // The end of a run may replace the best weights so far by its last ones or by an average. A resumed run must
  // not see that: so the end keeps a copy of them, and a resumed run begins by putting it back.
  void back_up_best_weights() const;
  void restore_best_weights() const;

  // Replaces the model's weights by the average of the last checkpoints, as many as the run keeps; the weights of
  // `step`, the last one, count as a checkpoint. Returns their number, or 0 if there is only one: then the model is
  // unchanged.
  Index average_last_checkpoints(Transformer& model, Index step) const;

 private:
  bool is_checkpoint_step(Index step) const;
  void save_step_checkpoint(Transformer& model, Index step) const;
  Metadata checksums() const { return text_checksums(corpora_.byte_pairs, corpora_.vocabulary); }

  const TrainSettings& settings_;
  const ModelFolder& folder_;
  const EncodedCorpora& corpora_;
};

}  // namespace plainformer
