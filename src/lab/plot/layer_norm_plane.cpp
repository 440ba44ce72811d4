// Section 3.1: layer norm of three numbers, seen from the side and along the diagonal (1, 1, 1).
#include <algorithm>
#include <cmath>
#include <string>

#include "core/random.h"
#include "lab/pictures/diagram.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "ops/layer_norm.h"

namespace plainformer {

namespace layer_norm_plane_picture {

constexpr Index kVectors = 12;
constexpr double kWidth = 480, kPanel = 224, kLeft = 16, kMiddle = 190,
                 kUnit = 40;  // pixels of a length of 1
constexpr int kAfter = 0;
constexpr const char* kMark = "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z";

// A vector of three numbers in a turned frame: two coordinates in the plane of mean 0, and one along (1, 1, 1).
struct Turned {
  double right, back, up;
};

// Row `row` of x [rows, 3].
Turned turned(const Tensor& x, Index row) {
  const double a = double{x(row, 0)}, b = double{x(row, 1)}, c = double{x(row, 2)};
  return {.right = (a - b) / std::sqrt(2.0),
          .back = (a + b - 2 * c) / std::sqrt(6.0),
          .up = (a + b + c) / std::sqrt(3.0)};
}

Tensor random_vectors() {
  Random random(random_stream(/*seed=*/1, 0, 0));
  Tensor x({kVectors, 3});
  std::generate_n(x.mutable_data(), x.size(), [&] { return static_cast<Real>(0.7 + 0.9 * random.normal()); });
  return x;
}

// A mark at each end and an arrow between, if they are not too near.
std::string draw_move(ChartPoint from, ChartPoint to, int color) {
  const bool is_long = std::hypot(from.x - to.x, from.y - to.y) > 12;
  return (is_long ? draw_arrow({from, to}) : "") + svg::path("mark c6", svg::command('M', from) + kMark) +
         svg::path("mark" + color_class(color), svg::command('M', to) + kMark);
}

std::string heading(double left, const std::string& text, const std::string& remark) {
  return svg::text("ink heading", {left, 62}, "start", text) +
         svg::text("soft small", {left, 80}, "start", remark);
}

// Each vector moves along (1, 1, 1) until its mean is 0.
std::string draw_from_the_side(const Tensor& x) {
  const double center = kLeft + kPanel / 2 - 4;
  std::string svg = heading(kLeft, "1. Subtract the mean", "from the side: onto the plane of mean 0") +
                    svg::line("axis", {kLeft, kMiddle}, {kLeft + kPanel - 12, kMiddle});
  for (Index row = 0; row < kVectors; ++row) {
    const Turned vector = turned(x, row);
    svg += draw_move({center + kUnit * vector.right, kMiddle - kUnit * vector.up},
                     {center + kUnit * vector.right, kMiddle}, kAfter);
  }
  return svg;
}

// Each vector moves toward or away from the center, onto the circle whose radius is the root of 3.
std::string draw_along_the_diagonal(const Tensor& x, const Tensor& y) {
  const double left = kLeft + kPanel, center = left + kPanel / 2 + 4, radius = kUnit * std::sqrt(3.0);
  std::string svg =
      heading(left + 12, "2. Divide by the deviation", "along (1, 1, 1): onto a circle, radius √3");
  const std::string r = svg::command(' ', {radius, radius}).substr(1);
  svg += svg::path("frame c6", svg::command('M', {center - radius, kMiddle}) + "A" + r + " 0 1 0 " +
                                   svg::command(' ', {center + radius, kMiddle}).substr(1) + "A" + r +
                                   " 0 1 0 " + svg::command(' ', {center - radius, kMiddle}).substr(1) + "z");
  const auto place = [&](const Turned& vector) {
    return ChartPoint{center + kUnit * vector.right, kMiddle - kUnit * vector.back};
  };
  for (Index row = 0; row < kVectors; ++row)
    svg += draw_move(place(turned(x, row)), place(turned(y, row)), kAfter);
  return svg;
}

}  // namespace layer_norm_plane_picture

std::string draw_layer_norm_plane() {
  using namespace layer_norm_plane_picture;
  const Tensor x = random_vectors();
  LayerNormCache cache;
  const Tensor y = layer_norm_forward(x, Parameter(Tensor::filled({3}, 1)), Parameter(Tensor::zeros({3})),
                                      Real(1e-6), cache);
  return framed({.title = "Layer norm of three numbers",
                 .description =
                     "Twelve random vectors of three numbers. Seen from the side, subtracting the mean moves "
                     "each along the direction (1, 1, 1) onto the plane where the mean is 0. Seen along that "
                     "direction, dividing by the deviation moves each onto a circle around 0 whose radius is "
                     "the root of 3.",
                 .width = kWidth,
                 .height = 272},
                draw_from_the_side(x) + draw_along_the_diagonal(x, y));
}

}  // namespace plainformer
