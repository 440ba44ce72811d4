// The fast way of choosing tokens: the largest entries of a row, and log(sum of exp).
#include <cmath>
#include <limits>
#include <utility>

#include "core/thread_pool.h"
#include "ops/fast/fast.h"
#include "ops/rows.h"

namespace plainformer::fast {

namespace {

constexpr Real kLowest = -std::numeric_limits<Real>::infinity();
constexpr Index kBlock = 256;  // columns

// The k largest entries of the columns seen so far, the largest first.
class Ranking {
 public:
  Ranking(Index k, int* columns, Real* values) : k_(k), columns_(columns), values_(values) {}

  // Would an entry of this size be among them? Of equal entries, the one that came first stays.
  bool has_place_for(Real value) const { return held_ < k_ || value > values_[k_ - 1]; }

  // Columns must come in ascending order.
  void see(Real value, Index column) {
    if (std::isnan(value)) value = kLowest;
    if (!has_place_for(value)) return;
    if (held_ < k_) ++held_;
    Index place = held_ - 1;
    for (; place > 0 && value > values_[place - 1]; --place) {
      values_[place] = values_[place - 1];
      columns_[place] = columns_[place - 1];
    }
    values_[place] = value;
    columns_[place] = static_cast<int>(column);
  }

 private:
  Index k_, held_ = 0;
  int* columns_;
  Real* values_;
};

}  // namespace

Tensor log_sum_exp(const Tensor& x) {
  return fast::top_k_and_log_sum_exp(x, 0, 1).log_sums;
}

TopKAndLogSumExp top_k_and_log_sum_exp(const Tensor& x, Index first_column, Index k) {
  const Index rows = row_count(x), row_len = row_length(x);
  TopK top = {.columns = std::vector<int>(rows * k), .values = std::vector<Real>(rows * k)};
  Tensor log_sums({rows});
  Real* to = log_sums.mutable_data();
  parallel_for(rows, row_grain(row_len), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Real* x_row = x.data() + row * row_len;
      Ranking ranking(k, top.columns.data() + row * k, top.values.data() + row * k);
      Real largest = kernels().largest(first_column, x_row);
      // Most blocks hold no entry that is large enough, and are passed over at the speed of `largest`.
      for (Index i = first_column; i < row_len; i += kBlock) {
        const Index block_end = std::min(i + kBlock, row_len);
        const Real largest_of_block = kernels().largest(block_end - i, x_row + i);
        largest = std::max(largest, largest_of_block);
        if (!ranking.has_place_for(largest_of_block)) continue;
        for (Index column = i; column < block_end; ++column) ranking.see(x_row[column], column);
      }
      to[row] = static_cast<Real>(log_sum_exp_of(row_len, largest, x_row));
    }
  });
  return {std::move(top), std::move(log_sums)};
}

}  // namespace plainformer::fast
