// plainformer benchmark: the limits of this machine, and how close matrix products and training come
// to them.
#include <algorithm>
#include <iostream>

#include "core/number_text.h"
#include "core/strings.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "report/numbers.h"
#include "report/terminal.h"
#include "show/benchmark/benchmark_sections.h"
#include "show/commands.h"
#include "train/settings.h"

namespace plainformer {

namespace {

constexpr Index kLadderSize = 512;

void print_section(const BenchmarkSection& section) {
  const bool color = color_allowed(1);
  std::cout << "\n"
            << colored(section.title, Color::kBold, color) << "\n"
            << colored(section.note, Color::kDim, color) << "\n\n"
            << render_table(section.table, /*with_bars=*/is_terminal(1)) << std::flush;
}

// Runs the parts in their own order, each with a line of progress, and prints their sections.
void run_sections(BenchmarkContext& context, const std::vector<std::string>& parts) {
  struct Part {
    const char* name;
    std::function<BenchmarkSection()> run;
  };
  const Part all[] = {
      {"peak", [&] { return benchmark_peak(context); }},
      {"ladder", [&] { return benchmark_ladder(context, kLadderSize); }},
      {"matmul", [&] { return benchmark_matmul(context, transformer_products()); }},
      {"training", [&] { return benchmark_training(context, training_shapes()); }},
  };
  for (const Part& part : all) {
    if (std::find(parts.begin(), parts.end(), part.name) == parts.end()) continue;
    ProgressBar bar(std::cerr, understands_escapes(2), 0, {.unit = "measurement"});
    Index begun = 0;
    context.announce = [&](const std::string& name) { bar.update(++begun, name); };
    const BenchmarkSection section = part.run();
    bar.finish();
    context.announce = [](const std::string&) {};
    print_section(section);
  }
}

}  // namespace

int benchmark_command(const Arguments& arguments) {
  std::string only = "peak,matmul,ladder,training";
  ComputeSettings compute;
  BenchmarkContext context;
  CommandLine line(
      "plainformer benchmark [options]",
      "Measures the limits of this machine, and how close the program comes to them: matrix products "
      "step by step and in the shapes of a Transformer, and training steps. The numbers are medians after "
      "a warm-up, with their spread beside them.");
  line.option("--only", "NAMES", &only, "parts to run");
  add_compute_options(line, &compute);
  line.option("--seconds", "X", &context.seconds, "time for each measurement; slow ones take longer");
  if (!line.read(arguments)) return finish_output();
  const std::vector<std::string> parts = split_at(',', only);
  for (const std::string& part : parts)
    index_of_name("--only", part, {"peak", "ladder", "matmul", "training"});
  if (!(context.seconds > 0 && context.seconds <= 3600))
    throw UsageError("--seconds must be more than 0 and at most 3600");
  compute.use();

  context.threads = threads();
  std::cout << "plainformer " << PLAINFORMER_VERSION << ": kernels " << kernels().name << ", "
            << count_of(threads(), "thread") << ", plain operations: " << plain_names(ways)
            << (product_precision == Precision::kFloat ? ""
                                                       : ", precision bf16 (shares: of the peak in float)")
            << "\n";
  run_sections(context, parts);
  std::cout << "\nLargest resident memory: " << fixed_text(peak_resident_megabytes(), 0) << " MB.\n";
  return finish_output();
}

}  // namespace plainformer
