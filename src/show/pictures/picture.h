// The frame of every picture: a self-contained SVG file, with no script, no font and nothing to fetch. It
// has its own background, and its colors follow the reader's light or dark theme.
//
// Classes of text:    ink, soft (less important); with them title, heading, small, code
// Classes of color:   c0 to c6 set the current color, in which these are drawn:
//   line              with thin or marked: an open line; with dashed or dotted too
//   mark, fill        a filled shape; a mark has an edge, so that neighbors stay apart
//   box               an outlined shape with a light fill
//   arrow, frame      a thin line; a dashed one with round corners
//   cells             strokes without gaps between them
// Others:             paper (the background), axis, grid
#pragma once

#include <string>

namespace plainformer {

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

}  // namespace plainformer
