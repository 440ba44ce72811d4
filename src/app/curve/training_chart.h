// The curves of one run, or of several over one another.
#pragma once

#include <string>
#include <vector>

#include "app/curve/training_history.h"
#include "report/line_chart.h"

namespace plainformer {

struct NamedHistory {
  std::string name;
  TrainingHistory history;
};

// The most runs that one chart tells apart.
inline constexpr Index kMostCurves = kChartColors;

// Panels for the losses, BLEU (if there is any) and the learning rate, against steps. The training loss is
// drawn as means of so many steps, the same number for all runs, that there are at most 200.
LineChart training_chart(const std::vector<NamedHistory>& runs);

}  // namespace plainformer
