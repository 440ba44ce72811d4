// A probe runs an exercise's functions on fixed inputs and prints the numbers. Wrong code prints wrong
// numbers, and each known bug its own: this is how `course check` recognizes a bug.
//
// A probe file defines probe(). One line for each quantity, the first ones first in the order in which a
// student writes the functions: lines before a crash still count.
#pragma once

#include <span>

#include "core/tensor.h"

namespace plainformer::course {

void probe();  // defined by the exercise's probe.cpp

// One line: the name, and the numbers with 12 digits.
void show(const char* name, const Tensor& tensor);
void show(const char* name, std::span<const double> numbers);
void show(const char* name, double number);

// Random numbers from -2 to 2: the same on every machine.
Tensor random_input(const Shape& shape, unsigned seed);

}  // namespace plainformer::course
