// Charts of several training runs: a line through the means, and an upright one from the lowest to the highest.
#pragma once

#include <string>
#include <vector>

#include "lab/experiments/lookup_settings.h"
#include "lab/pictures/line_chart.h"
#include "report/table.h"

namespace plainformer {

// An empty panel for lines of the colors 0 to lines - 1.
ChartPanel spread_panel(const std::string& heading, int lines);

// The y axis of percentages.
inline const std::vector<double> kAllPercents = {0, 100};

void add_spread(ChartPanel& panel, int line, double x, const Spread& y);

// Adds a mark of its own, joined to no other, and its range.
void add_single(ChartPanel& panel, int color, double x, const Spread& y);

// The cell of a row in the column with this key. std::logic_error if there is no such column, or if the cell holds
// something else.
double number_in(const Table& table, const std::vector<TableCell>& row, const std::string& key);
std::string text_in(const Table& table, const std::vector<TableCell>& row, const std::string& key);

// Is there a number in that cell?
bool has_number(const Table& table, const std::vector<TableCell>& row, const std::string& key);

// Its columns exact, exact_lowest and exact_highest.
Spread exact_in(const Table& table, const std::vector<TableCell>& row);

// The columns of exact_in, after these.
std::vector<TableColumn> with_exact(std::vector<TableColumn> columns);

// The names of the lines 0, 1, ...
std::vector<ChartLegendEntry> spread_legend(const std::vector<std::string>& names);

}  // namespace plainformer
