#include "core/gradient_check.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace plainformer {

namespace {

constexpr double kSmallestTestedGradient =
    1e-3;                  // if all gradients of a tensor are smaller, the loss does not test it
constexpr int kShown = 5;  // how many wrong elements of a tensor the text lists

// "x[1, 2]" for the element at a row-major offset.
std::string element_name(const std::string& name, const Shape& shape, Index offset) {
  std::string text;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    text = std::to_string(offset % shape[axis]) + (text.empty() ? "" : ", ") + text;
    offset /= shape[axis];
  }
  return name + "[" + text + "]";
}

std::string errors_of(const LossFunction& loss, const CheckedTensor& input,
                      const GradientTolerance& tolerance) {
  const Shape shape = input.value->shape();
  if (input.analytic.shape() != shape)
    return input.name + ": a gradient of shape " + input.analytic.shape().to_string() +
           " for a value of shape " + shape.to_string() + "\n";
  std::string errors;
  int wrong = 0;
  double largest = 0;
  for (Index i = 0; i < shape.elements(); ++i) {
    const double numeric = central_difference(loss, *input.value, i, tolerance.epsilon);
    const double analytic = input.analytic.data()[i];
    largest = std::max(largest, std::abs(numeric));
    if (std::abs(analytic - numeric) <= tolerance.absolute + tolerance.relative * std::abs(numeric)) continue;
    if (++wrong <= kShown)
      errors += detail::concatenate(element_name(input.name, shape, i), ": numeric ", numeric, ", analytic ",
                                    analytic, "\n");
  }
  if (wrong > kShown)
    errors += detail::concatenate(input.name, ": ", wrong, " of ", shape.elements(), " elements are wrong\n");
  if (largest < kSmallestTestedGradient)
    errors += detail::concatenate(input.name, ": no gradient is larger than ", largest,
                                  ", so this loss does not test it\n");
  return errors;
}

}  // namespace

double dot(const Tensor& x, const Tensor& y) {
  CHECK(x.size() == y.size(), x.shape().to_string(), " . ", y.shape().to_string());
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += double(x.data()[i]) * double(y.data()[i]);
  return sum;
}

std::vector<CheckedTensor> checked_tensors(const ParameterList& parameters) {
  std::vector<CheckedTensor> inputs;
  for (const NamedParameter& p : parameters)
    inputs.push_back({p.name, &p.parameter->value, p.parameter->grad});
  return inputs;
}

double central_difference(const LossFunction& loss, Tensor& value, Index offset, double epsilon) {
  const Real original = value.data()[offset];
  const auto loss_at = [&](Real x) {
    value.mutable_data()[offset] = x;
    return loss();
  };
  const auto higher = static_cast<Real>(original + epsilon), lower = static_cast<Real>(original - epsilon);
  const double above = loss_at(higher), below = loss_at(lower);
  value.mutable_data()[offset] = original;
  return (above - below) / (double(higher) - double(lower));  // 2 epsilon, as far as Real can hold it
}

std::string gradient_errors(const LossFunction& loss, const std::vector<CheckedTensor>& inputs,
                            const GradientTolerance& tolerance) {
  std::string errors;
  for (const CheckedTensor& input : inputs) errors += errors_of(loss, input, tolerance);
  return errors;
}

}  // namespace plainformer
