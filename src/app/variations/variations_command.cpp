// plainformer variations: Table 3 of the paper, in proportion to a model that a small machine can train.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/variations/variation_report.h"
#include "core/input_error.h"
#include "io/atomic_file.h"
#include "io/folder_lock.h"
#include "io/json.h"
#include "model_folder/model_folder.h"
#include "platform/platform.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

constexpr Index kMaxRecordBytes = 1 << 20;

struct VariationsSettings {
  TrainSettings base;
  std::string rows = "A,B,C,D,E", merge;
  Index seeds = 5;
  double hours = 0;

  explicit VariationsSettings(const Arguments& arguments) : base(preset_settings(arguments, "toy")) {
    base.keep = 1;  // Table 3: "no checkpoint averaging"
  }

  void check() const {
    require_option("--out", base.out);
    require_between("--seeds", seeds, 1, 1000);
    if (!(hours >= 0)) throw UsageError("--hours must be at least 0, which means no limit");
    base.check();
    if (!base.uses_toy_grammar() && base.valid_source.empty() && base.valid_treebank.empty())
      throw UsageError("--valid-source and --valid-target are required: the table is measured on them");
  }
};

CommandLine bind(VariationsSettings& s) {
  CommandLine line("plainformer variations --out DIR [options]",
                   "Trains a model and its variations, such as the rows of Table 3, with several seeds, and\n"
                   "compares their perplexity and BLEU on the validation text. The same command once more\n"
                   "goes on where it was stopped; more rows and seeds may then be asked for.");
  line.section("Variations");
  line.option("--out", "DIR", &s.base.out, "the folder of the results, with a folder for each run");
  line.option("--rows", "NAMES", &s.rows,
              "A: heads; B: d_k; C: size; D: regularization; E: learned positions; big; beside the paper: "
              "attention: regularizers of its weights; beyond: of little text; bf16: half precision");
  line.option("--seeds", "N", &s.seeds, "runs of each variation: seeds --seed, --seed + 1, ...");
  line.option(
      "--merge", "DIR", &s.merge,
      "take the results over that the same command left in another folder, perhaps on another machine");
  line.option("--hours", "X", &s.hours, "begin no run that would end later than this; 0: no limit");
  line.option("--threads", "N", &s.base.threads,
              "number of threads; 0: all processors that the process may use");
  add_plain_option(line, &s.base.plain);
  add_precision_option(line, &s.base.precision);
  add_recipe_options(line, s.base);
  return line;
}

// The options of the base, on which all results in the folder depend. The seed is that of each run.
std::string record_of(TrainSettings base) {
  base.out.clear();
  base.threads = 0;
  base.seed = TrainSettings().seed;
  JsonArray options;
  for (const std::string& argument : to_arguments(base)) options.push_back(argument);
  return to_json(JsonObject{{"options", options}}) + "\n";
}

// A folder keeps the options of its first run; input_error if they are others now.
void check_record(const std::string& folder, const TrainSettings& base, const std::string& option) {
  const std::string path = folder + "/variations.json";
  if (read_file(path, kMaxRecordBytes) == record_of(base)) return;
  throw input_error(path, "belongs to variations of other options",
                    "give the same options as before, or choose another " + option);
}

void check_or_write_record(const TrainSettings& base) {
  const std::string path = base.out + "/variations.json";
  if (std::filesystem::exists(to_path(path))) return check_record(base.out, base, "--out");
  write_file_atomically(path, record_of(base));
}

// One training that the table needs.
struct Run {
  VariationResults* results;
  Index seed;

  TrainSettings settings() const {
    TrainSettings settings = results->variation.settings;
    settings.seed = seed;
    complete(settings);
    settings.out += "/" + results->variation.folder() + "/seed-" + std::to_string(seed);
    return settings;
  }
  std::string name() const {
    const Variation& variation = results->variation;
    return variation.row + (variation.name.empty() ? "" : " " + variation.name) + ", seed " +
           std::to_string(seed);
  }
};

// Seed by seed, so that a part of them is a table already.
std::vector<Run> runs_of(const VariationsSettings& settings, std::vector<VariationResults>& results) {
  std::vector<Run> runs;
  for (Index i = 0; i < settings.seeds; ++i) {
    for (VariationResults& each : results) runs.push_back({&each, settings.base.seed + i});
  }
  return runs;
}

