#include "lab/table_1/power_law.h"

#include <cmath>

#include "core/check.h"

namespace plainformer {

double fitted_exponent(const std::vector<MeasuredPoint>& points) {
  double mean_x = 0, mean_y = 0;
  for (const MeasuredPoint& point : points) {
    CHECK(point.x > 0 && point.y > 0, "no logarithm of (", point.x, ", ", point.y, ")");
    mean_x += std::log(point.x) / static_cast<double>(points.size());
    mean_y += std::log(point.y) / static_cast<double>(points.size());
  }
  double covariance = 0, variance = 0;
  for (const MeasuredPoint& point : points) {
    const double x = std::log(point.x) - mean_x, y = std::log(point.y) - mean_y;
    covariance += x * y;
    variance += x * x;
  }
  CHECK(variance > 0, points.size(), " points with one x");
  return covariance / variance;
}

}  // namespace plainformer
