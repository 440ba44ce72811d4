// The extents of a tensor, outermost first: [batch, heads, query_len, key_len].
#pragma once

#include <array>
#include <initializer_list>
#include <string>

#include "core/real.h"

namespace plainformer {

class Shape {
 public:
  static constexpr int kMaxRank = 4;

  Shape() = default;                         // rank 0: the shape of an empty tensor
  Shape(std::initializer_list<Index> dims);  // rank 1 to 4, no negative extent: else std::logic_error

  int rank() const { return rank_; }
  Index operator[](int axis) const;  // axis < 0 counts from the end: shape[-1] is the innermost extent
  Index elements() const;            // the product of all extents; 0 at rank 0
  bool operator==(const Shape&) const = default;

  std::string to_string() const;  // "[2, 8, 7, 9]"

 private:
  std::array<Index, kMaxRank> dims_ = {};
  int rank_ = 0;
};

}  // namespace plainformer
