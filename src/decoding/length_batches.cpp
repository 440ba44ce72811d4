#include "decoding/length_batches.h"

#include <algorithm>
#include <numeric>

#include "core/check.h"

namespace plainformer {

std::vector<std::vector<Index>> batches_by_length(const std::vector<Index>& lengths, Index batch) {
  CHECK(batch >= 1, "batches of ", batch);
  std::vector<Index> order(lengths.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return lengths[a] > lengths[b]; });

  std::vector<std::vector<Index>> batches;
  for (Index begin = 0; begin < std::ssize(order); begin += batch) {
    const Index end = std::min(begin + batch, std::ssize(order));
    batches.emplace_back(order.begin() + begin, order.begin() + end);
  }
  return batches;
}

}  // namespace plainformer
