// Is a difference larger than the noise? The paired t-test (Student 1908), and Holm's correction for asking
// about many differences at once (Holm 1979).
//
//   t = mean / (deviation / sqrt(n))      of the n differences; n - 1 degrees of freedom
//
// The pairs share what does not matter, such as the seed and the text, so that it cancels.
#pragma once

#include <vector>

namespace plainformer {

double mean_of(const std::vector<double>& values);                // NaN if there is none
double standard_deviation_of(const std::vector<double>& values);  // with n - 1 below; NaN for fewer than two

// The probability of a mean at least as far from 0 if the true one is 0 and the noise is normal (two-sided).
// NaN for fewer than two differences.
double paired_t_test(const std::vector<double>& differences);

// Each probability p of a family of tests, scaled up so that "p < 0.05" is wrong anywhere in the family in at
// most 5 % of the cases. NaN stands for a test that was not made, and stays.
std::vector<double> holm_adjusted(const std::vector<double>& probabilities);

}  // namespace plainformer
