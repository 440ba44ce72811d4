#include "ops/top_k.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/thread_pool.h"
#include "ops/fast/fast.h"
#include "ops/fast/row_grain.h"
#include "ops/rows.h"

namespace plainformer::fast {

namespace {

// Inserts value among the `held` entries, the largest of which comes first: behind its equals, because it comes from
// further right. Drops the smallest when k are held.
void insert(Real value, int column, Index held, Index k, int* columns, Real* values) {
  if (std::isnan(value)) value = -std::numeric_limits<Real>::infinity();
  Index place = held < k ? held : k - 1;
  for (; place > 0 && value > values[place - 1]; --place) {
    values[place] = values[place - 1];
    columns[place] = columns[place - 1];
  }
  values[place] = value;
  columns[place] = column;
}

// Is any of the kBlock entries larger? Without a branch in the loop, so that compilers use vectors.
constexpr Index kBlock = 32;
bool any_larger(const Real* x, Real than) {
  int larger = 0;
  for (Index i = 0; i < kBlock; ++i) larger |= x[i] > than;
  return larger != 0;
}

void top_k_of_row(const Real* x, Index first, Index end, Index k, int* columns, Real* values) {
  Index column = first;
  for (; column < first + k; ++column)
    insert(x[column], static_cast<int>(column), column - first, k, columns, values);
  while (column < end) {
    // Hardly any block of a long row holds one of its largest entries.
    if (end - column >= kBlock && !any_larger(x + column, values[k - 1])) {
      column += kBlock;
      continue;
    }
    const Index block_end = std::min(column + kBlock, end);
    for (; column < block_end; ++column)
      if (x[column] > values[k - 1]) insert(x[column], static_cast<int>(column), k, k, columns, values);
  }
}

}  // namespace

TopK top_k(const Tensor& x, Index first_column, Index k) {
  const Index rows = row_count(x), row_len = row_length(x);
  TopK top = {.k = k, .columns = std::vector<int>(rows * k), .values = std::vector<Real>(rows * k)};
  parallel_for(rows, row_grain(row_len), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      top_k_of_row(x.data() + row * row_len, first_column, row_len, k, top.columns.data() + row * k,
                   top.values.data() + row * k);
    }
  });
  return top;
}

}  // namespace plainformer::fast
