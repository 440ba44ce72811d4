// The library's gradient checker, which notes every loss that it is given. A test of a gradient compares a student's
// backward pass with differences of the student's own forward pass. That says nothing if the forward pass computes
// something else, just there: the grader compares the losses with those of the reference.
//
// For test_main.cpp only: it stands in the place of core/gradient_check.cpp in the library.
#pragma once

#include <vector>

#define gradient_errors unrecorded_gradient_errors
#include "core/gradient_check.cpp"
#undef gradient_errors

namespace plainformer {

namespace course {

// In the order in which the tests asked for them.
inline std::vector<double> recorded_losses;

}  // namespace course

std::string gradient_errors(const LossFunction& loss, const std::vector<Differentiated>& inputs,
                            const GradientTolerance& tolerance) {
  return unrecorded_gradient_errors(
      [&] {
        course::recorded_losses.push_back(loss());
        return course::recorded_losses.back();
      },
      inputs, tolerance);
}

}  // namespace plainformer
