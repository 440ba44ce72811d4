#include "training/checkpoint_average.h"

#include "core/check.h"
#include "core/input_error.h"

namespace plainformer {

void CheckpointAverage::add(const std::vector<NamedTensor>& tensors, const std::string& where) {
  if (count_ == 0) {
    for (const NamedTensor& t : tensors)
      sums_.push_back({t.name, t.tensor.shape(), std::vector<double>(t.tensor.size())});
  }
  bool same = tensors.size() == sums_.size();
  for (std::size_t i = 0; same && i < sums_.size(); ++i) {
    same = tensors[i].name == sums_[i].name && tensors[i].tensor.shape() == sums_[i].shape;
  }
  if (!same) {
    throw input_error(where, "its tensors differ from the first checkpoint's",
                      "average checkpoints of one run only");
  }
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const Real* elements = tensors[i].tensor.data();
    for (std::size_t j = 0; j < sums_[i].elements.size(); ++j) sums_[i].elements[j] += elements[j];
  }
  ++count_;
}

std::vector<NamedTensor> CheckpointAverage::average() const {
  CHECK(count_ > 0, "no checkpoint was added");
  std::vector<NamedTensor> tensors;
  for (const Sum& sum : sums_) {
    Tensor mean(sum.shape);
    Real* elements = mean.mutable_data();
    for (std::size_t j = 0; j < sum.elements.size(); ++j) {
      elements[j] = static_cast<Real>(sum.elements[j] / static_cast<double>(count_));
    }
    tensors.push_back({sum.name, std::move(mean)});
  }
  return tensors;
}

}  // namespace plainformer
