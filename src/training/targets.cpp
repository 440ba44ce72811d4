#include "training/targets.h"

#include "ops/cross_entropy.h"

namespace plainformer {

std::vector<int> targets_of(const TokenBatch& target_output) {
  std::vector<int> targets = target_output.ids;
  for (Index element = 0; element < target_output.batch; ++element) {
    for (Index i = target_output.lengths[element]; i < target_output.len; ++i) {
      targets[element * target_output.len + i] = kNoTarget;
    }
  }
  return targets;
}

}  // namespace plainformer
