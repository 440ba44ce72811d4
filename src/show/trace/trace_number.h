// How a trace writes numbers. Text and page use the same functions, so they show the same digits.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "show/trace/trace.h"

namespace plainformer {

// All values of one record have the same number of decimals, so that their points align. The largest value
// has three or four digits. An exact zero is "0", and a value that only rounds to zero is "0.000", so a
// masked weight looks different from a small one.
class NumberStyle {
 public:
  static NumberStyle of(const Tensor& values);
  static NumberStyle of(double value);
  static NumberStyle up_to(double largest);  // for fractions

  std::string write(double value) const;

  // For those who write the same digits elsewhere: the digits after the point; whether it is as in "1.25e-07".
  int decimals() const { return decimals_; }
  bool scientific() const { return scientific_; }

 private:
  NumberStyle(double largest, bool integers);

  int decimals_ = 0;
  bool scientific_ = false;
};

// A number by itself.
std::string write_number(double value);

// The statistics with their names, in order. The mean has no more decimals than the largest value needs: the
// mean of a gradient is often zero apart from rounding, which differs between machines.
std::array<std::pair<std::string, std::string>, 5> write_statistics(const TensorStatistics& statistics);

}  // namespace plainformer
