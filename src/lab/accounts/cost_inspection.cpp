#include "lab/accounts/cost_inspection.h"

#include <algorithm>
#include <iostream>

#include "command_line/command_support.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "lab/accounts/cost_report.h"
#include "lab/accounts/head_widths.h"
#include "lab/benchmark/benchmark_sections.h"
#include "model_folder/model_folder.h"

namespace plainformer {

namespace {

const std::vector<std::string> kModelOptions = {
    "--preset", "--encoder-layers", "--decoder-layers", "--d-model", "--d-ff", "--heads", "--d-k",
    "--d-v",    "--positions",      "--max-length",     "--vocab"};
const std::vector<std::string> kCostOptions = {"--sentences", "--source-length", "--target-length",
                                               "--recompute", "--steps",         "--run",
                                               "--json",      "--threads",       "--plain"};
// Of the batches of a text.
const std::vector<std::string> kTextOptions = {"--source", "--target",  "--max-tokens", "--seed",
                                               "--epoch",  "--batches", "--batch"};

constexpr double kSecondsForThePeak = 0.1;
constexpr Index kMostPositions = 100'000'000;  // of a batch, on either side
constexpr Index kMostSentences = 1'000'000;

// `sentences`, or as many as fill a batch; sentences no longer than the model reads.
BatchShape batch_shape(const CostInspection& inspection, const ModelConfig& config, Index batch_tokens) {
  const Index longest = std::max(inspection.source_length, inspection.target_length);
  require_between("--source-length", inspection.source_length, 1, config.max_length);
  require_between("--target-length", inspection.target_length, 1, config.max_length);
  require_between("--sentences", inspection.sentences, 0, std::min(kMostSentences, kMostPositions / longest));
  require_between("--batch-tokens", batch_tokens, 1, kMostPositions);
  const Index fill = std::clamp<Index>(batch_tokens / longest, 1, kMostSentences);
  return BatchShape::equal_lengths(inspection.sentences > 0 ? inspection.sentences : fill,
                                   inspection.source_length, inspection.target_length);
}

// input_error if the account of this batch might exceed an std::int64_t.
void check_countable(const ModelConfig& config, const BatchShape& batch) {
  const double longest = static_cast<double>(std::max(batch.source_len(), batch.target_len()));
  const double positions = static_cast<double>(batch.batch()) * longest, pairs = positions * longest;
  const double d_model = static_cast<double>(config.d_model);
  const double widths = static_cast<double>(key_width(config) + value_width(config));
  const double attentions = static_cast<double>(config.encoder_layers + 2 * config.decoder_layers);
  const double layers = static_cast<double>(config.encoder_layers + config.decoder_layers);
  const double weights = attentions * 2 * d_model * widths +
                         layers * 2 * d_model * static_cast<double>(config.d_ff) +
                         d_model * static_cast<double>(config.vocab);
  // One multiplication forward and two backward for each weight, and at most five for each pair of positions.
  const double multiply_adds = 3 * positions * weights + 5 * attentions * pairs * widths;
  constexpr double kMost = 1e17;  // the bytes may be some ten times as many
  if (multiply_adds > kMost)
    throw input_error("the batch",
                      "is too large to be counted: its step may have more than 10^17 multiply-adds",
                      "choose fewer or shorter sentences");
}

}  // namespace

void CostInspection::add_options(CommandLine& line) {
  add_model_options(line, preset);
  line.option("--vocab", "N", &vocab, "size of the vocabulary; 0: as many as the preset has merges");
  line.section("Cost of a training step (5.2)");
  line.option("--cost", "", &cost, "show the cost of a training step of the model in the folder of --model");
  line.option("--sentences", "N", &sentences, "sentences in the batch; 0: as many as --batch-tokens hold");
  line.option("--source-length", "N", &source_length, "tokens of each source, with </s>");
  line.option("--target-length", "N", &target_length, "tokens of each target, with <s>");
  line.option("--recompute", "", &recompute, "train like 'train --recompute'");
  line.option("--steps", "N", &preset.training.steps, "steps of a whole training");
  line.option("--run", "", &run, "also make such a step on random tokens, and measure it");
  line.option("--json", "", &json, "print one JSON object instead of tables");
  add_threads_option(line, &threads);
  add_plain_option(line, &plain);
}

bool CostInspection::asked_for(const CommandLine& line, const std::string& folder) const {
  const std::string model = line.first_given(kModelOptions), of_cost = line.first_given(kCostOptions),
                    text = line.first_given(kTextOptions);
  if (!folder.empty() && !model.empty())
    throw UsageError(model + " and --model exclude each other: a folder holds a model of its own");
  if (folder.empty() && cost) throw UsageError("--cost needs --model, or --preset in its place");
  const bool asked = cost || !model.empty();
  if (asked && !text.empty())
    throw UsageError(text + " is about the batches of a text: leave out " + (cost ? "--cost" : model));
  if (!asked && !of_cost.empty()) throw UsageError(of_cost + " needs --cost, or --preset");
  return asked;
}

void print_cost(const CostInspection& inspection, const std::string& folder) {
  use_threads(inspection.threads);
  use_ways(inspection.plain);
  const TrainSettings& preset = inspection.preset;
  require_at_least("--vocab", inspection.vocab, 0);
  require_at_least("--steps", preset.training.steps, 0);
  CostReport report;
  report.name = folder.empty() ? preset.preset : folder;
  report.config = preset.model;
  if (folder.empty()) {
    report.config.vocab = inspection.vocab > 0 ? inspection.vocab : preset.merges;
    report.config.check("the model");
  } else {
    report.config = load_model(ModelFolder(folder)).transformer->config();
  }
  report.batch = batch_shape(inspection, report.config, preset.batch_tokens);
  check_countable(report.config, report.batch);
  report.recompute = inspection.recompute;
  report.steps = preset.training.steps;
  report.machine = {.kernels = kernels().name,
                    .threads = threads(),
                    .operations_a_second = best_peak(threads(), kSecondsForThePeak),
                    .bytes_a_second = best_bandwidth(threads())};
  if (!inspection.json) std::cout << to_text(report) << std::flush;

  std::optional<MeasuredStep> step;
  if (inspection.run) {
    const BatchShape& shape = report.batch;
    const TranslationBatch batch =
        random_batch(report.config.vocab, shape.batch(), shape.source_len(), shape.target_len());
    step = measured_step(report.config, batch, inspection.recompute);
    if (!inspection.json) std::cout << to_text(report, *step);
  }
  if (inspection.json) std::cout << to_json(to_json_object(report, step)) << "\n";
}

}  // namespace plainformer
