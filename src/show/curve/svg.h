// A picture as a self-contained SVG file, with no script, no font and nothing to fetch: its frame, and its
// elements as text. It has its own background, and its colors follow the reader's light or dark theme.
//
// Classes of text:    ink, soft (less important); with them title, heading
// Classes of color:   c0 to c6 set the current color, in which these are drawn:
//   line                with thin or marked: an open line
//   mark                a filled shape with an edge, so that neighbors stay apart
// Others:             paper (the background), axis, grid
#pragma once

#include <string>

namespace plainformer {

struct ChartPoint {
  double x, y;
};

inline constexpr int kPictureColors = 6;
inline constexpr int kPictureInk = kPictureColors;  // the color of the text

struct PictureFrame {
  std::string title = {}, description = {};  // the description is for readers who cannot see the picture
  double width = 0, height = 0;              // pixels; at least 1
  double left = 16;                          // where the title begins, at kTitleBaseline
};

inline constexpr double kTitleBaseline = 28;

// The class of a color, from 0 to kPictureInk, after a space: " c2".
std::string color_class(int color);

// The complete SVG document: the frame, and the content in it.
std::string framed(const PictureFrame& frame, const std::string& content);

// Coordinates are pixels, rounded to a tenth.

namespace svg {

std::string text(const std::string& classes, ChartPoint at, const std::string& anchor,
                 const std::string& content);

std::string line(const std::string& classes, ChartPoint from, ChartPoint to);
std::string path(const std::string& classes, const std::string& commands);

// A command of a path: "M72.0 244.0".
std::string command(char name, ChartPoint to);

}  // namespace svg
}  // namespace plainformer
