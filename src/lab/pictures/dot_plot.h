// Dot plots as SVG: a row for each thing that is compared, a dot for each of its values, a stroke at their
// mean. Panels with axes of their own stand one below the other, so that the plot fits on a phone.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plainformer {

struct DotPanel {
  std::string heading;                   // the quantity and its unit
  std::optional<double> reference = {};  // a dashed line at this value, to compare with
};

struct DotRow {
  std::string name;
  std::vector<std::vector<double>> values;  // for each panel; those that are not finite are left out
};

struct DotPlot {
  std::string title = {}, description = {};  // the description is for readers who cannot see the picture
  std::string dot = "one value";             // what a dot shows, for the legend
  std::vector<DotPanel> panels = {};         // at least one
  std::vector<DotRow> rows = {};
};

// The complete SVG document.
std::string to_svg(const DotPlot& plot);

}  // namespace plainformer
