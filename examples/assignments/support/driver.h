// A driver calls an exercise's functions with drawn inputs and shows what they return. It is compiled with
// the student's file and with the reference's, and both programs run with the same seed: the grader's process
// compares what they show. So no expected value and no tolerance is where the student's code runs.
//
// A driver has a stage for each function that a student writes. A stage takes nothing from the student's
// other functions if it can be helped: backward reads a cache that the driver has filled itself. So the
// numbers of a right backward pass are right, whatever forward does.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/parameter.h"
#include "core/tensor.h"

namespace plainformer::course {

struct Stage {
  const char* function;  // "softmax_backward"; or what is asked, where no single function answers
  void (*run)();         // shows its results one by one: those before a crash still count
};

// Defined by the exercise's driver.cpp, in the order in which a student writes the functions.
std::vector<Stage> stages();

// A result, by its name. Several of one name are told apart by their order.
void show(const std::string& name, const Tensor& tensor);
void show(const std::string& name, std::span<const double> numbers);
void show(const std::string& name, double number);
void show_text(const std::string& name, const std::string& text);

// Numbers from -2 to 2, drawn from the grader's seed and this one: the same on every machine. Seeds that
// differ in their last bits alone give the same numbers in another order, and two mistakes may then look the
// same: take 1'000, 2'000, and so on.
Tensor random_input(const Shape& shape, unsigned seed);

// The time that this thread has spent on the processor, in seconds.
double processor_time();

// Draws the values of a layer's parameters, and returns these in their order.
template <typename Layer>
ParameterList draw_parameters(Layer& layer) {
  ParameterList parameters;
  layer.append_parameters("", parameters);
  unsigned seed = 10'000;
  for (const NamedParameter& p : parameters)
    p.parameter->value = random_input(p.parameter->value.shape(), seed += 1'000);
  return parameters;
}

}  // namespace plainformer::course
