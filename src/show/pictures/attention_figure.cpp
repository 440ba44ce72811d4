#include "show/pictures/attention_figure.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/check.h"
#include "show/pictures/svg.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr int kWidestLabel = 24;  // columns

// Pixels.
constexpr double kMargin = 16, kCharacter = 7.6;  // of a label
constexpr double kLegendTop = 52, kLegendRow = 20, kLegendEntry = 84;
constexpr double kRow = 26, kLinesWidth = 260, kPad = 8;  // of the two columns of words
constexpr double kCell = 26, kBetweenMaps = 28, kWidestPicture = 1000;
constexpr double kSlope = 0.7071;  // labels above a map rise by 45 degrees

constexpr const char* kStyle =
    "<style>.word{font-size:14px}.number{font-size:10px}.lines{fill:none;stroke:currentColor;stroke-width:2;"
    "stroke-linecap:round}</style>\n";

std::string number(double value) {
  return format_fixed(value, 1);
}

std::string label(const std::string& token) {
  return truncate_to_width(printable(token), kWidestLabel);
}

double label_width(const std::vector<std::string>& tokens) {
  int widest = 0;
  for (const std::string& token : tokens) widest = std::max(widest, display_width(label(token)));
  return kCharacter * widest;
}

// The attributes of a head's lines: its color, and its dashes if there are more heads than colors.
std::string style_of(Index head) {
  const auto color = static_cast<int>(head % kPictureColors);
  const Index cycle = head % kHeadStyles / kPictureColors;
  const std::string dashes = cycle == 0   ? ""
                             : cycle == 1 ? " stroke-dasharray=\"7 4\""
                                          : " stroke-dasharray=\"1 4\"";
  return "class=\"lines" + color_class(color) + "\"" + dashes;
}

std::string box(const std::string& classes, ChartPoint corner, ChartPoint size, double opacity) {
  return "<rect class=\"" + classes + "\" x=\"" + number(corner.x) + "\" y=\"" + number(corner.y) +
         "\" width=\"" + number(size.x) + "\" height=\"" + number(size.y) + "\" fill-opacity=\"" +
         format_fixed(opacity, 2) + "\"/>\n";
}

// A weight as it is drawn: within 0 to 1, and 0 if it is not a number.
double weight_at(const AttentionFigure& figure, Index head, Index query, Index key) {
  const auto weight = static_cast<double>(figure.weights.at({head, query, key}));
  return std::isnan(weight) ? 0 : std::clamp(weight, 0.0, 1.0);
}

Index query_len_of(const AttentionFigure& figure) {
  return std::ssize(figure.queries);
}

Index key_len_of(const AttentionFigure& figure) {
  return std::ssize(figure.keys);
}

Index heads_of(const AttentionFigure& figure) {
  return figure.weights.dim(0);
}

Index head_number(const AttentionFigure& figure, Index head) {
  return figure.heads.empty() ? head : figure.heads[static_cast<std::size_t>(head)];
}

std::string head_name(const AttentionFigure& figure, Index head) {
  return "head " + std::to_string(head_number(figure, head));
}

std::string head_color(const AttentionFigure& figure, Index head) {
  return color_class(static_cast<int>(head_number(figure, head) % kPictureColors));
}

void check(const AttentionFigure& figure) {
  CHECK(figure.weights.rank() == 3, "the weights have rank ", figure.weights.rank());
  const Index heads = heads_of(figure), query_len = query_len_of(figure), key_len = key_len_of(figure);
  CHECK_SHAPE(figure.weights, heads, query_len, key_len);
  CHECK(heads > 0 && query_len > 0 && key_len > 0, "heads=", heads, " query_len=", query_len,
        " key_len=", key_len);
  CHECK(query_len <= kMostFigureWords && key_len <= kMostFigureWords, "query_len=", query_len,
        " key_len=", key_len);
  CHECK(figure.heads.empty() || std::ssize(figure.heads) == heads, figure.heads.size(), " numbers of ", heads,
        " heads");
  for (const Index head : figure.heads) CHECK(head >= 0, "head ", head);
  for (const Index query : figure.only)
    CHECK(query >= 0 && query < query_len, "query ", query, " of ", query_len);
}

bool is_drawn(const AttentionFigure& figure, Index query) {
  return figure.only.empty() || std::find(figure.only.begin(), figure.only.end(), query) != figure.only.end();
}

double title_width(const AttentionFigure& figure) {
  return 2 * kMargin + 8.6 * display_width(printable(figure.title));
}

// ---- two columns of words

struct Columns {
  double left, right;             // where the lines begin and end
  double width, top;              // of the picture; of the first row
  double query_width, key_width;  // of the columns, padding included
  double legend_bottom;

  double y(Index row) const { return top + kRow * (static_cast<double>(row) + 0.5); }
};

