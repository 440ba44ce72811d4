// Paper: 6.1 Machine Translation ("a single model obtained by averaging the last 5 checkpoints")
#pragma once

#include "core/named_tensor.h"

namespace plainformer {

// Adds checkpoints up one after the other, in double, so that only one needs to be in memory beside the sums.
class CheckpointAverage {
 public:
  // All checkpoints have the same names and shapes in the same order: else std::runtime_error naming `where`.
  void add(const std::vector<NamedTensor>& tensors, const std::string& where);

  Index count() const { return count_; }
  std::vector<NamedTensor> average() const;  // of at least one

 private:
  struct Sum {
    std::string name;
    Shape shape;
    std::vector<double> elements;
  };
  std::vector<Sum> sums_;
  Index count_ = 0;
};

}  // namespace plainformer
