// The tables of `plainformer layers`.
#pragma once

#include <functional>

#include "lab/table_1/layers_settings.h"
#include "lab/table_1/power_law.h"
#include "report/table.h"

namespace plainformer {

struct LayersSection {
  std::string key, title, note;
  Table table;
};

// Hears what comes next, before each measurement.
using Announce = std::function<void(const std::string& what)>;

// One measured quantity of each kind of layer, for the picture.
struct LayerCurve {
  LayerKind kind;
  std::vector<MeasuredPoint> points;
};
using LayerCurves = std::vector<LayerCurve>;

// Multiply-adds and waiting operations of one layer, counted, beside the formulas.
LayersSection cost_section(const LayersSettings& settings);

// Milliseconds, forward and backward, and the fitted exponents. Fills the curves of time against n.
std::vector<LayersSection> time_sections(const LayersSettings& settings, const Announce& announce,
                                         LayerCurves& curves);

// Layers until the last position has heard all others, and operations on that path. Fills the curves of the latter.
LayersSection path_section(const LayersSettings& settings, const Announce& announce, LayerCurves& curves);

// The share of right answers at each distance.
LayersSection task_section(const LayersSettings& settings, DistanceTask task, const Announce& announce);

}  // namespace plainformer
