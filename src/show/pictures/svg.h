// The elements of an SVG picture, as text. Coordinates are pixels, rounded to a tenth.
#pragma once

#include <string>

namespace plainformer {

struct ChartPoint {
  double x, y;
};

namespace svg {

std::string text(const std::string& classes, ChartPoint at, const std::string& anchor,
                 const std::string& content);

std::string line(const std::string& classes, ChartPoint from, ChartPoint to);
std::string path(const std::string& classes, const std::string& commands);
std::string rectangle(const std::string& classes, ChartPoint top_left, ChartPoint size);

// A command of a path: "M72.0 244.0".
std::string command(char name, ChartPoint to);

}  // namespace svg
}  // namespace plainformer
