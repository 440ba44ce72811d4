#include "ops/reductions.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/rows.h"

namespace plainformer::fast {

double sum_of_squares(const Tensor& x) {
  constexpr Index kBlock = 1 << 14;
  const Index size = x.size(), blocks = ceil_divide(size, kBlock);
  std::vector<double> sums(blocks);
  parallel_for(blocks, 1, [&](Index begin, Index end) {
    for (Index block = begin; block < end; ++block) {
      const Index first = block * kBlock;
      sums[block] = kernels().sum_of_squares(std::min(kBlock, size - first), x.data() + first);
    }
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace plainformer::fast
