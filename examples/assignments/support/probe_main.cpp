// The program of a probe. Each line begins with its stage, "softmax_forward: y 0.25 0.75". An argument, a number
// from 0, chooses one stage. The lines go to file descriptor 3, so that what the student's code prints does not
// mix with them, or to stdout if nobody opened it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/random.h"
#include "core/writable_tensor.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "probe.h"

namespace plainformer::course {
namespace {

const char* current_stage = "";

constexpr int kStandardOutput = 1, kReportDescriptor = 3, kNoSuchStage = 64;

void write_line(const std::string& line) {
  static const int descriptor = file_status(kReportDescriptor) ? kReportDescriptor : kStandardOutput;
  if (write_bytes(descriptor, line) < 0) std::_Exit(1);
}

std::string digits(double number) {
  char text[40];
  std::snprintf(text, sizeof text, " %.12g", number);
  return std::isnan(number) ? " nan" : text;
}

}  // namespace

void show(const char* name, std::span<const double> numbers) {
  std::string line = std::string(current_stage) + ": " + name;
  for (const double number : numbers) line += digits(number);
  write_line(line + "\n");
}

void show(const char* name, double number) {
  show(name, std::span(&number, 1));
}

void show(const char* name, const Tensor& tensor) {
  const std::vector<double> numbers(tensor.data(), tensor.data() + tensor.size());
  show(name, numbers);
}

Tensor random_input(const Shape& shape, unsigned seed) {
  Tensor tensor(shape);
  TensorWriter element(tensor);
  for (Index i = 0; i < tensor.size(); ++i) {
    const auto bits = random_bits({seed, 0}, static_cast<std::uint32_t>(i));
    element(i) = static_cast<Real>(bits * 4.0 / 4294967296.0 - 2.0);
  }
  return tensor;
}

}  // namespace plainformer::course

int main(int argument_count, char** arguments) {
  plainformer::ways = plainformer::plain_ways("all", "probe");
  const std::vector<plainformer::course::Stage> stages = plainformer::course::stages();
  const bool all = argument_count < 2;
  const std::size_t chosen = all ? 0 : std::strtoul(arguments[1], nullptr, 10);
  if (!all && chosen >= stages.size()) return plainformer::course::kNoSuchStage;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!all && i != chosen) continue;
    plainformer::course::current_stage = stages[i].function;
    stages[i].run();
  }
}
