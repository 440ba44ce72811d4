#include "train/compute_settings.h"

#include "core/input_error.h"
#include "core/thread_pool.h"
#include "ops/ways.h"

namespace plainformer {

void use_threads(Index count) {
  if (count < 0 || count > 1024) {
    throw input_error("--threads", std::to_string(count) + " is out of range",
                      "choose 1 to 1024, or 0 for the default");
  }
  if (count > 0) set_threads(static_cast<int>(count));
}

void add_threads_option(CommandLine& line, Index* count) {
  line.option("--threads", "N", count,
              "number of threads; 0: PLAINFORMER_THREADS, or else all processors that the process may use");
}

void add_plain_option(CommandLine& line, std::string* plain) {
  line.optional_value(
      "--plain", "NAMES", plain, "all",
      "compute the plain way, the one to read; or only the operations named, as attention,linear");
}

void use_ways(const std::string& plain) {
  if (!plain.empty()) ways = plain_ways(plain, "--plain");
}

void add_precision_option(CommandLine& line, std::string* precision) {
  line.option(
      "--precision", "NAME", precision,
      "of matrix products: float, or bf16, whose factors are rounded to bfloat16 and added up in float");
}

void check_precision(const std::string& name) {
  if (find_precision(name, "--precision") == Precision::kFloat || ways.linear == Way::kFast) return;
  throw input_error("--precision", "the plain way of linear computes in float only",
                    "leave linear to the fast way: give --plain=none, or other operations");
}

void add_compute_options(CommandLine& line, ComputeSettings* settings) {
  add_threads_option(line, &settings->threads);
  add_plain_option(line, &settings->plain);
  add_precision_option(line, &settings->precision);
}

void ComputeSettings::use() const {
  use_threads(threads);
  use_ways(plain);
  use_precision(precision);
}

void use_precision(const std::string& name) {
  check_precision(name);
  product_precision = find_precision(name, "--precision");
}

}  // namespace plainformer
