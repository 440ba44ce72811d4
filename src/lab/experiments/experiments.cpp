#include "lab/experiments/experiments.h"

#include "core/number_text.h"

namespace plainformer {

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = {
      {"scores",
       "Scores of attention as d_k grows (3.2.1)",
       "d_k",
       run_scores,
       {4, 8, 16, 32, 64, 128, 256},
       4096,
       500},
      {"gradient",
       "The gradient of the softmax as d_k grows (3.2.1)",
       "d_k",
       run_gradient,
       {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
       32768,
       0},
      {"heads", "One head or several at equal cost (3.2.2)", "heads", run_heads, {1, 2, 4, 8, 16}, 64, 1000},
      {"copy", "Copying, by softmax and by linear attention", "values", run_copy, {4, 8, 16, 32}, 512, 600},
      {"recall",
       "Associative recall, by softmax and by linear attention",
       "pairs",
       run_recall,
       {4, 8, 16, 32, 64},
       64,
       3000},
      {"length",
       "Time and memory of softmax and of linear attention",
       "positions",
       run_length,
       {256, 512, 1024, 2048, 4096, 8192, 16384},
       1 << 20,
       0},
  };
  return all;
}

}  // namespace plainformer
