#include "evaluation/paired_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace plainformer {

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// P(|T| <= t) of Student's distribution, by the finite sums for a whole number of degrees of freedom
// (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4).
double probability_within(double t, int degrees) {
  const double angle = std::atan(t / std::sqrt(degrees)), cosine = std::cos(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1, sum = 0;
  for (int k = odd ? 1 : 0; k <= degrees - 2; k += 2) {
    sum += term;
    term *= cosine * cosine * (k + 1) / (k + 2);
  }
  return odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}

}  // namespace

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return kNotANumber;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) return kNotANumber;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double paired_t_test(const std::vector<double>& differences) {
  if (differences.size() < 2) return kNotANumber;
  const double mean = std::abs(mean_of(differences)), deviation = standard_deviation_of(differences);
  if (deviation == 0) return mean == 0 ? 1 : 0;
  const double t = mean / (deviation / std::sqrt(static_cast<double>(differences.size())));
  return std::max(0.0, 1 - probability_within(t, static_cast<int>(differences.size()) - 1));
}

std::vector<double> holm_adjusted(const std::vector<double>& probabilities) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (!std::isnan(probabilities[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return probabilities[a] < probabilities[b]; });

  // Holm: multiply the i-th smallest of n, counted from 0, by n - i. Then let none fall below the one before.
  std::vector<double> adjusted(probabilities.size(), kNotANumber);
  double least = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double factor = static_cast<double>(order.size() - rank);
    least = std::max(least, std::min(1.0, factor * probabilities[order[rank]]));
    adjusted[order[rank]] = least;
  }
  return adjusted;
}

}  // namespace plainformer