// Copies the results of another folder to the runs that have none.
void merge(const std::string& folder, const TrainSettings& base, const std::vector<Run>& runs) {
  check_record(folder, base, "--merge");
  for (const RecordedRun& recorded : read_variation_csv(folder + "/variations.csv")) {
    const auto is_same = [&](const Run& run) {
      const Variation& variation = run.results->variation;
      return variation.row == recorded.row && variation.name == recorded.variation &&
             run.seed == recorded.seed;
    };
    const auto run = std::find_if(runs.begin(), runs.end(), is_same);
    if (run == runs.end()) continue;  // of rows or seeds that nobody asks for now
    const std::string out = run->settings().out;
    if (read_variation_result(out)) continue;
    make_folder(out);
    write_variation_result(out, recorded.result);
  }
}

double mean_seconds(const std::map<Index, VariationResult>& results) {
  double sum = 0;
  for (const auto& [seed, result] : results) sum += result.seconds;
  return results.empty() ? 0 : sum / static_cast<double>(results.size());
}

// The time that a run will take: as long as the same variation took with other seeds, else the base; 0 if that
// is not known.
double expected_seconds(const Run& run, const VariationResults& base) {
  return mean_seconds(run.results->by_seed.empty() ? base.by_seed : run.results->by_seed);
}

double seconds_left(const std::vector<Run>& runs, std::size_t from, const VariationResults& base) {
  double seconds = 0;
  for (std::size_t i = from; i < runs.size(); ++i) {
    if (!runs[i].results->by_seed.contains(runs[i].seed)) seconds += expected_seconds(runs[i], base);
  }
  return seconds;
}

// Makes the runs whose results are missing. Returns the signal that stopped it, or 0.
int make_runs(const VariationsSettings& settings, const std::vector<Run>& runs,
              const VariationResults& base) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    if (run.results->by_seed.contains(run.seed)) continue;
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (settings.hours > 0 && elapsed + expected_seconds(run, base) > 3600 * settings.hours) {
      std::cerr << "the next run would end after " << format_tick(settings.hours)
                << " hours; for the others, run the same command again\n";
      return 0;
    }
    const double left = seconds_left(runs, i, base);
    std::cerr << "\nrun " << i + 1 << " of " << runs.size() << ": " << run.name()
              << (left > 0 ? " (about " + format_duration(left) + " left)" : "") << "\n";
    const TrainSettings run_settings = run.settings();
    if (const int signal = run_variation(run_settings)) return signal;
    run.results->by_seed[run.seed] = *read_variation_result(run_settings.out);
  }
  return 0;
}

void report(const std::string& folder, const std::vector<VariationResults>& results) {
  write_file_atomically(folder + "/variations.csv", variation_csv(recorded_runs(results)));
  write_file_atomically(folder + "/variations.svg", variation_picture(results));
  std::cout
      << render_table(variation_table(results), /*with_bars=*/false)
      << "\nPPL: perplexity per word piece; BLEU: beam search; both on the validation text. +-: standard\n"
         "deviation over seeds. diff.: from base, seed by seed; p: of the paired t-test, corrected for all\n"
         "rows (Holm 1979); *: below 0.05. At the right, the paper's figures.\n"
         "The runs are in "
      << folder << "/variations.csv, a picture in " << folder << "/variations.svg.\n";
}

}  // namespace

int variations_command(const Arguments& arguments) {
  VariationsSettings settings(arguments);
  CommandLine line = bind(settings);
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  complete(settings.base);
  settings.check();
  const std::vector<std::string> rows =
      chosen_names("--rows", settings.rows, {std::begin(kVariationRows), std::end(kVariationRows)});
  const std::string& folder = settings.base.out;
  make_folder(folder);
  const FolderLock only_these(folder, "another 'plainformer variations'");
  check_or_write_record(settings.base);

  std::vector<VariationResults> results;
  for (Variation& variation : variations_of(settings.base, rows))
    results.push_back({std::move(variation), {}});
  const std::vector<Run> runs = runs_of(settings, results);
  if (!settings.merge.empty()) merge(settings.merge, settings.base, runs);
  for (const Run& run : runs) {
    if (const auto result = read_variation_result(run.settings().out))
      run.results->by_seed[run.seed] = *result;
  }
  const int signal = make_runs(settings, runs, results.front());
  report(folder, results);
  finish_output();
  if (signal == 0) return 0;
  std::cerr << "stopped by a signal; everything is saved (to continue: the same command)\n";
  return 128 + signal;
}

}  // namespace plainformer
