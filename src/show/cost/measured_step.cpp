#include "show/cost/measured_step.h"

#include "core/check.h"
#include "core/multiply_adds.h"
#include "core/storage.h"
#include "core/thread_pool.h"
#include "training/recomputing.h"
#include "training/training_loop.h"

namespace plainformer {

MeasuredStep measured_step(const ModelConfig& config, const TranslationBatch& batch, bool recompute) {
  threads();  // starts them: their scratch is no tensor
  const std::uint64_t bytes_before = storage_statistics().used_bytes;
  Transformer model(config, /*seed=*/1);
  TrainingOptions options;
  options.learning_rate.d_model = config.d_model;
  options.steps = 2;
  Adam adam(model.parameters(), options.adam);
  TrainingProgress progress;
  MeasuredStep step;
  std::int64_t multiply_adds_before = 0;
  TrainingHooks hooks;
  hooks.after_step = [&](const StepReport& report) {
    CHECK(!report.skipped(), "a training step was not finite");
    step = {.multiply_adds = multiply_adds() - multiply_adds_before,
            .peak_bytes = static_cast<std::int64_t>(storage_statistics().peak_used_bytes - bytes_before),
            .seconds = report.seconds};
    multiply_adds_before = multiply_adds();
    restart_storage_peak();
  };
  const BatchSource source = {.begin_epoch = [](Index) { return 1; }, .batch = [&](Index) { return batch; }};
  RecomputingTransformer recomputing(model);
  if (recompute)
    train(recomputing, adam, progress, options, source, hooks);
  else
    train(model, adam, progress, options, source, hooks);
  return step;
}

}  // namespace plainformer
