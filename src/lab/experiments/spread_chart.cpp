#include "lab/experiments/spread_chart.h"

#include <algorithm>

#include "core/check.h"

namespace plainformer {

namespace {

using Kind = TableColumn::Kind;

const TableCell& cell_in(const Table& table, const std::vector<TableCell>& row, const std::string& key) {
  const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                   [&](const TableColumn& each) { return each.key == key; });
  CHECK(column != table.columns.end() && row.size() == table.columns.size(), "no column ", key);
  return row[static_cast<std::size_t>(column - table.columns.begin())];
}

}  // namespace

ChartPanel spread_panel(const std::string& heading, int lines) {
  ChartPanel panel = {.heading = heading};
  for (int line = 0; line < lines; ++line)
    panel.series.push_back({.points = {}, .color = line, .line = ChartLine::kMarked});
  return panel;
}

void add_spread(ChartPanel& panel, int line, double x, const Spread& y) {
  ChartSeries& means = panel.series[static_cast<std::size_t>(line)];
  means.points.push_back({x, y.mean});
  const int color = means.color;
  panel.series.push_back(
      {.points = {{x, y.lowest}, {x, y.highest}}, .color = color, .line = ChartLine::kThin});
}

void add_single(ChartPanel& panel, int color, double x, const Spread& y) {
  panel.series.push_back({.points = {{x, y.mean}}, .color = color, .line = ChartLine::kMarked});
  panel.series.push_back(
      {.points = {{x, y.lowest}, {x, y.highest}}, .color = color, .line = ChartLine::kThin});
}

double number_in(const Table& table, const std::vector<TableCell>& row, const std::string& key) {
  const auto* number = std::get_if<double>(&cell_in(table, row, key));
  CHECK(number, key, " is no number");
  return *number;
}

std::string text_in(const Table& table, const std::vector<TableCell>& row, const std::string& key) {
  const auto* text = std::get_if<std::string>(&cell_in(table, row, key));
  CHECK(text, key, " is no text");
  return *text;
}

bool has_number(const Table& table, const std::vector<TableCell>& row, const std::string& key) {
  return std::get_if<double>(&cell_in(table, row, key)) != nullptr;
}

Spread exact_in(const Table& table, const std::vector<TableCell>& row) {
  return {number_in(table, row, "exact"), number_in(table, row, "exact_lowest"),
          number_in(table, row, "exact_highest")};
}

std::vector<TableColumn> with_exact(std::vector<TableColumn> columns) {
  columns.push_back({"exact", "exact %", Kind::kNumber, 1});
  columns.push_back({"exact_lowest", "lowest", Kind::kNumber, 1});
  columns.push_back({"exact_highest", "highest", Kind::kNumber, 1});
  return columns;
}

std::vector<ChartLegendEntry> spread_legend(const std::vector<std::string>& names) {
  std::vector<ChartLegendEntry> legend;
  for (int line = 0; line < std::ssize(names); ++line)
    legend.push_back({names[static_cast<std::size_t>(line)], line, ChartLine::kMarked});
  return legend;
}

}  // namespace plainformer
