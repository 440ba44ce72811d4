#include "lab/pictures/heat_map.h"

#include <array>
#include <cmath>

#include "core/check.h"
#include "lab/pictures/picture.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

constexpr int kSteps = 10;

// -kSteps to kSteps
int step_of(Real value) {
  CHECK(std::abs(value) <= 1, "value=", value);
  return static_cast<int>(std::lround(value * kSteps));
}

// Draws the cells of each step but 0 as strokes down the columns, because strokes are far fewer than cells.
class Strokes {
 public:
  explicit Strokes(const HeatMap& map) : map_(map) {}

  // Cells `first` to `last` - 1 of a column.
  void add(int step, Index column, Index first, Index last) {
    const double x = map_.top_left.x + (static_cast<double>(column) + 0.5) * map_.cell.x;
    const double y = map_.top_left.y + static_cast<double>(first) * map_.cell.y;
    commands_[step + kSteps] +=
        svg::command('M', {x, y}) + "v" + format_fixed(static_cast<double>(last - first) * map_.cell.y, 0);
  }

  std::string draw() const {
    std::string svg;
    for (int step = -kSteps; step <= kSteps; ++step) {
      if (step == 0 || commands_[step + kSteps].empty()) continue;
      const int color = step > 0 ? map_.positive_color : map_.negative_color;
      svg += "<g opacity=\"" + format_fixed(std::abs(step) / double{kSteps}, 1) + "\" stroke-width=\"" +
             format_fixed(map_.cell.x, 0) + "\">" +
             svg::path("cells" + color_class(color), commands_[step + kSteps]) + "</g>\n";
    }
    return svg;
  }

 private:
  HeatMap map_;
  std::array<std::string, 2 * kSteps + 1> commands_;
};

}  // namespace

std::string draw_heat_map(const HeatMap& map, const Tensor& values) {
  const Index rows = values.dim(0), columns = values.dim(1);
  CHECK_SHAPE(values, rows, columns);
  Strokes strokes(map);
  for (Index column = 0; column < columns; ++column) {
    for (Index row = 0, first = 0; row < rows; ++row) {
      const int step = step_of(values(row, column));
      if (row + 1 < rows && step_of(values(row + 1, column)) == step) continue;
      strokes.add(step, column, first, row + 1);
      first = row + 1;
    }
  }
  return strokes.draw();
}

std::string draw_heat_scale(const HeatMap& map) {
  Strokes strokes(map);
  std::string svg;
  for (int step = -kSteps; step <= kSteps; ++step) {
    strokes.add(step, step + kSteps, 0, 1);
    if (step % kSteps != 0) continue;
    const double x = map.top_left.x + (step + kSteps + 0.5) * map.cell.x;
    svg += svg::text("ink", {x, map.top_left.y + map.cell.y + 14}, "middle", std::to_string(step / kSteps));
  }
  return strokes.draw() + svg;
}

}  // namespace plainformer