Columns lay_out_columns(const AttentionFigure& figure) {
  Columns columns;
  columns.query_width =
      std::max(label_width(figure.queries), kCharacter * display_width(figure.query_heading)) + 2 * kPad;
  columns.key_width =
      std::max(label_width(figure.keys), kCharacter * display_width(figure.key_heading)) + 2 * kPad;
  columns.left = kMargin + columns.query_width;
  columns.right = columns.left + kLinesWidth;
  const double needed = columns.right + columns.key_width + kMargin;
  columns.width = std::max(needed, title_width(figure));
  columns.left += (columns.width - needed) / 2;
  columns.right += (columns.width - needed) / 2;

  const auto in_a_row = std::max<Index>(1, static_cast<Index>((columns.width - 2 * kMargin) / kLegendEntry));
  columns.legend_bottom = kLegendTop + kLegendRow * static_cast<double>((heads_of(figure) - 1) / in_a_row);
  columns.top = columns.legend_bottom + 40;
  return columns;
}

std::string draw_legend(const AttentionFigure& figure, const Columns& columns) {
  std::string svg;
  ChartPoint at = {kMargin, kLegendTop};
  for (Index head = 0; head < heads_of(figure); ++head) {
    if (at.x > kMargin && at.x + kLegendEntry > columns.width - kMargin) at = {kMargin, at.y + kLegendRow};
    svg += "<path " + style_of(head_number(figure, head)) + " d=\"" + svg::command('M', at) + "h20\"/>\n";
    svg += svg::text("ink", {at.x + 27, at.y + 4}, "start", head_name(figure, head));
    at.x += kLegendEntry;
  }
  return svg;
}

// A strip for each head, behind the queries in `only` and the words that they look at.
std::string draw_strips(const AttentionFigure& figure, const Columns& columns) {
  std::string svg;
  const auto heads = static_cast<double>(heads_of(figure));
  const auto strip = [&](double left, double width, Index row, Index head, double weight) {
    if (weight < kLeastDrawnWeight) return;
    svg += box("fill" + head_color(figure, head),
               {left + width * static_cast<double>(head) / heads, columns.y(row) - kRow / 2 + 2},
               {width / heads, kRow - 4}, 0.5 * weight);
  };
  for (Index head = 0; head < heads_of(figure); ++head) {
    for (const Index query : figure.only)
      strip(columns.left - columns.query_width, columns.query_width, query, head, 1);
    for (Index key = 0; key < key_len_of(figure); ++key) {
      double largest = 0;
      for (const Index query : figure.only) largest = std::max(largest, weight_at(figure, head, query, key));
      strip(columns.right, columns.key_width, key, head, largest);
    }
  }
  return svg;
}

// Draws the strongest line last, so that it lies on top. The lines of several heads leave a word side by side.
std::string draw_lines(const AttentionFigure& figure, const Columns& columns) {
  std::vector<std::tuple<double, Index, Index, Index>> lines;  // weight, head, query, key
  for (Index head = 0; head < heads_of(figure); ++head) {
    for (Index query = 0; query < query_len_of(figure); ++query) {
      for (Index key = 0; key < key_len_of(figure) && is_drawn(figure, query); ++key) {
        const double weight = weight_at(figure, head, query, key);
        if (weight >= kLeastDrawnWeight) lines.emplace_back(weight, head, query, key);
      }
    }
  }
  std::sort(lines.begin(), lines.end());
  const Index heads = heads_of(figure);
  const double spread = std::min(3.0, (kRow - 12) / static_cast<double>(heads));
  std::string svg;
  for (const auto& [weight, head, query, key] : lines) {
    const double aside = spread * (static_cast<double>(head) - static_cast<double>(heads - 1) / 2);
    svg += "<path " + style_of(head_number(figure, head)) + " stroke-opacity=\"" + format_fixed(weight, 2) +
           "\" d=\"" + svg::command('M', {columns.left, columns.y(query) + aside}) +
           svg::command('L', {columns.right, columns.y(key) + aside}) + "\"/>\n";
  }
  return svg;
}

std::string draw_words(const AttentionFigure& figure, const Columns& columns) {
  std::string svg = svg::text("soft", {columns.left - kPad, columns.top - 8}, "end", figure.query_heading) +
                    svg::text("soft", {columns.right + kPad, columns.top - 8}, "start", figure.key_heading);
  for (Index i = 0; i < query_len_of(figure); ++i) {
    svg += svg::text(is_drawn(figure, i) ? "ink word" : "soft word", {columns.left - kPad, columns.y(i) + 5},
                     "end", label(figure.queries[static_cast<std::size_t>(i)]));
  }
  for (Index i = 0; i < key_len_of(figure); ++i) {
    svg += svg::text("ink word", {columns.right + kPad, columns.y(i) + 5}, "start",
                     label(figure.keys[static_cast<std::size_t>(i)]));
  }
  return svg;
}

