// plainformer benchmark: the limits of this machine, and how close matrix products, training and decoding
// come to them.
#include <algorithm>
#include <iostream>

#include "core/thread_pool.h"
#include "io/json.h"
#include "io/output.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "report/numbers.h"
#include "report/progress_bar.h"
#include "report/terminal.h"
#include "show/benchmark/benchmark_sections.h"
#include "show/commands.h"
#include "train/settings.h"

namespace plainformer {

namespace {

constexpr Index kMemoryElements = 64 << 20;  // two such arrays: far more than caches hold
constexpr Index kLadderSize = 512;
constexpr Index kDecodedSentences = 256;

struct BenchmarkSettings {
  std::string only = "peak,matmul,ladder,training,decoding", configs = "nano,toy,tiny,small,base,long";
  bool recompute = false;
  ComputeSettings compute;
  double seconds = 1;
  bool json = false;
};

CommandLine bind(BenchmarkSettings& s) {
  CommandLine line(
      "plainformer benchmark [options]",
      "Measures the limits of this machine, and how close the program comes to them: matrix products "
      "step by step and in the shapes of a Transformer, training steps, and decoding. The figures are "
      "medians "
      "after a warm-up, with their spread beside them.");
  line.option("--only", "NAMES", &s.only, "parts to run");
  line.option("--configs", "NAMES", &s.configs, "models to train, and to decode with");
  line.option("--recompute", "", &s.recompute, "train like 'train --recompute'");
  add_compute_options(line, &s.compute);
  line.option("--seconds", "X", &s.seconds, "time for each measurement; slow ones take longer");
  line.option("--json", "", &s.json, "print one JSON object instead of tables");
  return line;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<TrainingShape> chosen_shapes(const std::string& names) {
  std::vector<TrainingShape> shapes = training_shapes();
  std::vector<std::string> known;
  for (const TrainingShape& shape : shapes) known.push_back(shape.name);
  const std::vector<std::string> wanted = chosen_names("--configs", names, known);
  std::erase_if(shapes, [&](const TrainingShape& shape) { return !contains(wanted, shape.name); });
  return shapes;
}

JsonArray rows_as_json(const Table& table) {
  JsonArray rows;
  for (const auto& cells : table.rows) {
    JsonObject row;
    for (std::size_t j = 0; j < cells.size(); ++j) {
      JsonValue value;
      if (const auto* text = std::get_if<std::string>(&cells[j])) value = *text;
      if (const auto* number = std::get_if<double>(&cells[j])) value = *number;
      row.emplace_back(table.columns[j].key, std::move(value));
    }
    rows.emplace_back(std::move(row));
  }
  return rows;
}

void print_section(const BenchmarkSection& section) {
  const bool color = color_allowed(1);
  std::cout << "\n"
            << colored(section.title, Color::kBold, color) << "\n"
            << colored(section.note, Color::kDim, color) << "\n\n"
            << render_table(section.table, /*with_bars=*/is_terminal(1)) << std::flush;
}

// Runs the parts in the order of the list, each with a line of progress, and passes its section to `finish`.
void run_sections(BenchmarkContext& context, const std::vector<std::string>& parts,
                  const std::vector<TrainingShape>& shapes,
                  const std::function<void(const BenchmarkSection&)>& finish) {
  struct Part {
    const char* name;
    std::function<BenchmarkSection()> run;
  };
  std::vector<TrainingShape> decoded = shapes;  // smaller ones tell little, larger ones take minutes
  std::erase_if(decoded,
                [](const TrainingShape& shape) { return shape.name != "tiny" && shape.name != "small"; });
  const Part all[] = {
      {"peak", [&] { return benchmark_peak(context); }},
      {"peak", [&] { return benchmark_memory(context, kMemoryElements); }},
      {"ladder", [&] { return benchmark_ladder(context, kLadderSize); }},
      {"matmul", [&] { return benchmark_matmul(context, transformer_products()); }},
      {"training", [&] { return benchmark_training(context, shapes); }},
      {"decoding", [&] { return benchmark_decoding(context, decoded, kDecodedSentences); }},
  };
  for (const Part& part : all) {
    if (!contains(parts, part.name)) continue;
    ProgressBar bar(std::cerr, understands_escapes(2), 0, {.unit = "measurement"});
    Index begun = 0;
    context.announce = [&](const std::string& name) { bar.update(++begun, name); };
    const BenchmarkSection section = part.run();
    bar.finish();
    context.announce = [](const std::string&) {};
    finish(section);
  }
}

}  // namespace

int benchmark_command(const Arguments& arguments) {
  BenchmarkSettings settings;
  CommandLine line = bind(settings);
  if (!line.read(arguments)) return finish_output();
  const std::vector<std::string> parts =
      chosen_names("--only", settings.only, {"peak", "ladder", "matmul", "training", "decoding"});
  const std::vector<TrainingShape> shapes = chosen_shapes(settings.configs);
  if (!(settings.seconds > 0 && settings.seconds <= 3600))
    throw UsageError("--seconds must be more than 0 and at most 3600");
  settings.compute.use();

  BenchmarkContext context;
  context.seconds = settings.seconds;
  context.threads = threads();
  context.recompute = settings.recompute;
  JsonObject results = {{"version", PLAINFORMER_VERSION},
                        {"kernels", kernels().name},
                        {"threads", threads()},
                        {"plain", plain_names(ways)},
                        {"precision", precision_name(product_precision)},
                        {"recompute", settings.recompute}};
  if (!settings.json)
    std::cout << "plainformer " << PLAINFORMER_VERSION << ": kernels " << kernels().name << ", "
              << count_of(threads(), "thread") << ", plain operations: " << plain_names(ways)
              << (product_precision == Precision::kFloat ? ""
                                                         : ", precision bf16 (shares: of the peak in float)")
              << "\n";
  run_sections(context, parts, shapes, [&](const BenchmarkSection& section) {
    results.emplace_back(section.key, rows_as_json(section.table));
    if (!settings.json) print_section(section);
  });

  const double megabytes = peak_resident_megabytes();
  results.emplace_back("peak_resident_megabytes", megabytes);
  if (settings.json)
    std::cout << to_json(results) << "\n";
  else
    std::cout << "\nLargest resident memory: " << format_fixed(megabytes, 0) << " MB.\n";
  return finish_output();
}

}  // namespace plainformer
