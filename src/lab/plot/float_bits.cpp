// Half precision: the bits of three formats, and of one number in each.
#include <cmath>
#include <string>
#include <vector>

#include "core/check.h"
#include "kernels/bf16.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "report/number_format.h"

namespace plainformer {

namespace float_bits_picture {

constexpr double kNumber = 0.1;
constexpr double kWidth = 480, kLeft = 16, kCell = 14, kHigh = 22, kTop = 92, kRow = 92;
constexpr int kSign = 6, kExponent = 1, kFraction = 0;

struct Format {
  const char* name;
  int exponent, fraction;  // bits
};
constexpr Format kFormats[] = {{"float", 8, 23}, {"bfloat16", 8, 7}, {"fp16", 5, 10}};

struct Encoded {
  std::vector<int> bits;  // the sign first
  double value;
};

// The nearest number of a format to x > 0, one within its normal range. Ties go to the even one.
Encoded encoded(double x, const Format& format) {
  int power = 0;
  std::frexp(x, &power);
  --power;  // x = 1.f times 2^power
  const double unit = std::ldexp(1.0, power - format.fraction);
  const auto whole = static_cast<std::uint64_t>(std::nearbyint(x / unit));
  CHECK(whole < std::uint64_t{2} << format.fraction, "the rounding would carry");
  const auto biased = static_cast<std::uint64_t>(power + (1 << (format.exponent - 1)) - 1);
  const std::uint64_t bits =
      biased << format.fraction | (whole & ((std::uint64_t{1} << format.fraction) - 1));
  Encoded result = {.bits = {}, .value = static_cast<double>(whole) * unit};
  for (int bit = format.exponent + format.fraction; bit >= 0; --bit)
    result.bits.push_back(static_cast<int>(bits >> bit & 1));
  return result;
}

// Our own bits are those of the processor, and of the kernels.
void check(const Encoded& as_float, const Encoded& as_bf16) {
  CHECK(as_float.value == double{static_cast<float>(kNumber)}, as_float.value);
  CHECK(as_bf16.value == double{from_bf16(to_bf16(static_cast<Real>(kNumber)))}, as_bf16.value);
}

std::string draw_bits(const Format& format, const std::vector<int>& bits, double y) {
  std::string svg;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const int at = static_cast<int>(i);
    const int color = at == 0 ? kSign : at <= format.exponent ? kExponent : kFraction;
    const double x = kLeft + kCell * static_cast<double>(i);
    svg += svg::rectangle("box" + color_class(color), {x, y}, {kCell - 1.5, kHigh});
    svg += svg::text("ink small", {x + (kCell - 1.5) / 2, y + 15}, "middle", std::to_string(bits[i]));
  }
  return svg;
}

std::string legend() {
  std::string svg;
  double x = kLeft;
  for (const auto& [name, color] : std::vector<std::pair<std::string, int>>{
           {"sign", kSign}, {"exponent", kExponent}, {"fraction", kFraction}}) {
    svg += svg::rectangle("box" + color_class(color), {x, 42}, {12, 12}) +
           svg::text("ink", {x + 18, 53}, "start", name);
    x += 100;
  }
  return svg;
}

}  // namespace float_bits_picture

std::string draw_float_bits() {
  using namespace float_bits_picture;
  check(encoded(kNumber, kFormats[0]), encoded(kNumber, kFormats[1]));
  std::string svg = legend();
  double y = kTop;
  for (const Format& format : kFormats) {
    const Encoded number = encoded(kNumber, format);
    const std::string error = format_fixed(100 * std::abs(number.value / kNumber - 1), 6) + " %";
    svg += svg::text("ink heading", {kLeft, y - 8}, "start", format.name) +
           svg::text("soft", {kWidth - 16, y - 8}, "end",
                     std::to_string(1 + format.exponent + format.fraction) + " bits") +
           draw_bits(format, number.bits, y) +
           svg::text("ink", {kLeft, y + kHigh + 20}, "start",
                     "0.1 becomes " + format_fixed(number.value, 10) + ", off by " + error);
    y += kRow;
  }
  return framed(
      {.title = "0.1 in three formats",
       .description =
           "The bits of 0.1. A float has a sign, 8 bits of exponent and 23 of fraction. A bfloat16 "
           "has the same exponent and the first 7 bits of the fraction, rounded. An fp16 has 5 bits "
           "of exponent, so a smaller range, and 10 of fraction.",
       .width = kWidth,
       .height = y - 24},
      svg);
}

}  // namespace plainformer
