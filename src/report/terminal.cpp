#include "report/terminal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "core/check.h"
#include "core/strings.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

struct CodePointRange {
  char32_t first, last;
};

// The ranges of combining marks and format characters, sorted.
constexpr auto kZeroWidth = std::to_array<CodePointRange>({
    {0x00AD, 0x00AD},   {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF},
    {0x05C1, 0x05C2},   {0x05C4, 0x05C5}, {0x05C7, 0x05C7}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x0670, 0x0670},   {0x06D6, 0x06DC}, {0x06DF, 0x06E4}, {0x06E7, 0x06E8}, {0x06EA, 0x06ED},
    {0x0900, 0x0902},   {0x093A, 0x093A}, {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D},
    {0x0E31, 0x0E31},   {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1160, 0x11FF}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF},   {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064}, {0x20D0, 0x20FF},
    {0x302A, 0x302D},   {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
    {0xE0100, 0xE01EF},
});

// The ranges of East Asian wide and full-width characters and of emoji shown as pictures, sorted.
constexpr auto kDoubleWidth = std::to_array<CodePointRange>({
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26A1, 0x26A1},
    {0x26BD, 0x26BE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7EB}, {0x1F900, 0x1F9FF},
    {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
});

template <std::size_t size>
bool contains(const std::array<CodePointRange, size>& ranges, char32_t c) {
  const auto range = std::lower_bound(ranges.begin(), ranges.end(), c,
                                      [](CodePointRange r, char32_t v) { return r.last < v; });
  return range != ranges.end() && range->first <= c;
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

int width_of(char32_t c) {
  if (is_control(c) || contains(kZeroWidth, c)) return 0;
  return contains(kDoubleWidth, c) ? 2 : 1;
}

// The longest beginning of `text` that fits into `width` columns, combining marks included.
std::string_view beginning(std::string_view text, int width) {
  std::size_t bytes = 0;
  for (const Character& each : characters_in(text)) {
    width -= width_of(each.value);
    if (width < 0) break;
    bytes += each.bytes.size();
  }
  return text.substr(0, bytes);
}

}  // namespace

bool color_allowed(int file) {
  const char* no_color = std::getenv("NO_COLOR");
  return understands_escapes(file) && (no_color == nullptr || *no_color == '\0');
}

int display_width(std::string_view text) {
  int width = 0;
  for (const Character& each : characters_in(text)) width += width_of(each.value);
  return width;
}

std::string printable(std::string_view text) {
  std::string result;
  for (const Character& each : characters_in(text))
    append_utf8(result, is_control(each.value) ? kReplacementCharacter : each.value);
  return result;
}

std::string truncate_to_width(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  return width < 1 ? "" : std::string(beginning(text, width - 1)) + "…";
}

std::string pad_right(std::string_view text, int width) {
  std::string result = truncate_to_width(text, width);
  return result + std::string(static_cast<std::size_t>(std::max(0, width - display_width(result))), ' ');
}

std::string pad_left(std::string_view text, int width) {
  const std::string result = truncate_to_width(text, width);
  return std::string(static_cast<std::size_t>(std::max(0, width - display_width(result))), ' ') + result;
}

std::string colored(std::string_view text, Color color, bool allowed) {
  if (!allowed) return std::string(text);
  return "\x1b[" + std::to_string(static_cast<int>(color)) + "m" + std::string(text) + "\x1b[0m";
}

// ---- attention weights

namespace {

constexpr int kWidestRowLabel = 16;
constexpr int kUsualCell = 3, kNarrowestCell = 2;  // columns, with a gap of one to the next cell

// A weight close to 0 is a single dot, so that the eye can follow the row.
std::string cell_of(Real weight, int width) {
  if (std::isnan(weight)) return pad_right("?", width);
  if (weight < Real(0.05)) return pad_right("·", width);
  const char* const shade = weight < Real(0.2)   ? "░"
                            : weight < Real(0.4) ? "▒"
                            : weight < Real(0.7) ? "▓"
                                                 : "█";
  std::string text;
  for (int i = 0; i < width - 1; ++i) text += shade;
  return text + " ";
}

}  // namespace

std::string draw_attention_map(const Tensor& weights, const std::vector<std::string>& target,
                               const std::vector<std::string>& source, const AttentionMapStyle& style) {
  const Index target_len = std::ssize(target), source_len = std::ssize(source);
  CHECK_SHAPE(weights, target_len, source_len);
  int label = 0;
  for (const std::string& token : target)
    label = std::max(label, std::min(display_width(printable(token)), kWidestRowLabel));
  const int left = label + 2, room = std::max(kNarrowestCell, style.width - left);
  const int cell =
      std::clamp(room / static_cast<int>(std::max<Index>(1, source_len)), kNarrowestCell, kUsualCell);
  const Index columns = std::min<Index>(source_len, room / cell);

  // A staircase of labels: label i begins above column i, and a thread leads from it down to its column.
  std::string text, threads(static_cast<std::size_t>(left), ' ');
  for (Index i = 0; i < columns; ++i) {
    const int rest = style.width - left - cell * static_cast<int>(i);
    text += threads + truncate_to_width(printable(source[i]), std::max(cell, rest)) + "\n";
    threads += pad_right("│", cell);
  }

  // The matrix.
  for (Index row = 0; row < target_len; ++row) {
    text += pad_left(printable(target[row]), label) + "  ";
    for (Index column = 0; column < columns; ++column) text += cell_of(weights(row, column), cell);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  if (style.legend)
    text += "rows: " + style.rows + ", columns: " + style.columns + "   · < .05  ░ < .2  ▒ < .4  ▓ < .7  █\n";
  if (columns < source_len)
    text += "(the first " + std::to_string(columns) + " of " + std::to_string(source_len) + " columns)\n";
  return text;
}

}  // namespace plainformer
