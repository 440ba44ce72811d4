// The fast way of choosing tokens: the largest entries of a row, and log(sum of exp).
#include "ops/reductions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/tasks.h"
#include "ops/rows.h"

namespace plainformer::fast {

namespace {

constexpr Real kLowest = -std::numeric_limits<Real>::infinity();
constexpr Index kBlock = 256;  // columns

// The k largest entries of the columns seen so far, the largest first.
class Ranking {
 public:
  Ranking(Index k, int* columns, Real* values) : k_(k), columns_(columns), values_(values) {}

  // Columns must come in ascending order: of equal entries, the one that came first stays in front.
  void see(Real value, Index column) {
    if (std::isnan(value)) value = kLowest;
    if (held_ == k_ && !(value > values_[k_ - 1])) return;
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

// Is any of kLanes entries at least as large, or NaN? Without a branch in the loop, so that compilers use
// vectors.
constexpr Index kLanes = 32;
bool any_at_least(const Real* x, Real least) {
  int found = 0;
  for (Index i = 0; i < kLanes; ++i) found |= !(x[i] < least);
  return found != 0;
}

// One row. Its blocks are kBlock columns each, from `first` on.
class BlockwiseRow {
 public:
  // `maxima` is room for the largest entry of each block.
  BlockwiseRow(const Real* x, Index first, Index end, std::vector<Real>& maxima)
      : x_(x), first_(first), end_(end), maxima_(maxima) {
    maxima_.clear();
    for (Index begin = first; begin < end; begin += kBlock)
      maxima_.push_back(kernels().largest(std::min(kBlock, end - begin), x + begin));
  }

  // The largest entry of the whole row, also of the columns before `first`.
  Real largest() const {
    const Real largest = *std::max_element(maxima_.begin(), maxima_.end());
    return std::max(largest, kernels().largest(first_, x_));
  }

  // At least k entries are as large as the k-th largest maximum of a block, so none of the k largest entries
  // is smaller. Hardly more than k blocks hold such an entry.
  void rank(Index k, int* columns, Real* values) const {
    const Real least = kth_largest_maximum(k, columns, values);
    Ranking ranking(k, columns, values);
    for (std::size_t block = 0; block < maxima_.size(); ++block) {
      if (maxima_[block] < least) continue;
      const Index begin = first_ + static_cast<Index>(block) * kBlock, end = std::min(begin + kBlock, end_);
      for (Index i = begin; i < end; i += kLanes) {
        if (end - i >= kLanes && !any_at_least(x_ + i, least)) continue;
        for (Index column = i; column < std::min(i + kLanes, end); ++column) ranking.see(x_[column], column);
      }
    }
  }

 private:
  // Minus infinity if there are fewer than k blocks. It uses the room for k columns and values.
  Real kth_largest_maximum(Index k, int* columns, Real* values) const {
    if (std::ssize(maxima_) < k) return kLowest;
    Ranking ranking(k, columns, values);
    for (std::size_t block = 0; block < maxima_.size(); ++block)
      ranking.see(maxima_[block], static_cast<Index>(block));
    return values[k - 1];
  }

  const Real* x_;
  Index first_, end_;
  std::vector<Real>& maxima_;
};

// Ranks each row, then calls then(row, its blocks).
template <typename Then>
TopK rank_rows(const Tensor& x, Index first_column, Index k, const Then& then) {
  const Index rows = row_count(x), row_len = row_length(x);
  TopK top = {.k = k, .columns = std::vector<int>(rows * k), .values = std::vector<Real>(rows * k)};
  parallel_for(rows, row_grain(row_len), [&](Index begin, Index end) {
    std::vector<Real> maxima;
    for (Index row = begin; row < end; ++row) {
      const BlockwiseRow blocks(x.data() + row * row_len, first_column, row_len, maxima);
      blocks.rank(k, top.columns.data() + row * k, top.values.data() + row * k);
      then(row, blocks);
    }
  });
  return top;
}

}  // namespace

Tensor log_sum_exp(const Tensor& x) {
  const Index rows = row_count(x), classes = row_length(x);
  Tensor y({rows});
  Real* to = y.mutable_data();
  parallel_for(rows, row_grain(classes), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Real* x_row = x.data() + row * classes;
      to[row] = static_cast<Real>(kernels().log_sum_exp(classes, kernels().largest(classes, x_row), x_row));
    }
  });
  return y;
}

TopK top_k(const Tensor& x, Index first_column, Index k) {
  return rank_rows(x, first_column, k, [](Index, const BlockwiseRow&) {});
}

TopKAndLogSumExp top_k_and_log_sum_exp(const Tensor& x, Index first_column, Index k) {
  const Index row_len = row_length(x);
  Tensor log_sums({row_count(x)});
  Real* to = log_sums.mutable_data();
  TopK top = rank_rows(x, first_column, k, [&](Index row, const BlockwiseRow& blocks) {
    to[row] = static_cast<Real>(kernels().log_sum_exp(row_len, blocks.largest(), x.data() + row * row_len));
  });
  return {std::move(top), std::move(log_sums)};
}

}  // namespace plainformer::fast
