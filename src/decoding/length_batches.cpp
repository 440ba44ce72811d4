#include "decoding/length_batches.h"

#include <algorithm>
#include <numeric>

#include "core/check.h"

namespace plainformer {

std::vector<std::vector<Index>> batches_by_length(const std::vector<Index>& lengths, Index batch,
                                                  Index most_tokens) {
  CHECK(batch >= 1, "batches of ", batch);
  std::vector<Index> order(lengths.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return lengths[a] > lengths[b]; });

  std::vector<std::vector<Index>> batches;
  for (Index begin = 0, end = 0; begin < std::ssize(order); begin = end) {
    const Index fitting = std::max<Index>(1, most_tokens / std::max<Index>(1, lengths[order[begin]]));
    end = std::min(begin + std::min(batch, fitting), std::ssize(order));
    batches.emplace_back(order.begin() + begin, order.begin() + end);
  }
  return batches;
}

}  // namespace plainformer
