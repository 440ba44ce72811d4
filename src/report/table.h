// A table of text, numbers and shares, for people: columns aligned, and shares drawn as bars on a terminal.
//
//   shape        m     n     k  GFLOP/s  of peak
//   logits    2048  8000   512    251.3    96 % ███████████████████▏
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace plainformer {

struct TableColumn {
  enum class Kind {
    kText,    // left-aligned
    kNumber,  // right-aligned, with `decimals`
    kShare,   // 0.96 as "96 %", with a bar where bars are drawn
  };
  std::string key;    // its name in machine-readable output: "gflops"
  std::string title;  // its name for people: "GFLOP/s"
  Kind kind = Kind::kText;
  int decimals = 0;
};

using TableCell = std::variant<std::monostate, std::string, double>;  // an empty cell is printed as "-"

struct Table {
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows;  // each with a cell for each column
};

// The table as lines, each with a line break at its end. The first holds the titles.
std::string render_table(const Table& table, bool with_bars);

}  // namespace plainformer
