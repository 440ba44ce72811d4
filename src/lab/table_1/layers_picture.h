// The picture of `plainformer layers`: time and path against n.
#pragma once

#include "lab/pictures/line_chart.h"
#include "lab/table_1/layers_tables.h"

namespace plainformer {

// A panel for each that is not empty.
LineChart layers_chart(const LayersSettings& settings, const LayerCurves& time, const LayerCurves& path);

}  // namespace plainformer
