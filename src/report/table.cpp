#include "report/table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr int kBarWidth = 20;

std::string text_of(const TableCell& cell, const TableColumn& column) {
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
  const auto* number = std::get_if<double>(&cell);
  if (number == nullptr) return "-";
  if (column.kind == TableColumn::Kind::kShare) return format_fixed(100 * *number, column.decimals) + " %";
  return format_fixed(*number, column.decimals);
}

int width_of(const Table& table, std::size_t column) {
  int width = display_width(table.columns[column].title);
  for (const auto& row : table.rows)
    width = std::max(width, display_width(text_of(row[column], table.columns[column])));
  return width;
}

// A bar in steps of an eighth of a block: kBarWidth full blocks for a share of 1 or more.
std::string bar_of(double share) {
  constexpr std::array<const char*, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double inside = share > 0 ? std::min(share, 1.0) : 0;
  const auto eighths = static_cast<int>(std::lround(inside * 8 * kBarWidth));
  std::string bar;
  for (int i = 0; i < eighths / 8; ++i) bar += "█";
  return bar + kEighths[static_cast<std::size_t>(eighths % 8)];
}

}  // namespace

std::string render_table(const Table& table, bool with_bars) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    CHECK(table.rows[i].size() == table.columns.size(), "row ", i, " has ", table.rows[i].size(),
          " cells for ", table.columns.size(), " columns");
  }
  std::vector<std::string> lines(table.rows.size() + 1);
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const TableColumn& column = table.columns[j];
    const int width = width_of(table, j);
    const auto add = [&](std::string& line, const std::string& text) {
      if (j > 0) line += "  ";
      line += column.kind == TableColumn::Kind::kText ? pad_right(text, width) : pad_left(text, width);
    };
    add(lines[0], column.title);
    for (std::size_t i = 0; i < table.rows.size(); ++i) add(lines[i + 1], text_of(table.rows[i][j], column));
    if (column.kind != TableColumn::Kind::kShare || !with_bars) continue;
    lines[0] += std::string(1 + kBarWidth, ' ');
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const auto* share = std::get_if<double>(&table.rows[i][j]);
      lines[i + 1] += " " + pad_right(bar_of(share ? *share : 0), kBarWidth);
    }
  }
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace plainformer
