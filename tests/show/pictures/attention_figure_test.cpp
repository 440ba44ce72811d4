// Attention weights as pictures.
#include "show/pictures/attention_figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "show/pictures/well_formed.h"

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

// Two queries, three keys, one head. The first row of words is at y = 105, the next 26 pixels below.
AttentionFigure small_figure() {
  AttentionFigure figure;
  figure.title = "Attention";
  figure.description = "Two words look at three.";
  figure.queries = {"die", "Katze"};
  figure.keys = {"the", "big", "cat"};
  figure.weights = Tensor::from({1, 2, 3}, {0.75, 0.245f, 0.005f, 0, 0.375, 0.625});
  return figure;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool figure_contains(const std::string& text, const std::string& part) {
  return count_of(text, part) > 0;
}

std::string figure_between(const std::string& text, const std::string& begin, const std::string& end) {
  const auto from = text.find(begin);
  if (from == std::string::npos) return "";
  return text.substr(from + begin.size(), text.find(end, from + begin.size()) - from - begin.size());
}

TEST(AttentionFigure, ALineGoesFromAQueryToAKeyAndIsAsOpaqueAsItsWeight) {
  const std::string svg = attention_lines_svg(small_figure());
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count_of(svg, "stroke-opacity="), 4u) << "a line for each weight that can be seen";
  const std::string left = figure_between(svg, "stroke-opacity=\"0.75\" d=\"M", " "),
                    right = figure_between(svg, "stroke-opacity=\"0.75\" d=\"M" + left + " 105.0L", " ");
  EXPECT_EQ(std::stod(right) - std::stod(left), 260);
  const auto line = [&](const std::string& opacity, const std::string& from, const std::string& to) {
    return "stroke-opacity=\"" + opacity + "\" d=\"M" + left + " " + from + "L" + right + " " + to + "\"";
  };
  EXPECT_TRUE(figure_contains(svg, line("0.75", "105.0", "105.0"))) << svg;
  EXPECT_TRUE(figure_contains(svg, line("0.24", "105.0", "131.0")) ||
              figure_contains(svg, line("0.25", "105.0", "131.0")));
  EXPECT_TRUE(figure_contains(svg, line("0.38", "131.0", "131.0")));
  EXPECT_TRUE(figure_contains(svg, line("0.62", "131.0", "157.0")));
  EXPECT_LT(svg.find("0.38"), svg.find("0.75")) << "the strongest lies on top";
}

TEST(AttentionFigure, WordsStandBesideTheirLines) {
  const std::string svg = attention_lines_svg(small_figure());
  for (const char* part :
       {" y=\"110.0\" text-anchor=\"end\">die<", " y=\"136.0\" text-anchor=\"end\">Katze<",
        " y=\"110.0\" text-anchor=\"start\">the<", " y=\"162.0\" text-anchor=\"start\">cat<", ">query<",
        ">key<", "<title>Attention</title>\n<desc>Two words look at three.</desc>"})
    EXPECT_TRUE(figure_contains(svg, part)) << part;
}

TEST(AttentionFigure, AHeadHasAColorAndThenAlsoDashes) {
  AttentionFigure figure = small_figure();
  figure.weights = Tensor::filled({3, 2, 3}, 0.25);
  figure.heads = {1, 7, 13};
  const std::string svg = attention_lines_svg(figure);
  EXPECT_TRUE(figure_contains(svg, ">head 1<"));
  EXPECT_TRUE(figure_contains(svg, ">head 13<"));
  EXPECT_EQ(count_of(svg, "class=\"lines c1\" stroke-opacity"), 6u);
  EXPECT_EQ(count_of(svg, "class=\"lines c1\" stroke-dasharray=\"7 4\" stroke-opacity"), 6u);
  EXPECT_EQ(count_of(svg, "class=\"lines c1\" stroke-dasharray=\"1 4\" stroke-opacity"), 6u);
}

// As in figure 3: the lines of one word, and the colors behind the words that it looks at.
TEST(AttentionFigure, OneQueryAloneShowsWhatItLooksAt) {
  AttentionFigure figure = small_figure();
  figure.only = {1};
  const std::string svg = attention_lines_svg(figure);
  EXPECT_EQ(count_of(svg, "stroke-opacity="), 2u);
  EXPECT_EQ(count_of(svg, "<rect class=\"fill c0\""), 3u) << "its own, and one for each key that it looks at";
  EXPECT_TRUE(figure_contains(svg, "fill-opacity=\"0.50\"/>"));
  EXPECT_TRUE(figure_contains(svg, "fill-opacity=\"0.31\"/>"));
  EXPECT_TRUE(figure_contains(svg, "class=\"soft word\"")) << "the other query";
  EXPECT_FALSE(figure_contains(attention_lines_svg(small_figure()), "fill c0"));
}

