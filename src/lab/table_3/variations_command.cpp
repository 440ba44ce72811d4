// plainformer variations: Table 3 of the paper, in proportion to a model that a small machine can train.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>
#include <optional>

#include "command_line/command_support.h"
#include "core/input_error.h"
#include "io/atomic_file.h"
#include "io/folder_lock.h"
#include "lab/commands.h"
#include "lab/table_3/expected_work.h"
#include "lab/table_3/variation_record.h"
#include "lab/table_3/variation_report.h"
#include "model_folder/model_folder.h"
#include "platform/platform.h"
#include "report/number_format.h"
#include "runs/corpora.h"
#include "runs/train_options.h"

namespace plainformer {

namespace {

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
    require_between("--seed", base.seed, 0, std::numeric_limits<Index>::max() - seeds);
    if (!(hours >= 0)) throw UsageError("--hours must be at least 0, which means no limit");
    base.check();
    if (!base.treebank.empty() && base.valid_treebank.empty())
      throw UsageError("--valid-treebank is required: the table is measured on it");
    check_validation_text();
    if (base.keep != 1)
      throw UsageError(
          "--keep must be 1: a result is that of one checkpoint, as in Table 3, not of an average");
  }

  // Every run holds the same pairs out of the text: their choice depends on no option.
  void check_validation_text() const {
    if (base.text.empty() || !base.valid_text.empty()) return;
    if (base.may_have_validation_text() && !load_corpora(base).valid.pairs().empty()) return;
    throw UsageError(
        "validation text is required, because the table is measured on it: --valid-pairs, or --valid-source "
        "and "
        "--valid-target, or a text of which pairs can be held out (--hold-out)");
  }
};

CommandLine bind(VariationsSettings& s) {
  CommandLine line("plainformer variations --out DIR [options]",
                   "Trains a model and its variations, such as the rows of Table 3, with several seeds, and "
                   "compares their perplexity and BLEU on the validation text. The same command once more "
                   "goes on where it was stopped; more rows and seeds may then be asked for.");
  line.section("Variations");
  line.option("--out", "DIR", &s.base.out, "the folder of the results, with a folder for each run");
  line.option("--rows", "NAMES", &s.rows,
              "A: heads; B: d_k; C: size; D: regularization; E: learned positions; big; not in the paper: "
              "attention: regularizers of the attention weights; beyond: regularizers for little text; "
              "bf16: half precision");
  line.option("--seeds", "N", &s.seeds, "runs of each variation: seeds --seed, --seed + 1, ...");
  line.option(
      "--merge", "DIR", &s.merge,
      "take over the results that the same command left in another folder, perhaps on another machine");
  line.option("--hours", "X", &s.hours, "begin no run that would end later than this; 0: no limit");
  add_threads_option(line, &s.base.threads);
  add_plain_option(line, &s.base.plain);
  add_precision_option(line, &s.base.precision);
  add_recipe_options(line, s.base);
  return line;
}

// One training run that the table needs.
struct Run {
  VariationResults* results;
  Index seed;

