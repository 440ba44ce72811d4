// plainformer experiment: small training runs and measurements about attention, each in minutes.
#include <algorithm>
#include <iostream>

#include "command_line/command_support.h"
#include "command_line/help_text.h"
#include "core/input_error.h"
#include "core/split.h"
#include "lab/commands.h"
#include "lab/experiments/experiments.h"
#include "platform/platform.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr Index kDefaultSeeds = 5, kMostSeeds = 100, kMostSteps = 1'000'000, kMostSentences = 100'000;

struct ExperimentSettings {
  std::string over, svg, csv, json, plain;
  Index seeds = 0, steps = 0, sentences = 0, threads = 0;
  double learning_rate = 0, seconds = 1;
};

CommandLine bind(ExperimentSettings& s) {
  CommandLine line("plainformer experiment NAME [options]",
                   "Runs one of the experiments, and prints its results as a table.");
  line.option("--over", "LIST", &s.over, "values of the number that varies, as 4,16,64; it is named below");
  line.option("--svg", "FILE", &s.svg, "draw the results as a picture, too");
  line.option("--csv", "FILE", &s.csv, "write the table for other programs, too");
  line.option("--json", "FILE", &s.json, "write all tables as JSON, too");
  add_threads_option(line, &s.threads);
  add_plain_option(line, &s.plain);
  line.option("--seconds", "X", &s.seconds, "time for each measurement of 'length'");
  line.section("Training runs (all but 'gradient' and 'length')");
  line.option("--seeds", "N", &s.seeds, "training runs of each setting, and draws of 'gradient'; 0: 5");
  line.option("--steps", "N", &s.steps, "steps of each training run; 0: the experiment's own number");
  line.option("--learning-rate", "X", &s.learning_rate, "of Adam, at its largest; 0: the experiment's own");
  line.option(
      "--sentences", "N", &s.sentences,
      "held-out sentences that each trained model translates; 0: 500, or the experiment's own number");
  return line;
}

std::string list_of_names() {
  std::size_t longest = 0;
  for (const Experiment& experiment : experiments())
    longest = std::max(longest, std::string(experiment.name).size());
  std::string text = "Names:\n";
  for (const Experiment& experiment : experiments()) {
    std::string over;
    for (const Index value : experiment.over) over += (over.empty() ? "" : ", ") + std::to_string(value);
    text += help_row(experiment.name,
                     std::string(experiment.title) + "; over " + experiment.number + " [" + over + "]",
                     static_cast<int>(longest), help_width());
  }
  return text;
}

const Experiment& experiment_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    names.push_back(experiment.name);
  }
  if (name.empty()) throw UsageError("name an experiment: " + join(", ", names));
  throw UsageError("unknown experiment \"" + name + "\"" + did_you_mean(name, names));
}

ExperimentOptions options_from(const ExperimentSettings& s, const Experiment& experiment) {
  require_between("--seeds", s.seeds, 0, kMostSeeds);
  require_between("--steps", s.steps, 0, kMostSteps);
  if (!(s.learning_rate >= 0 && s.learning_rate <= 1)) throw UsageError("--learning-rate takes 0 to 1");
  if (!(s.seconds > 0 && s.seconds <= 3600))
    throw UsageError("--seconds must be more than 0 and at most 3600");
  const bool over_steps = experiment.number == std::string("steps");
  if (over_steps && s.steps > 0)
    throw UsageError(std::string("'") + experiment.name +
                     "' ends at the last number of --over: leave out --steps");
  require_between("--sentences", s.sentences, 0, kMostSentences);
  if (experiment.sentences == 0 && s.sentences > 0)
    throw UsageError(std::string("'") + experiment.name + "' translates nothing: leave out --sentences");
  const bool about_training = (s.seeds > 0 && !experiment.draws) || s.steps > 0 || s.learning_rate > 0;
  if (experiment.steps == 0 && !over_steps && about_training)
    throw UsageError(std::string("'") + experiment.name + "' trains nothing: " +
                     (experiment.draws ? "" : "--seeds, ") + "--steps and --learning-rate do not apply");
  return {.over = s.over.empty() ? experiment.over : ascending_numbers("--over", s.over, experiment.largest),
          .seeds = s.seeds > 0 ? s.seeds : kDefaultSeeds,
          .steps = s.steps > 0 ? s.steps : experiment.steps,
          .learning_rate = s.learning_rate > 0 ? s.learning_rate : experiment.learning_rate,
          .sentences = s.sentences > 0 ? s.sentences : experiment.sentences,
          .seconds = s.seconds};
}

void print(const Experiment& experiment, const ExperimentReport& report) {
  const bool color = color_allowed(1);
  std::cout << colored(experiment.title, Color::kBold, color) << "\n"
            << colored(report.note, Color::kDim, color) << "\n\n"
            << render_table(report.table, /*with_bars=*/is_terminal(1));
  for (const TitledTable& each : report.more)
    std::cout << "\n"
              << colored(each.title, Color::kBold, color) << "\n"
              << render_table(each.table, /*with_bars=*/is_terminal(1));
  if (!report.remarks.empty()) std::cout << "\n";
  for (const std::string& remark : report.remarks) std::cout << remark << "\n";
}

std::string svg_of(const ExperimentReport& report) {
  std::vector<LineChart> charts = {report.chart};
  charts.insert(charts.end(), report.more_charts.begin(), report.more_charts.end());
  return to_svg(charts);
}

}  // namespace

int experiment_command(const Arguments& arguments) {
  ExperimentSettings settings;
  CommandLine line = bind(settings);
  if (wants_help(arguments)) {
    std::cout << line.help() << "\n" << list_of_names();
    return finish_output();
  }
  const Arguments names = line.parse(arguments);
  if (names.size() > 1) throw UsageError("unexpected argument \"" + names[1] + "\"");
  const Experiment& experiment = experiment_named(names.empty() ? "" : names[0]);
  if (!line.first_given({"--seconds"}).empty() && experiment.name != std::string("length"))
    throw UsageError("--seconds belongs to 'length', which measures time");
  const ExperimentOptions options = options_from(settings, experiment);
  require_writable(settings.csv);
  require_writable(settings.json);
  require_writable(settings.svg);
  use_threads(settings.threads);
  use_ways(settings.plain);

  const ExperimentReport report = experiment.run(options);
  print(experiment, report);
  if (!settings.csv.empty()) write_output(settings.csv, to_csv(report.table));
  if (!settings.json.empty()) write_output(settings.json, to_json(experiment, report));
  if (!settings.svg.empty()) write_output(settings.svg, svg_of(report));
  return finish_output();
}

}  // namespace plainformer
