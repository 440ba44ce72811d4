// plainformer cost: the account of a training step, before anything is trained.
#include <algorithm>
#include <iostream>

#include "core/input_error.h"
#include "core/storage.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "report/command_line.h"
#include "show/benchmark/benchmark_sections.h"
#include "show/commands.h"
#include "show/cost/cost_report.h"
#include "train/settings.h"

namespace plainformer {

namespace {

struct CostSettings {
  Settings preset;   // its model, batch_tokens and steps
  Index vocab = 0;   // 0: as many entries as the preset has merges
  Index length = 0;  // 0: kUsualLength, or what the model can read
  bool run = false;
  ComputeSettings compute;
};

constexpr double kSecondsForThePeak = 0.1;
constexpr Index kUsualLength = 25;
constexpr Index kMostPositions = 100'000'000;  // the positions of a batch, on either side
constexpr Index kMostSentences = 1'000'000;

// The batch that the settings describe. std::runtime_error if the model cannot read its sentences.
BatchShape batch_shape(const CostSettings& settings, const ModelConfig& config) {
  const Index batch_tokens = settings.preset.batch_tokens;
  const Index length = settings.length == 0 ? std::min(kUsualLength, config.max_length) : settings.length;
  require_between("--length", length, 1, config.max_length);
  require_between("--batch-tokens", batch_tokens, 1, kMostPositions);
  return BatchShape::equal_lengths(std::clamp<Index>(batch_tokens / length, 1, kMostSentences), length,
                                   length);
}

CommandLine bind(CostSettings& s) {
  CommandLine line(
      "plainformer cost --preset NAME [options]",
      "Accounts for a training step (5.2), part by part: parameters, multiply-adds, memory and time. "
      "The model need not exist yet.");
  add_model_options(line, s.preset);
  line.option("--vocab", "N", &s.vocab, "size of the vocabulary; 0: as many as the preset has merges");
  line.section("The step");
  line.option("--batch-tokens", "N", &s.preset.batch_tokens,
              "source positions, and target positions, in a batch");
  line.option("--length", "N", &s.length, "tokens of each source and target; 0: 25, or --max-length if less");
  line.option("--recompute", "", &s.preset.recompute, "train like 'train --recompute'");
  line.option("--steps", "N", &s.preset.training.steps, "steps of a whole training");
  line.option("--run", "", &s.run, "also make such a step on random tokens, and measure it");
  add_float_options(line, &s.compute);
  return line;
}

CostReport account_of(const CostSettings& settings) {
  require_at_least("--vocab", settings.vocab, 0);
  require_at_least("--steps", settings.preset.training.steps, 1);
  CostReport report;
  report.name = settings.preset.preset;
  report.config = settings.preset.model;
  report.config.vocab = settings.vocab > 0 ? settings.vocab : settings.preset.merges;
  report.config.check("the model");
  report.batch = batch_shape(settings, report.config);
  report.recompute = settings.preset.recompute;
  report.steps = settings.preset.training.steps;
  report.operations_a_second = best_peak(threads(), kSecondsForThePeak);
  return report;
}

// Makes two steps on random tokens, and measures the second: the first meets new memory.
MeasuredStep run_step(const CostSettings& settings, const CostReport& report) {
  require_memory(settings.preset, report.memory(report.recompute), usable_memory_bytes());
  const BatchShape& shape = report.batch;
  const TranslationBatch batch =
      random_batch(report.config.vocab, shape.batch(), shape.source_len(), shape.target_len());
  threads();  // starts them: their scratch is no tensor
  const std::uint64_t bytes_before = storage_statistics().used_bytes;
  Transformer model(report.config, /*seed=*/1);
  Adam adam(model.parameters(), TrainingOptions().adam);
  MeasuredStep step;
  train_on(batch, model, adam, /*steps=*/2, report.recompute, [&](const StepReport& made) {
    step = {.peak_bytes = static_cast<double>(storage_statistics().peak_used_bytes - bytes_before),
            .seconds = made.seconds};
    restart_storage_peak();
  });
  return step;
}

}  // namespace

int cost_command(const Arguments& arguments) {
  CostSettings settings;
  settings.preset = preset_settings(arguments);
  CommandLine line = bind(settings);
  if (!line.read(arguments)) return finish_output();
  settings.compute.use();

  const CostReport report = account_of(settings);
  std::cout << to_text(report) << std::flush;
  if (settings.run) std::cout << to_text(report, run_step(settings, report));
  return finish_output();
}

}  // namespace plainformer
