// The exponent p of y = c x^p that fits measured points best: the slope of log y against log x, by least
// squares.
#pragma once

#include <vector>

namespace plainformer {

struct MeasuredPoint {
  double x, y;  // both more than 0
};

// The exponent p. points: at least two different x.
double fitted_exponent(const std::vector<MeasuredPoint>& points);

}  // namespace plainformer
