#include "report/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"
#include "core/number_text.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

std::string two_digits(Index value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

std::string format_count(double count) {
  constexpr std::array<const char*, 5> kUnits = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  while (count >= 999.5 && unit + 1 < kUnits.size()) {  // 999.5 would round to "1000"
    count /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || count >= 99.95 ? 0 : count >= 9.995 ? 1 : 2;
  return fixed_text(count, decimals) + kUnits[unit];
}

std::string count_of(Index count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string format_duration(double seconds) {
  if (!(seconds >= 0 && seconds < 1e9)) return "-:--";
  const auto total = static_cast<Index>(seconds);
  const Index days = total / 86400;
  const Index hours = total / 3600 % 24;
  const Index minutes = total / 60 % 60;
  const std::string tail = two_digits(total % 60);
  if (days > 0)
    return std::to_string(days) + " d " + two_digits(hours) + ":" + two_digits(minutes) + ":" + tail;
  if (hours > 0) return std::to_string(hours) + ":" + two_digits(minutes) + ":" + tail;
  return std::to_string(minutes) + ":" + tail;
}

// ---- tables

namespace {

constexpr int kBarWidth = 20;

std::string text_of(const TableCell& cell, const TableColumn& column) {
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
  const auto* number = std::get_if<double>(&cell);
  if (number == nullptr) return "-";
  if (column.kind == ColumnKind::kShare) return fixed_text(100 * *number, column.decimals) + " %";
  return fixed_text(*number, column.decimals);
}

int width_of(const Table& table, std::size_t column) {
  int width = display_width(table.columns[column].title);
  for (const auto& row : table.rows)
    width = std::max(width, display_width(text_of(row[column], table.columns[column])));
  return width;
}

// kBarWidth blocks for a share of 1 or more.
std::string bar_of(double share) {
  const double inside = share > 0 ? std::min(share, 1.0) : 0;
  std::string bar;
  for (auto blocks = std::lround(inside * kBarWidth); blocks > 0; --blocks) bar += "█";
  return bar;
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
      line += column.kind == ColumnKind::kText ? pad_right(text, width) : pad_left(text, width);
    };
    add(lines[0], column.title);
    for (std::size_t i = 0; i < table.rows.size(); ++i) add(lines[i + 1], text_of(table.rows[i][j], column));
    if (column.kind != ColumnKind::kShare || !with_bars) continue;
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
