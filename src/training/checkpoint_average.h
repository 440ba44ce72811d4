// Paper: 6.1 Machine Translation ("a single model obtained by averaging the last 5 checkpoints")
#pragma once

#include "core/parameter.h"

namespace plainformer {

// Adds up checkpoints one after another, in double. Only the sums and one checkpoint need be in memory.
class CheckpointAverage {
 public:
  // std::runtime_error, which names `where`, unless names, shapes and order are those of the first
  // checkpoint.
  void add(const std::vector<NamedTensor>& tensors, const std::string& where);

  Index count() const { return count_; }
  std::vector<NamedTensor> average() const;  // the average of at least one

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