// ---- heat maps

struct Maps {
  double label;         // the width of the row labels
  double above, width;  // of a map: the height of the column labels; its width with all labels
  double height;
  Index in_a_row;
  double picture_width;
};

Maps lay_out_maps(const AttentionFigure& figure) {
  Maps maps;
  maps.label = label_width(figure.queries) + kPad;
  const double slanted = kSlope * label_width(figure.keys);
  maps.above = slanted + 34;
  maps.width = maps.label + kCell * static_cast<double>(key_len_of(figure)) + slanted;
  maps.height = maps.above + kCell * static_cast<double>(query_len_of(figure));
  const double room = kWidestPicture - 2 * kMargin + kBetweenMaps;
  maps.in_a_row =
      std::clamp<Index>(static_cast<Index>(room / (maps.width + kBetweenMaps)), 1, heads_of(figure));
  const auto columns = static_cast<double>(maps.in_a_row);
  maps.picture_width =
      std::max(title_width(figure), 2 * kMargin + columns * maps.width + (columns - 1) * kBetweenMaps);
  return maps;
}

std::string draw_cell(const std::string& color, ChartPoint corner, double weight) {
  if (weight < kLeastDrawnWeight) return "";
  std::string svg = box("fill" + color, corner, {kCell - 1, kCell - 1}, weight);
  const auto hundredths = std::lround(100 * weight);
  if (hundredths >= 5) {
    svg += svg::text(weight < 0.6 ? "ink number" : "paper number",
                     {corner.x + (kCell - 1) / 2, corner.y + kCell / 2 + 3.5}, "middle",
                     std::to_string(hundredths));
  }
  return svg;
}

std::string draw_map(const AttentionFigure& figure, const Maps& maps, Index head, ChartPoint corner) {
  const double left = corner.x + maps.label, top = corner.y + maps.above;
  const auto along = [](Index i) { return kCell * static_cast<double>(i); };
  std::string svg = svg::text("ink heading", {corner.x, corner.y + 12}, "start", head_name(figure, head));
  for (Index key = 0; key < key_len_of(figure); ++key) {
    svg += svg::slanted_text("ink word", {left + along(key) + kCell / 2, top - 6},
                             label(figure.keys[static_cast<std::size_t>(key)]));
  }
  svg += "<path class=\"grid\" fill=\"none\" d=\"";
  for (Index i = 0; i <= query_len_of(figure); ++i)
    svg += svg::command('M', {left - 0.5, top + along(i) - 0.5}) + "h" + number(along(key_len_of(figure)));
  for (Index i = 0; i <= key_len_of(figure); ++i)
    svg += svg::command('M', {left + along(i) - 0.5, top - 0.5}) + "v" + number(along(query_len_of(figure)));
  svg += "\"/>\n";
  for (Index query = 0; query < query_len_of(figure); ++query) {
    svg += svg::text("ink word", {left - kPad, top + along(query) + kCell / 2 + 4}, "end",
                     label(figure.queries[static_cast<std::size_t>(query)]));
    for (Index key = 0; key < key_len_of(figure); ++key)
      svg += draw_cell(head_color(figure, head), {left + along(key), top + along(query)},
                       weight_at(figure, head, query, key));
  }
  return svg;
}

}  // namespace

std::string attention_lines_svg(const AttentionFigure& figure) {
  check(figure);
  const Columns columns = lay_out_columns(figure);
  const Index rows = std::max(query_len_of(figure), key_len_of(figure));
  return framed({.title = figure.title,
                 .description = figure.description,
                 .width = columns.width,
                 .height = columns.top + kRow * static_cast<double>(rows) + kMargin,
                 .left = kMargin},
                kStyle + draw_legend(figure, columns) + draw_strips(figure, columns) +
                    draw_lines(figure, columns) + draw_words(figure, columns));
}

std::string attention_heat_map_svg(const AttentionFigure& figure) {
  check(figure);
  const Maps maps = lay_out_maps(figure);
  std::string svg = kStyle;
  constexpr double kTop = kTitleBaseline + 20;
  for (Index head = 0; head < heads_of(figure); ++head) {
    const auto column = static_cast<double>(head % maps.in_a_row),
               row = static_cast<double>(head / maps.in_a_row);
    svg +=
        draw_map(figure, maps, head,
                 {kMargin + column * (maps.width + kBetweenMaps), kTop + row * (maps.height + kBetweenMaps)});
  }
  const auto rows = static_cast<double>((heads_of(figure) + maps.in_a_row - 1) / maps.in_a_row);
  return framed({.title = figure.title,
                 .description = figure.description,
                 .width = maps.picture_width,
                 .height = kTop + rows * (maps.height + kBetweenMaps) - kBetweenMaps + kMargin,
                 .left = kMargin},
                svg);
}

}  // namespace plainformer
