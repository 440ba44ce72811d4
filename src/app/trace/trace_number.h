// How a trace writes numbers. Text and page use the same functions, so they show the same digits.
#pragma once

#include <string>

#include "app/trace/trace.h"

namespace plainformer {

// The values of one record have the same number of decimals, so that their points align: as many as give the
// largest of them three or four digits. An exact zero is "0", and an element that only rounds to zero is
// "0.000"; so a masked weight differs from a small one.
class NumberStyle {
 public:
  static NumberStyle of(const Tensor& values);
  static NumberStyle of(double value);

  std::string write(double value) const;

 private:
  NumberStyle(double largest, bool integers);

  int decimals_ = 0;
  bool scientific_ = false;
};

// A number by itself: of the statistics, and the loss.
std::string write_number(double value);

}  // namespace plainformer
