// The extents of a tensor, outermost first: [batch, heads, query_len, key_len].
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>

#include "core/real.h"

namespace plainformer {

class Shape {
 public:
  static constexpr int kMaxRank = 4;

  Shape() = default;  // rank 0: the shape of an empty tensor
  // std::logic_error unless the rank is 1 to 4 and no extent is negative; std::overflow_error if an Index
  // cannot hold the number of elements.
  Shape(std::initializer_list<Index> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const Index> dims);

  int rank() const { return rank_; }
  Index operator[](int axis) const;  // axis < 0 counts from the end: shape[-1] is the innermost extent
  Index elements() const { return elements_; }  // the product of all extents; 0 at rank 0
  bool operator==(const Shape&) const = default;

  // The position of the element with these indices, in row-major order. With fewer indices than axes, the
  // first index counts all leading axes together, as rows: in [batch, len, d], (row, j) is element j of one
  // of the batch * len rows, and (i) is the i-th of all elements. A vector is one row: in [d], (0, j) is
  // element j. Checked in debug builds.
  template <typename... Indices>
  Index offset(Index first, Indices... others) const {
    static_assert(sizeof...(Indices) < kMaxRank);
#ifndef NDEBUG
    check_indices({first, static_cast<Index>(others)...});
#endif
    Index offset = first;
    [[maybe_unused]] int axis = rank_ - static_cast<int>(sizeof...(Indices));
    ((offset = offset * dims_[axis++] + others), ...);
    return offset;
  }

  // std::logic_error unless `offset` has a position for these indices.
  void check_indices(std::initializer_list<Index> indices) const;

  std::string to_string() const;  // "[2, 8, 7, 9]"

 private:
  std::array<Index, kMaxRank> dims_ = {};
  int rank_ = 0;
  Index elements_ = 0;
};

}  // namespace plainformer
