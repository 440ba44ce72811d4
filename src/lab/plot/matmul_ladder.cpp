// The matrix product: the rates of the ladder's steps as bars, and the tile that lies in registers. The measurements
// have one place, the tables of docs/appendix-matmul.md, and the picture reads them there.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "core/number_text.h"
#include "data/text.h"
#include "lab/pictures/bar_chart.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"

namespace plainformer {

namespace matmul_ladder_picture {

constexpr const char* kHint = "the picture is drawn from the page's tables";

using Cells = std::vector<std::string>;

constexpr double kWidth = 480, kTile = 262, kTileLeft = 132, kCell = 9;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The rows below a row of a Markdown table that begins so, without the line between.
std::vector<Cells> table_below(const std::string& head, const std::string& file) {
  std::vector<Cells> rows;
  bool inside = false;
  for (const std::string& line : read_lines(file)) {
    if (line.starts_with(head)) {
      inside = true;
    } else if (inside && !line.starts_with("|")) {
      return rows;
    } else if (inside && !line.starts_with("|-")) {
      Cells cells;
      std::istringstream stream(line.substr(1));
      for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(trimmed(cell));
      rows.push_back(std::move(cells));
    }
  }
  if (inside) return rows;  // the page ends with it
  throw input_error(file, "has no table that begins with \"" + head + "\"", kHint);
}

double number_in(const Cells& row, std::size_t column, const std::string& file) {
  const std::optional<double> number = column < row.size() ? parse_number<double>(row[column]) : std::nullopt;
  if (!number) throw input_error(file, "a row of a table lacks its number", kHint);
  return *number;
}

BarChart rates(const std::string& file) {
  BarChart chart = {.heading = "GFLOP/s", .note = "in parentheses: of the peak", .bars = {}, .longest = 0};
  for (const Cells& row : table_below("| step | what changed |", file)) {
    const double rate = number_in(row, 3, file), threads = number_in(row, 2, file);
    const std::string name = row[0] == "`multiply`" ? "multiply" : row[0];
    chart.bars.push_back(
        {.name = name, .length = rate, .value = row[3] + " (" + row[4] + ")", .color = threads > 1 ? 2 : 0});
    chart.longest = std::max(chart.longest, rate);
  }
  return chart;
}

// "14 × 2 vectors" of 16 lanes
struct TileExtents {
  Index rows, vectors, lanes;
};

TileExtents extents(const std::string& file) {
  for (const Cells& row : table_below("| | registers | lanes |", file)) {
    if (row.size() < 4 || row[0] != "AVX-512") continue;
    std::istringstream tile(row[3]);
    TileExtents result = {.rows = 0, .vectors = 0, .lanes = static_cast<Index>(number_in(row, 2, file))};
    std::string times;
    if (tile >> result.rows >> times >> result.vectors) return result;
  }
  throw input_error(file, "has no tile of AVX-512", kHint);
}

std::string cells(ChartPoint corner, Index rows, Index columns, const std::string& classes) {
  std::string svg;
  for (Index row = 0; row < rows; ++row)
    for (Index column = 0; column < columns; ++column)
      svg += svg::rectangle(
          classes,
          {corner.x + kCell * static_cast<double>(column), corner.y + kCell * static_cast<double>(row)},
          {kCell - 1.5, kCell - 1.5});
  return svg;
}

// A column of a at the left, a row of b above, and their outer product between, vector by vector.
std::string draw_tile(const TileExtents& tile) {
  const double width = kCell * static_cast<double>(tile.lanes);
  const auto sums = std::to_string(tile.rows * tile.vectors);
  std::string svg =
      svg::text("ink heading", {16, kTile - 12}, "start", "One step of the SIMD tile") +
      svg::text("soft small", {16, kTile + 5}, "start",
                sums + " vectors of sums stay in registers while all steps p pass by") +
      cells({kTileLeft - 24, kTile + 52}, tile.rows, 1, "fill c1") +
      svg::text("ink", {kTileLeft - 34, kTile + 52 + kCell * static_cast<double>(tile.rows) / 2}, "end",
                "column of a");
  for (Index vector = 0; vector < tile.vectors; ++vector) {
    const double x = kTileLeft + (width + 6) * static_cast<double>(vector);
    svg += cells({x, kTile + 34}, 1, tile.lanes, "fill c2") +
           cells({x, kTile + 52}, tile.rows, tile.lanes, "fill c0");
  }
  return svg + svg::text("ink", {kTileLeft, kTile + 26}, "start", "row of b") +
         svg::text("soft small", {16, kTile + 68 + kCell * static_cast<double>(tile.rows)}, "start",
                   std::to_string(tile.rows) + " rows, " + std::to_string(tile.vectors) + " vectors of " +
                       std::to_string(tile.lanes) + " floats: each cell adds its a times its b");
}

}  // namespace matmul_ladder_picture

std::string draw_matmul_ladder(const std::string& folder) {
  using namespace matmul_ladder_picture;
  const std::string page = folder + "/../appendix-matmul.md";
  const TileExtents tile = extents(page);
  return framed(
      {.title = "From three loops to the matrix product",
       .description =
           "Bars for the rates of six matrix products. Three loops reach one percent of the peak, "
           "vectors in registers nine tenths of it, and two threads twice as much. Below, one step of "
           "the innermost loop: a column of a and a row of b give a whole tile of products, which are "
           "added to sums in registers.",
       .width = kWidth,
       .height = kTile + 84 + kCell * static_cast<double>(tile.rows)},
      svg::text("soft", {16, 50}, "start", "512 × 512 × 512; blue: one thread, green: two") +
          draw_bars(rates(page), {.left = 16, .top = 64, .axis = 92, .longest_end = 372, .right = 464}) +
          draw_tile(tile));
}

}  // namespace plainformer
