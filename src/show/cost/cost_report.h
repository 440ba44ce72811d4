// The account of a training step as tables, and as JSON.
#pragma once

#include <optional>
#include <string>

#include "io/json.h"
#include "train/costs/training_cost.h"
#include "train/costs/training_memory.h"
#include "show/cost/measured_step.h"

namespace plainformer {

struct MachineLimits {
  std::string kernels;
  int threads = 1;
  double operations_a_second = 0, bytes_a_second = 0;
};

struct CostReport {
  std::string name;  // of the model: "base", or its folder
  ModelConfig config;
  BatchShape batch;
  bool recompute = false;
  Index steps = 0;  // of the whole training; 0: unknown
  MachineLimits machine;

  TrainingMethod method() const { return TrainingMethod::in_use(config.vocab, recompute); }
  TrainingCost cost() const { return training_cost(config, batch, method()); }
  TrainingMemory memory(bool recomputed) const;
  double step_operations() const { return training_operations(config, batch); }  // of the equations
};

// The account; the step that ran is another text, because it comes later.
std::string to_text(const CostReport& report);
std::string to_text(const CostReport& report, const MeasuredStep& step);

JsonObject to_json_object(const CostReport& report, const std::optional<MeasuredStep>& step);

}  // namespace plainformer
