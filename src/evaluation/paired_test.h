// Is a difference larger than the noise? The paired t-test (Student 1908), and Holm's correction for asking
// about many differences at once (Holm 1979).
//
//   t = mean / (deviation / sqrt(n))      for n differences, with n - 1 degrees of freedom
//
// Both values of a pair have the same seed and the same text, so that their influence cancels.
#pragma once

#include <vector>

namespace plainformer {

double mean_of(const std::vector<double>& values);                // NaN if there is none
double standard_deviation_of(const std::vector<double>& values);  // with n - 1 below; NaN for fewer than two

// The p-value, two-sided, of the mean difference: how probable is a mean at least as far from 0 if the true
// mean is 0 and the noise is normal? NaN for fewer than two differences.
double paired_t_test(const std::vector<double>& differences);

// The p-values of a family of tests, scaled up so that the chance of any wrong "p < 0.05" among them is at
// most 5 %. NaN stands for a test that was not made, and stays.
std::vector<double> holm_adjusted(const std::vector<double>& probabilities);

}  // namespace plainformer
