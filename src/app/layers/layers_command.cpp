// plainformer layers: Table 1, measured (4).
#include <iostream>
#include <optional>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/layers/layers_picture.h"
#include "core/thread_pool.h"
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

Index announcements(const LayersSettings& s) {
  const Index kinds = std::ssize(s.kinds), tasks = s.parts.count("copy") + s.parts.count("recall");
  Index count = tasks * kinds * std::ssize(s.distances);
  if (s.parts.count("time")) count += kinds * (std::ssize(s.lengths) + std::ssize(s.widths));
  if (s.parts.count("path")) count += kinds;
  return count;
}

void run_parts(const LayersSettings& s, const LayersOptions& options) {
  std::optional<ProgressBar> bar;
  if (announcements(s) > 0)
    bar.emplace(std::cerr, understands_escapes(2), announcements(s),
                ProgressBarOptions{.unit = "measurement", .color = color_allowed(2)});
  Index begun = 0;
  const Announce announce = [&](const std::string& what) { bar->update(begun++, what); };
  std::vector<LayersSection> sections;
  LayerCurves time, path;
  if (s.parts.count("cost")) sections.push_back(cost_section(s));
  if (s.parts.count("time"))
    for (LayersSection& section : time_sections(s, announce, time)) sections.push_back(std::move(section));
  if (s.parts.count("path")) sections.push_back(path_section(s, announce, path));
  if (s.parts.count("copy")) sections.push_back(task_section(s, DistanceTask::kCopy, announce));
  if (s.parts.count("recall")) sections.push_back(task_section(s, DistanceTask::kRecall, announce));
  if (bar) {
    bar->update(begun);
    bar->finish();
  }
  for (const LayersSection& section : sections) print_section(section, options.csv);
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
