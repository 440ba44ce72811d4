// plainformer layers: Table 1, measured (4).
#include <functional>
#include <iostream>
#include <vector>

#include "command_line/command_support.h"
#include "core/thread_pool.h"
#include "lab/commands.h"
#include "lab/table_1/layers_picture.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

void print_section(const LayersSection& section, bool csv) {
  const bool color = color_allowed(1);
  if (csv)
    std::cout << section.key << "\n" << to_csv(section.table) << "\n" << std::flush;
  else
    std::cout << colored(section.title, Color::kBold, color) << "\n"
              << colored(section.note, Color::kDim, color) << "\n\n"
              << render_table(section.table, /*with_bars=*/false) << "\n"
              << std::flush;
}

using Measure = std::function<std::vector<LayersSection>(const Announce&)>;

// Measures one part, with a progress bar of its own, and prints the result at once, so that no later part can lose it.
void run_part(const Measure& measure, Index measurements, bool csv) {
  ProgressBar bar(std::cerr, understands_escapes(2), measurements,
                  {.unit = "measurement", .color = color_allowed(2)});
  Index begun = 0;
  const std::vector<LayersSection> sections =
      measure([&](const std::string& what) { bar.update(begun++, what); });
  bar.update(begun);
  bar.finish();
  for (const LayersSection& section : sections) print_section(section, csv);
}

void run_parts(const LayersSettings& s, const LayersOptions& options) {
  const Index kinds = std::ssize(s.kinds);
  LayerCurves time, path;
  if (s.parts.count("cost")) print_section(cost_section(s), options.csv);
  if (s.parts.count("time"))
    run_part([&](const Announce& announce) { return time_sections(s, announce, time); },
             kinds * (std::ssize(s.lengths) + std::ssize(s.widths)), options.csv);
  if (s.parts.count("path"))
    run_part([&](const Announce& announce) { return std::vector{path_section(s, announce, path)}; }, kinds,
             options.csv);
  const auto run_task = [&](const char* part, DistanceTask task) {
    if (s.parts.count(part))
      run_part([&](const Announce& announce) { return std::vector{task_section(s, task, announce)}; },
               kinds * std::ssize(s.distances), options.csv);
  };
  run_task("copy", DistanceTask::kCopy);
  run_task("recall", DistanceTask::kRecall);
  if (!options.svg.empty()) write_output(options.svg, to_svg(layers_chart(s, time, path)));
}

}  // namespace

int layers_command(const Arguments& arguments) {
  LayersOptions options;
  CommandLine line = bind(options);
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  const LayersSettings settings = checked_settings(options, line);
  require_writable(options.svg);
  use_threads(options.threads);
  use_ways(options.plain);
  run_parts(settings, options);
  return finish_output();
}

}  // namespace plainformer
