// How a trace writes numbers. Text and page use the same functions, so they show the same digits.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "app/trace/trace.h"

namespace plainformer {

// The values of one record have the same number of decimals, so that their points align: as many as give the
// largest of them three or four digits. An exact zero is "0", and an element that only rounds to zero is
// "0.000"; so a masked weight differs from a small one.
class NumberStyle {
 public:
  static NumberStyle of(const Tensor& values);
  static NumberStyle of(double value);
  static NumberStyle up_to(double largest);  // for fractions

  std::string write(double value) const;

 private:
  NumberStyle(double largest, bool integers);

  int decimals_ = 0;
  bool scientific_ = false;
};

// A number by itself.
std::string write_number(double value);

// The statistics by their names, in their order. The mean has no more decimals than the largest value
// deserves: the mean of a gradient is often zero but for rounding, which differs between machines.
std::array<std::pair<std::string, std::string>, 5> write_statistics(const TensorStatistics& statistics);

}  // namespace plainformer