TEST(AttentionFigure, AHeatMapHasARowForEachQuery) {
  const std::string svg = attention_heat_map_svg(small_figure());
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count_of(svg, "<rect class=\"fill c0\""), 4u);
  const std::string x = figure_between(svg, "<rect class=\"fill c0\" x=\"", "\""),
                    y = figure_between(svg, "<rect class=\"fill c0\" x=\"" + x + "\" y=\"", "\"");
  const auto cell = [&](int row, int column) {
    return "x=\"" + std::to_string(std::stoi(x) + 26 * column) + x.substr(x.find('.')) + "\" y=\"" +
           std::to_string(std::stoi(y) + 26 * row) + y.substr(y.find('.')) +
           "\" width=\"25.0\" height=\"25.0\" fill-opacity=\"";
  };
  EXPECT_TRUE(figure_contains(svg, cell(0, 0) + "0.75"));
  EXPECT_TRUE(figure_contains(svg, cell(1, 1) + "0.38"));
  EXPECT_TRUE(figure_contains(svg, cell(1, 2) + "0.62"));
  EXPECT_TRUE(figure_contains(svg, ">75<"));
  EXPECT_TRUE(figure_contains(svg, ">62<") || figure_contains(svg, ">63<"));
}

TEST(AttentionFigure, EachHeadHasItsMap) {
  AttentionFigure figure = small_figure();
  figure.weights = Tensor::filled({9, 2, 3}, 0.25);
  const std::string svg = attention_heat_map_svg(figure);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count_of(svg, "<rect class=\"fill"), 54u);
  EXPECT_TRUE(figure_contains(svg, ">head 8<"));
}

TEST(AttentionFigure, DrawsNothingForWhatIsNoWeightAndFullInkForMoreThanOne) {
  AttentionFigure figure = small_figure();
  figure.weights = Tensor::from({1, 2, 3}, {NAN, -1, 0, 7, INFINITY, 0});
  const std::string lines = attention_lines_svg(figure), map = attention_heat_map_svg(figure);
  EXPECT_EQ(count_of(lines, "stroke-opacity=\"1.00\""), 2u);
  EXPECT_EQ(count_of(lines, "stroke-opacity="), 2u);
  EXPECT_EQ(count_of(map, "fill-opacity=\"1.00\""), 2u);
  EXPECT_FALSE(figure_contains(lines + map, "nan"));
}

TEST(AttentionFigure, TextDoesNoHarm) {
  AttentionFigure figure = small_figure();
  figure.title = figure.description = figure.query_heading = "</svg><script>alert(1)</script>";
  figure.queries = {std::string("\0\x1b[2J", 5), "\xff\"'&"};
  figure.keys = {"</text>", "\u202e\u05d0\u05d1", std::string(5000, 'x')};
  for (const std::string& svg : {attention_lines_svg(figure), attention_heat_map_svg(figure)}) {
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_FALSE(figure_contains(svg, "<script"));
    EXPECT_FALSE(figure_contains(svg, "\x1b"));
    EXPECT_FALSE(figure_contains(svg, "\xff"));
    EXPECT_EQ(svg.find('\0'), std::string::npos);
    EXPECT_TRUE(figure_contains(svg, "\u05d0\u05d1"));
    EXPECT_FALSE(figure_contains(svg, std::string(24, 'x'))) << "a long word is cut";
  }
}

TEST(AttentionFigure, FetchesNothingAndHasNoColorOutsideTheThemes) {
  for (const std::string& svg :
       {attention_lines_svg(small_figure()), attention_heat_map_svg(small_figure())}) {
    for (const char* word : {"url(", "href", "@import", "<script", "src="})
      EXPECT_FALSE(figure_contains(svg, word)) << word;
    const std::string content = svg.substr(svg.find("<rect class=\"paper\""));
    EXPECT_FALSE(figure_contains(content, "#"));
  }
}

TEST(AttentionFigure, TheWeightsMustFitTheWords) {
  const auto refused = [](const std::function<void(AttentionFigure&)>& change) {
    AttentionFigure figure = small_figure();
    change(figure);
    EXPECT_THROW(attention_lines_svg(figure), std::logic_error);
    EXPECT_THROW(attention_heat_map_svg(figure), std::logic_error);
  };
  refused([](AttentionFigure& figure) { figure.keys.pop_back(); });
  refused([](AttentionFigure& figure) { figure.weights = Tensor::zeros({2, 3}); });
  refused([](AttentionFigure& figure) { figure.heads = {0, 1}; });
  refused([](AttentionFigure& figure) { figure.heads = {-1}; });
  refused([](AttentionFigure& figure) { figure.only = {2}; });
  refused([](AttentionFigure& figure) {
    figure.keys = Strings(201, "x");
    figure.weights = Tensor::zeros({1, 2, 201});
  });
}

}  // namespace
}  // namespace plainformer
