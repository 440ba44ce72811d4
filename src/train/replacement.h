// A new model that replaces the one in a folder (--overwrite), and the time in which both must be kept.
#pragma once

#include "model_folder/model_folder.h"

namespace plainformer {

// Until the new model has a checkpoint, its files are in a folder of their own, DIR/replacement, and those of the old one
// are untouched: a run that fails at its beginning, or is killed there, has taken nothing away.
class Replacement {
 public:
  // Makes the folder of the new model. std::runtime_error if that fails, or if a folder stands where one of its files
  // will be. `old` is the folder of the old model.
  explicit Replacement(const ModelFolder& old);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();  // removes the folder of a model that has no weights

  const ModelFolder& beginning() const { return new_; }  // the folder of the new model at first
  const ModelFolder& place() const { return old_; }      // and after take_place

  // Removes the files of the old model, and moves those of the new one to their place. std::runtime_error if a file
  // cannot be moved.
  void take_place() const;

  // Completes a replacement that a killed run has left behind, or removes it if it has no checkpoint yet. One that was
  // stopped beside the old model stays there, and a line on stderr says so, unless another model is to replace both.
  static void clean_up(const ModelFolder& folder, bool overwrite);

 private:
  const ModelFolder old_, new_;
};

}  // namespace plainformer
