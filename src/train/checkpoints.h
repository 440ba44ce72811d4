// The state of a training run, and the files that keep it: the best weights, the checkpoints, and the state
// to resume from.
//
// training_state.safetensors holds the weights under their public names, and Adam's moments under the same
// names with the prefix "adam.first_moment." or "adam.second_moment."; its metadata has the progress.
#pragma once

#include <string>
#include <vector>

#include "core/parameter.h"
#include "model_folder/model_folder.h"
#include "ops/adam.h"
#include "train/corpora.h"
#include "train/settings.h"
#include "transformer/transformer.h"

namespace plainformer {

struct State {
  State(const ModelConfig& config, const TrainingOptions& options)
      : model(config, options.seed), adam(model.parameters(), options.adam) {}

  Transformer model;
  Adam adam;
  TrainingProgress progress;
};

// The weights and Adam's moments, which share their storage with the state; and the progress.
std::vector<NamedTensor> tensors_of(State& state);
Metadata progress_metadata(const State& state);

// Restores what the two functions above returned. Errors as in load_weights; then nothing is changed.
void restore_state(State& state, const std::vector<NamedTensor>& tensors, const Metadata& metadata,
                   const std::string& where);

class Checkpoints {
 public:
  // Keeps references to the settings and to the text.
  Checkpoints(const Settings& settings, const ModelFolder& folder, const EncodedCorpora& corpora)
      : settings_(settings), folder_(folder), corpora_(corpora) {}

  // Loads the last checkpoint. std::runtime_error, which names the file, if it is damaged or of another
  // model. If it was made with another --batch-tokens, --max-tokens or --seed, its epoch begins again, and if
  // its best validation was measured otherwise, the next one is the best so far; a line on stderr says so.
  void restore(State& state) const;

  // Both throw std::runtime_error if a number is not finite or a file cannot be written; then the earlier
  // file is still there.
  void save(State& state) const;
  void save_best_weights(Transformer& model) const;  // as model.safetensors

  // At its end a run may replace the best weights so far with the last ones or with an average. So it first
  // copies the best ones, and a resumed run begins by restoring the copy.
  void back_up_best_weights() const;
  void restore_best_weights() const;

  // Replaces the model's weights with the average of the last checkpoints, --checkpoint-every steps apart;
  // the current weights count as the one of `step`. Returns the number of checkpoints, or 0 if there is only
  // one: then the model is unchanged.
  Index average(Transformer& model, Index step) const;

 private:
  bool is_step_of_a_checkpoint(Index step) const;
  void save_step(Transformer& model, Index step) const;
  Metadata metadata_of_model(const Transformer& model) const;

  const Settings& settings_;
  const ModelFolder folder_;
  const EncodedCorpora& corpora_;
};

// Removes the weights and the checkpoints of an earlier run, so that none of them counts in this one.
void remove_old_model(const ModelFolder& folder);

}  // namespace plainformer
