// The program of a driver. An argument, a number from 0, chooses one stage. Each result is a line of four fields with tabs
// between them, "softmax_forward", "y", "2 2", "0.25 0.75 0.5 0.5"; a text has the shape "text". The lines go to file
// descriptor 3, so that what the student's code prints does not mix with them, or to stdout if nobody opened it.
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/number_text.h"
#include "core/random.h"
#include "core/storage.h"
#include "core/writable_tensor.h"
#include "driver.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "seed.h"

namespace plainformer::course {
namespace {

const char* current_stage = "";

constexpr int kStandardOutput = 1, kReportDescriptor = 3;

void write_result(const std::string& name, const std::string& shape, const std::string& values) {
  static const int descriptor = file_status(kReportDescriptor) ? kReportDescriptor : kStandardOutput;
  const std::string line = std::string(current_stage) + '\t' + name + '\t' + shape + '\t' + values + '\n';
  if (write_bytes(descriptor, line) < 0) std::_Exit(1);
}

std::string digits_of(std::span<const double> numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " ") + general_text(number, 17);
  return text;
}

}  // namespace

void show(const std::string& name, std::span<const double> numbers) {
  write_result(name, std::to_string(numbers.size()), digits_of(numbers));
}

void show(const std::string& name, double number) {
  write_result(name, "", digits_of(std::span(&number, 1)));
}

void show(const std::string& name, const Tensor& tensor) {
  std::string shape;
  for (Index axis = 0; axis < tensor.rank(); ++axis)
    shape += (axis == 0 ? "" : " ") + std::to_string(tensor.dim(axis));
  const std::vector<double> numbers(tensor.data(), tensor.data() + tensor.size());
  write_result(name, shape, digits_of(numbers));
}

void show_text(const std::string& name, const std::string& text) {
  std::string in_one_line;
  for (const char c : text) in_one_line += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  write_result(name, "text", in_one_line);
}

Tensor random_input(const Shape& shape, unsigned seed_of_input) {
  Tensor tensor(shape);
  TensorWriter element(tensor);
  for (Index i = 0; i < tensor.size(); ++i) {
    const auto bits = random_bits({seed_of_input, seed()}, static_cast<std::uint32_t>(i));
    element(i) = static_cast<Real>(bits * 4.0 / 4294967296.0 - 2.0);
  }
  return tensor;
}

double processor_time() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace plainformer::course

int main(int argument_count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what was printed before a crash is shown
  // The pool of memory starts here, before any thread does: ThreadSanitizer sees only the student's file.
  const plainformer::Storage first(1);
  plainformer::ways = plainformer::plain_ways("all", "driver");
  const std::vector<plainformer::course::Stage> stages = plainformer::course::stages();
  const bool all = argument_count < 2;
  const std::size_t chosen = all ? 0 : std::strtoul(arguments[1], nullptr, 10);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!all && i != chosen) continue;
    plainformer::course::current_stage = stages[i].function;
    stages[i].run();
  }
}
