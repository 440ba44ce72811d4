// Numbers and tables as people read them, the same in every locale.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/real.h"

namespace plainformer {

// Three digits and a unit: "999", "1.23k", "41.2k", "412k", "1.20M", "3.00G".
std::string format_count(double count);

// A number and its noun: "1 pair", "2 pairs".
std::string count_of(Index count, const std::string& one);

// A time in seconds: "0:59", "1:32", "1:02:03", "2 d 01:02:03"; "-:--" if negative or not finite.
std::string format_duration(double seconds);

// ---- a table of text, numbers and shares: columns aligned, and shares drawn as bars on a terminal
//
//   shape        m     n     k  GFLOP/s  of peak
//   logits    2048  8000   512    251.3    96 % ███████████████████

enum class ColumnKind {
  kText,    // left-aligned
  kNumber,  // right-aligned, with `decimals`
  kShare,   // 0.96 as "96 %", with a bar where bars are drawn
};

struct TableColumn {
  std::string title;  // "GFLOP/s"
  ColumnKind kind = ColumnKind::kText;
  int decimals = 0;
};

using TableCell = std::variant<std::monostate, std::string, double>;  // an empty cell is printed as "-"

struct Table {
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows = {};  // each with a cell for each column
};

// The table as lines, each with a line break at its end. The first holds the titles.
std::string render_table(const Table& table, bool with_bars);

}  // namespace plainformer
