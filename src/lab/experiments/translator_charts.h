// The pictures of the experiment `translators`: a color for each model.
#pragma once

#include <vector>

#include "lab/experiments/lookup_settings.h"
#include "lab/experiments/translator_runs.h"
#include "lab/pictures/line_chart.h"

namespace plainformer {

// What a model's seeds have reached after some steps. Percent, 0 to 100, and processor time.
struct LearningPoint {
  std::size_t kind;
  double steps;
  Spread exact;
  double bleu, seconds;
};

// A model's share of right sentences with so many words, or whose verbs move so many places.
struct RangePoint {
  std::size_t kind;
  NumberRange range;
  double percent;
};

// Exact match and BLEU against steps, and exact match against seconds. Bars go from the lowest seed to the highest.
std::vector<LineChart> learning_charts(const std::vector<LearningPoint>& points);

// Exact match at the end of training against the words of a sentence, and against the places.
std::vector<LineChart> distance_charts(const std::vector<RangePoint>& by_words,
                                       const std::vector<RangePoint>& by_places);

}  // namespace plainformer