  // The run's folder in the folder of the results: "A-h-16/seed-1".
  std::string folder() const { return results->variation.folder() + "/seed-" + std::to_string(seed); }
  TrainSettings settings() const {
    TrainSettings settings = results->variation.settings;
    settings.seed = seed;
    copy_shared_values(settings);
    settings.out += "/" + folder();
    return settings;
  }
  std::string name() const { return results->variation.title() + ", seed " + std::to_string(seed); }
  bool is(const RecordedRun& recorded) const {
    const Variation& variation = results->variation;
    return recorded.row == variation.row && recorded.variation == variation.name && recorded.seed == seed;
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

// Rows A, C and big give the heads their width by d_model / h.
void check_widths(const ModelConfig& model, const std::vector<std::string>& rows) {
  if (model.d_k == 0 && model.d_v == 0) return;
  for (const std::string& row : rows) {
    if (row == "A" || row == "C" || row == "big")
      throw UsageError("row " + row + " sets the width of the heads: leave out --d-k and --d-v, or the row");
  }
}

// Refuses a variation that cannot be trained before the first one is.
void check(const std::vector<VariationResults>& results) {
  for (const auto& [variation, by_seed] : results) {
    try {
      variation.settings.check();
      check_precision(variation.settings.precision);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("row " + variation.title() + ": " + error.what());
    }
  }
}

// variations.csv of a folder; none if it has no such file.
std::vector<RecordedRun> table_in(const std::string& folder) {
  const std::string path = folder + "/variations.csv";
  return std::filesystem::exists(to_path(path)) ? read_variation_csv(path) : std::vector<RecordedRun>();
}

// Looks first in the run's own folder, then in variations.csv: a published folder may hold the table only.
std::optional<VariationResult> result_in(const std::string& folder, const std::vector<RecordedRun>& table,
                                         const Run& run) {
  if (const auto result = read_variation_result(folder + "/" + run.folder())) return result;
  for (const RecordedRun& recorded : table)
    if (run.is(recorded)) return recorded.result;
  return std::nullopt;
}

// Copies the results of another folder to the runs that have none.
void merge(const std::string& folder, const std::vector<Run>& runs) {
  const std::vector<RecordedRun> table = table_in(folder);
  for (const Run& run : runs) {
    const std::string out = run.settings().out;
    if (read_variation_result(out)) continue;
    if (const auto result = result_in(folder, table, run)) {
      make_folder(out);
      write_variation_result(out, *result);
    }
  }
}

double mean_seconds(const std::map<Index, VariationResult>& results) {
  double sum = 0;
  for (const auto& [seed, result] : results) sum += result.seconds;
  return results.empty() ? 0 : sum / static_cast<double>(results.size());
}

// The time that a run will take: that of the same variation with other seeds, or else that of the base, in
// proportion to their matrix products; 0 if neither is known.
double expected_seconds(const Run& run, const VariationResults& base) {
  if (!run.results->by_seed.empty()) return mean_seconds(run.results->by_seed);
  if (base.by_seed.empty()) return 0;
  return mean_seconds(base.by_seed) * work_beside_base(run.results->variation.settings,
                                                       base.variation.settings,
                                                       base.by_seed.begin()->second.parameters);
}

double seconds_left(const std::vector<Run>& runs, std::size_t from, const VariationResults& base) {
  double seconds = 0;
  for (std::size_t i = from; i < runs.size(); ++i) {
    if (!runs[i].results->by_seed.contains(runs[i].seed)) seconds += expected_seconds(runs[i], base);
  }
  return seconds;
}

struct Outcome {
  int signal = 0;  // that stopped the runs
  std::vector<Run> failed = {};
};

// Makes the runs whose results are missing. One that fails, because it diverges, leaves the others to be made.
Outcome make_runs(const VariationsSettings& settings, const std::vector<Run>& runs,
                  const VariationResults& base) {
  Outcome outcome;
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    if (run.results->by_seed.contains(run.seed)) continue;
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (settings.hours > 0 && elapsed + expected_seconds(run, base) > 3600 * settings.hours) {
      std::cerr << "the next run would end after " << format_tick(settings.hours)
                << " hours; for the others, run the same command again\n";
      break;
    }
    const double left = seconds_left(runs, i, base);
    std::cerr << "\nrun " << i + 1 << " of " << runs.size() << ": " << run.name()
              << (left > 0 ? " (about " + format_duration(left) + " left)" : "") << "\n";
    const TrainSettings run_settings = run.settings();
    const auto fail = [&](const std::string& why) {
      std::cerr << "this run failed: " << why << "\n";
      outcome.failed.push_back(run);
    };
    const std::string out_of_memory = "out of memory (hint: leave the row out, or begin with smaller sizes)";
    try {
      outcome.signal = run_variation(run_settings);
      if (outcome.signal) break;
      run.results->by_seed[run.seed] = *read_variation_result(run_settings.out);
    } catch (const std::runtime_error& error) {
      fail(error.what());
    } catch (const std::bad_alloc&) {
      fail(out_of_memory);
    } catch (const std::length_error&) {  // a vector that no memory holds
      fail(out_of_memory);
    }
  }
  return outcome;
}

// Rows of the old table to keep: all but those made now and those that failed. (A failed run's old scores must not come
// back by --merge.)
std::vector<RecordedRun> still_valid(std::vector<RecordedRun> earlier, const std::vector<Run>& runs,
                                     const std::vector<Run>& failed) {
  const auto is_replaced = [&](const RecordedRun& recorded) {
    const auto is_recorded = [&](const Run& run) { return run.is(recorded); };
    const auto is_made = [&](const Run& run) {
      return run.is(recorded) && run.results->by_seed.contains(run.seed);
    };
    return std::any_of(runs.begin(), runs.end(), is_made) ||
           std::any_of(failed.begin(), failed.end(), is_recorded);
  };
  earlier.erase(std::remove_if(earlier.begin(), earlier.end(), is_replaced), earlier.end());
  return earlier;
}

void report(const std::string& folder, const std::vector<VariationResults>& results,
            const std::vector<RecordedRun>& other_runs) {
  std::vector<RecordedRun> runs = recorded_runs(results);
  runs.insert(runs.end(), other_runs.begin(), other_runs.end());
  write_file_atomically(folder + "/variations.csv", variation_csv(runs));
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
  copy_shared_values(settings.base);
  settings.check();
  const std::vector<std::string> rows =
      chosen_names("--rows", settings.rows, {std::begin(kVariationRows), std::end(kVariationRows)});
  check_widths(settings.base.model, rows);
  const std::string& folder = settings.base.out;
  std::vector<VariationResults> results;
  for (Variation& variation : variations_of(settings.base, rows))
    results.push_back({std::move(variation), {}});
  use_ways(settings.base.plain);
  check(results);
  const std::string record = variation_record(settings.base);
  if (!settings.merge.empty()) check_variation_record(settings.merge, record, "--merge");
  make_folder(folder);
  const FolderLock only_these(folder, "another 'plainformer variations'");
  keep_variation_record(folder, record);

  const std::vector<Run> runs = runs_of(settings, results);
  const std::vector<RecordedRun> earlier = table_in(folder);
  for (const char* file : {"/variations.csv", "/variations.svg"}) require_writable(folder + file);
  if (!settings.merge.empty()) merge(settings.merge, runs);
  for (const Run& run : runs) {
    if (const auto result = read_variation_result(run.settings().out))
      run.results->by_seed[run.seed] = *result;
  }
  const Outcome outcome = make_runs(settings, runs, results.front());
  report(folder, results, still_valid(earlier, runs, outcome.failed));
  finish_output();
  const Index failed = std::ssize(outcome.failed);
  if (failed > 0)
    std::cerr << count_of(failed, "run") << " failed, as said above; the table is of the others\n";
  if (outcome.signal == 0) return failed > 0 ? 1 : 0;
  std::cerr << "stopped by a signal; everything is saved (to continue: the same command)\n";
  return 128 + outcome.signal;
}

}  // namespace plainformer
