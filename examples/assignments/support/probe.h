// A probe runs an exercise's functions on fixed inputs and prints the numbers. Wrong code prints wrong
// numbers, and each known bug its own: this is how `course check` recognizes a bug.
//
// A probe has a stage for each function that a student writes. A stage takes nothing from the student's other
// functions if it can be helped: backward reads a cache that the probe has filled itself. So the numbers of a
// right backward pass are right, and those of a wrong one are its own, whatever forward does.
#pragma once

#include <span>

#include <vector>

#include "core/tensor.h"

namespace plainformer::course {

struct Stage {
  const char* function;  // "softmax_backward"; or what is asked, where no single function answers
  void (*run)();         // shows a line for each quantity: lines before a crash still count
};

// Defined by the exercise's probe.cpp, in the order in which a student writes the functions.
std::vector<Stage> stages();

// One line: the name, and the numbers with 12 digits.
void show(const char* name, const Tensor& tensor);
void show(const char* name, std::span<const double> numbers);
void show(const char* name, double number);

// Random numbers from -2 to 2: the same on every machine. Seeds that differ in their last bits alone give the same
// numbers in another order, and two mistakes may then look the same: take 1'000, 2'000, and so on.
Tensor random_input(const Shape& shape, unsigned seed);

}  // namespace plainformer::course
