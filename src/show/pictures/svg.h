// The elements of an SVG picture, as text. Coordinates are pixels, rounded to a tenth.
#pragma once

#include <string>

namespace plainformer {

struct ChartPoint {
  double x, y;
};

namespace svg {

// Text as the content or a quoted attribute value of XML or HTML: markup and quotes are escaped; bytes
// that are not UTF-8, U+FFFE, U+FFFF and characters below U+0020 are replaced.
std::string escape(const std::string& text);

std::string text(const std::string& classes, ChartPoint at, const std::string& anchor,
                 const std::string& content);
// Text that begins at a point and rises to the right, at 45 degrees.
std::string slanted_text(const std::string& classes, ChartPoint at, const std::string& content);

std::string line(const std::string& classes, ChartPoint from, ChartPoint to);
std::string path(const std::string& classes, const std::string& commands);
std::string rectangle(const std::string& classes, ChartPoint top_left, ChartPoint size);

// A command of a path: "M72.0 244.0".
std::string command(char name, ChartPoint to);

}  // namespace svg
}  // namespace plainformer
