// The curves of one run, or of several in one chart.
#pragma once

#include <string>
#include <vector>

#include "show/curve/training_history.h"
#include "show/pictures/line_chart.h"

namespace plainformer {

struct NamedHistory {
  std::string name;
  TrainingHistory history;
};

// One chart has colors for this many runs.
inline constexpr Index kMostCurves = kPictureColors;

// Panels for the losses, BLEU (if there is any) and the learning rate, against steps. The training loss is
// drawn as at most 200 means, each of the same number of steps for all runs.
LineChart training_chart(const std::vector<NamedHistory>& runs);

}  // namespace plainformer
