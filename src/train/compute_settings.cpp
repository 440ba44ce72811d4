#include "train/compute_settings.h"

#include "core/input_error.h"
#include "core/thread_pool.h"
#include "ops/ways.h"

namespace plainformer {

void ComputeSettings::use() const {
  if (threads < 0 || threads > 1024)
    throw input_error("--threads", std::to_string(threads) + " is out of range",
                      "choose 1 to 1024, or 0 for the default");
  if (threads > 0) set_threads(static_cast<int>(threads));
  if (!plain.empty()) ways = plain_ways(plain, "--plain");
  product_precision = find_precision(precision, "--precision");
  if (product_precision != Precision::kFloat && ways.linear == Way::kPlain)
    throw input_error("--precision", "the plain way of linear computes in float only",
                      "leave linear to the fast way: give --plain=none, or other operations");
}

void add_float_options(CommandLine& line, ComputeSettings* settings) {
  line.option("--threads", "N", &settings->threads,
              "number of threads; 0: PLAINFORMER_THREADS, or else all processors that the process may use");
  line.optional_value(
      "--plain", "NAMES", &settings->plain, "all",
      "compute the plain way, the one to read; or only the operations named, as attention,linear");
}

void add_compute_options(CommandLine& line, ComputeSettings* settings) {
  add_float_options(line, settings);
  line.option(
      "--precision", "NAME", &settings->precision,
      "of matrix products: float, or bf16, whose factors are rounded to bfloat16 and added up in float");
}

}  // namespace plainformer
