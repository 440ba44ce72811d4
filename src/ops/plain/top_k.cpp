#include "ops/top_k.h"

#include <cmath>
#include <limits>

#include "ops/plain/plain.h"
#include "ops/rows.h"

namespace plainformer::plain {

TopK top_k(const Tensor& x, Index first_column, Index k) {
  constexpr Real kLowest = -std::numeric_limits<Real>::infinity();
  TopK top = {.k = k, .columns = {}, .values = {}};
  for (Index row = 0; row < row_count(x); ++row) {
    std::vector<bool> taken(x.dim(-1));
    for (Index rank = 0; rank < k; ++rank) {
      // Find the largest remaining entry; of equal ones, the first.
      Index best = -1;
      Real best_value = kLowest;
      for (Index column = first_column; column < x.dim(-1); ++column) {
        const Real value = std::isnan(x(row, column)) ? kLowest : x(row, column);
        if (taken[column] || (best >= 0 && value <= best_value)) continue;
        best = column;
        best_value = value;
      }
      taken[best] = true;
      top.columns.push_back(static_cast<int>(best));
      top.values.push_back(best_value);
    }
  }
  return top;
}

}  // namespace plainformer::plain
