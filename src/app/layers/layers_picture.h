// The picture of `plainformer layers`: time and path against n.
#pragma once

#include "app/layers/layers_tables.h"
#include "report/line_chart.h"

namespace plainformer {

// A panel for each that is not empty.
LineChart layers_chart(const LayersSettings& settings, const LayerCurves& time, const LayerCurves& path);

}  // namespace plainformer
