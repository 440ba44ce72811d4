#include "report/attention_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"
#include "platform/platform.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr int kWidestRowLabel = 16;
constexpr int kWidestCell = 8;  // columns, the gap to the next cell included
constexpr int kUsualCell = 3;   // two characters and a gap: nearly a square
constexpr int kNarrowestCell = 2;

struct Shade {
  double below;  // for weights less than this
  const char* character;
};
constexpr std::array<Shade, 5> kShades = {{{0.05, "·"}, {0.2, "░"}, {0.4, "▒"}, {0.7, "▓"}, {INFINITY, "█"}}};

struct Layout {
  int label;      // columns of the row labels
  int cell;       // columns of a cell, gap included
  Index columns;  // that are shown
  Index rows;
  bool staircase;  // column labels on lines of their own
};

int widest(const std::vector<std::string>& labels) {
  int width = 0;
  for (const std::string& label : labels) width = std::max(width, display_width(label));
  return width;
}

Layout lay_out(const std::vector<std::string>& target, const std::vector<std::string>& source,
               const AttentionMapStyle& style) {
  Layout layout;
  layout.rows = std::min<Index>(static_cast<Index>(target.size()), std::max(1, style.height));
  layout.label = std::min(widest(target), kWidestRowLabel);
  const int room = std::max(kNarrowestCell, style.width - layout.label - 2);
  const auto wanted = static_cast<int>(std::max<std::size_t>(1, source.size()));

  const int beside = std::max(kUsualCell, widest(source) + 1);  // a cell as wide as its label
  layout.staircase = beside > kWidestCell || beside * wanted > room;
  layout.cell = layout.staircase ? std::clamp(room / wanted, kNarrowestCell, kUsualCell) : beside;
  layout.columns = std::min(static_cast<int>(source.size()), room / layout.cell);
  return layout;
}

std::string margin(const Layout& layout) {
  return std::string(static_cast<std::size_t>(layout.label + 2), ' ');
}

// Label i begins above column i; the lines below carry a thread from it down to its column.
std::string staircase(const std::vector<std::string>& source, const Layout& layout, int width) {
  std::string text;
  for (Index i = 0; i < layout.columns; ++i) {
    const int used = layout.label + 2 + layout.cell * static_cast<int>(i);
    text += margin(layout);
    for (Index thread = 0; thread < i; ++thread) text += pad_right("│", layout.cell);
    text +=
        truncate_to_width(source[static_cast<std::size_t>(i)], std::max(layout.cell, width - used)) + "\n";
  }
  return text;
}

std::string labels_above(const std::vector<std::string>& source, const Layout& layout) {
  std::string text = margin(layout);
  for (const std::string& label : source) text += pad_right(label, layout.cell);
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

// The background of a cell. The palette's grays are 232 .. 255, black to white.
std::string background(double weight) {
  return "\x1b[48;5;" + std::to_string(232 + std::lround(23 * weight)) + "m";
}

std::string cell(double weight, int width, bool color) {
  if (std::isnan(weight)) return pad_right("?", width);
  weight = std::clamp(weight, 0.0, 1.0);
  const auto spaces = static_cast<std::size_t>(width - 1);
  if (color) return background(weight) + std::string(spaces, ' ') + "\x1b[0m ";
  const Shade* shade =
      std::find_if(kShades.begin(), kShades.end() - 1, [weight](Shade s) { return weight < s.below; });
  // A weight close to 0 is a single dot, so that the eye can follow the row.
  const int count = shade == kShades.begin() ? 1 : width - 1;
  std::string text;
  for (int i = 0; i < count; ++i) text += shade->character;
  return pad_right(text, width);
}

std::string legend(const AttentionMapStyle& style) {
  std::string text = "rows: " + style.rows + ", columns: " + style.columns + "   ";
  if (!style.color) return text + "· < .05  ░ < .2  ▒ < .4  ▓ < .7  █\n";
  text += "0 ";
  constexpr int kSteps = 20;
  for (int i = 0; i <= kSteps; ++i) text += background(static_cast<double>(i) / kSteps) + " ";
  return text + "\x1b[0m 1\n";
}

std::string note(const Layout& layout, Index rows, Index columns) {
  std::string text;
  const auto add = [&](Index shown, Index all, const char* name) {
    if (shown < all)
      text += (text.empty() ? "the first " : ", the first ") + std::to_string(shown) + " of " +
              std::to_string(all) + name;
  };
  add(layout.columns, columns, " columns");
  add(layout.rows, rows, " rows");
  return text.empty() ? "" : "(clipped: " + text + ")\n";
}

std::vector<std::string> harmless(const std::vector<std::string>& tokens) {
  std::vector<std::string> result;
  for (const std::string& token : tokens) result.push_back(printable(token));
  return result;
}

}  // namespace

AttentionMapStyle attention_map_style_for(int file_descriptor) {
  return {.color = color_allowed(file_descriptor), .width = terminal_width(file_descriptor)};
}

std::string draw_attention_map(const Tensor& weights, const std::vector<std::string>& target,
                               const std::vector<std::string>& source, const AttentionMapStyle& style) {
  const auto target_len = static_cast<Index>(target.size());
  const auto source_len = static_cast<Index>(source.size());
  CHECK_SHAPE(weights, target_len, source_len);
  const std::vector<std::string> row_labels = harmless(target);
  const std::vector<std::string> column_labels = harmless(source);

  // Column labels.
  const Layout layout = lay_out(row_labels, column_labels, style);
  std::string text =
      layout.staircase ? staircase(column_labels, layout, style.width) : labels_above(column_labels, layout);

  // The matrix.
  for (Index row = 0; row < layout.rows; ++row) {
    text += pad_left(row_labels[static_cast<std::size_t>(row)], layout.label) + "  ";
    for (Index column = 0; column < layout.columns; ++column) {
      text += cell(static_cast<double>(weights.at({row, column})), layout.cell, style.color);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text + (style.legend ? legend(style) : "") + note(layout, target_len, source_len);
}

}  // namespace plainformer
