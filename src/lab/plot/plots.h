// The pictures of the documentation (docs/pictures/NAME.svg), by name. Each is drawn from data that the
// library computes. Every machine draws the same picture, apart from the rounding of coordinates.
#pragma once

#include <span>
#include <string>

namespace plainformer {

struct Plot {
  const char* name;
  std::string (*draw)();  // the SVG document
  const char* summary;
};

// In the order of the paper, then the other pages.
std::span<const Plot> plots();

std::string draw_architecture();
std::string draw_attention();
std::string draw_break_it();
std::string draw_cost();
std::string draw_figure_3();
std::string draw_figure_4();
std::string draw_figure_5();
std::string draw_gradient_norms();
std::string draw_label_smoothing();
std::string draw_learning_rate();
std::string draw_padding();
std::string draw_parameters();
std::string draw_positional_encoding();
std::string draw_positional_similarity();
std::string draw_softmax_scaling();

}  // namespace plainformer
