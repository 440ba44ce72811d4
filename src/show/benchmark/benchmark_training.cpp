// plainformer benchmark: whole training steps.
#include <algorithm>

#include "core/check.h"
#include "core/random.h"
#include "core/special_symbols.h"
#include "core/thread_pool.h"
#include "show/benchmark/benchmark_sections.h"
#include "train/training_cost.h"
#include "training/recomputing.h"

namespace plainformer {

namespace {

struct StepTimes {
  Measurement time;
  double allocations;  // calls to the system for tensors' memory after the warm-up
  double operations;   // counted by the equations, in a step
};

// Random tokens, none of them special.
std::vector<int> random_sentence(Random& random, Index len, Index vocab) {
  std::vector<int> ids(len);
  for (int& id : ids) id = static_cast<int>(kUnknownId + 1 + random.below(vocab - kUnknownId - 1));
  return ids;
}

StepTimes time_steps(const BenchmarkContext& context, const TrainingShape& shape) {
  Transformer model(shape.model_config(), /*seed=*/1);
  Adam adam(model.parameters(), TrainingOptions().adam);
  const TranslationBatch batch = random_batch(shape.vocab, shape.batch, shape.source_len, shape.target_len);
  std::uint64_t allocations_before = 0;
  const Measurement time = context.measure_beside_peak(context.threads, [&] {
    train_on(batch, model, adam, adam.steps() + 1, /*recompute=*/false);
    if (adam.steps() == kWarmUpCalls) allocations_before = storage_statistics().system_allocations;
  });
  return {time, static_cast<double>(storage_statistics().system_allocations - allocations_before),
          training_operations(model.config(), BatchShape::of(batch))};
}

}  // namespace

ModelConfig TrainingShape::model_config() const {
  ModelConfig config;
  config.d_model = d_model;
  config.d_ff = d_ff;
  config.heads = heads;
  config.encoder_layers = config.decoder_layers = layers;
  config.vocab = vocab;
  config.max_length = std::max(source_len, target_len);
  return config;
}

std::vector<TrainingShape> training_shapes() {
  return {{"nano", 1, 8, 2, 16, 273, 3, 7, 7},          {"toy", 2, 128, 4, 256, 285, 128, 16, 16},
          {"tiny", 4, 128, 4, 256, 10000, 128, 16, 16}, {"small", 3, 256, 8, 1024, 8000, 128, 16, 16},
          {"base", 6, 512, 8, 2048, 37000, 64, 32, 32}, {"long", 3, 256, 8, 1024, 8000, 4, 512, 512}};
}

TranslationBatch random_batch(Index vocab, Index batch, Index source_len, Index target_len) {
  Random random(random_stream(/*seed=*/1, 0, 0));
  std::vector<std::vector<int>> sources, targets;
  for (Index i = 0; i < batch; ++i) {
    sources.push_back(random_sentence(random, source_len - 1, vocab));
    targets.push_back(random_sentence(random, target_len - 1, vocab));
  }
  return TranslationBatch::from(sources, targets);
}

void train_on(const TranslationBatch& batch, Transformer& model, Adam& adam, Index steps, bool recompute,
              const std::function<void(const StepReport&)>& after_step) {
  TrainingOptions options;
  options.learning_rate.d_model = model.config().d_model;
  options.steps = steps;
  TrainingProgress progress;
  const BatchSource source = {.begin_epoch = [](Index) { return 1; }, .batch = [&](Index) { return batch; }};
  TrainingHooks hooks;
  hooks.after_step = [&](const StepReport& report) {
    CHECK(!report.skipped(), "a training step was not finite");
    if (after_step) after_step(report);
  };
  RecomputingTransformer recomputing(model);
  if (recompute)
    train(recomputing, adam, progress, options, source, hooks);
  else
    train(model, adam, progress, options, source, hooks);
}

BenchmarkSection benchmark_training(const BenchmarkContext& context,
                                    const std::vector<TrainingShape>& shapes) {
  BenchmarkSection section = {
      .title = "Training steps",
      .note =
          "forward, loss, backward, Adam; dropout and label smoothing 0.1; no padding; all threads. The "
          "share counts the\nmodel's matrix products alone (2mnk forward, 4mnk backward); allocations are "
          "those of steady steps",
      .table = {.columns = {{"model"},
                            {"ms/step", ColumnKind::kNumber, 2},
                            {"fastest", ColumnKind::kNumber, 2},
                            {"slowest", ColumnKind::kNumber, 2},
                            {"samples", ColumnKind::kNumber},
                            {"tokens/s", ColumnKind::kNumber},
                            {"MFLOP/step", ColumnKind::kNumber, 1},
                            {"allocations", ColumnKind::kNumber},
                            {"of peak", ColumnKind::kShare}}}};
  set_threads(context.threads);
  for (const TrainingShape& shape : shapes) {
    context.announce("training " + shape.name);
    const auto [time, allocations, operations] = time_steps(context, shape);
    section.table.rows.push_back({shape.name, 1e3 * time.median, 1e3 * time.fastest, 1e3 * time.slowest,
                                  static_cast<double>(time.samples),
                                  static_cast<double>(shape.tokens()) / time.median, operations / 1e6,
                                  allocations, operations / time.median / time.limit});
  }
  return section;
}

}  // namespace plainformer
