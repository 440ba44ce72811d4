// plainformer layers: its tables, its picture, and the errors of its user.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "lab/pictures/well_formed.h"
#include "lab/table_1/layer_cost.h"
#include "lab/table_1/layers_picture.h"
#include "support/program.h"

namespace plainformer {
namespace {

bool table_contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

ProgramResult layers(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "layers");
  return run_program(arguments);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// n = 10, d = 8, k = 3, r = 5, one head: 2 * 100 * 8; 2 * 10 * 64; 3 * 10 * 64; (3 * 10 - 3) * 8 + 10 * 64;
// 2 * (5 * 10 - 6) * 8. One global position makes 10 pairs and is in 9; the other rows see 5 * 9 - 6.
TEST(LayersCommand, CountsTheWorkOfEachLayerBesideItsFormula) {
  const ProgramResult result =
      layers({"--only", "cost", "--n", "10", "--d", "8", "--head-width", "8", "--neighbors", "5", "--csv"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");  // nothing to wait for
  EXPECT_EQ(lines_of(result.out),
            (std::vector<std::string>{
                "cost", "layer,paper,formula,formula_value,counted,waiting_formula,waiting_counted",
                "self-attention,n^2 d,2 n^2 d,1600,1600,1,1", "  its projections,,4 n d^2,2560,2560,,",
                "recurrent,n d^2,2 n d^2,1280,1280,11,11", "convolution,k n d^2,k n d^2,1920,1920,1,1",
                "dilated convolution,k n d^2,k n d^2,1920,1920,1,1",
                "separable convolution,k n d + n d^2,k n d + n d^2 - edges,856,856,2,2",
                "attention to neighbors,r n d,2 r n d - edges,704,704,1,1",
                "  its projections,,4 n d^2,2560,2560,,",
                "neighbors and global,,2 (r + 2 g) n d - edges,928,928,1,1",
                "  its projections,,4 n d^2,2560,2560,,", ""}));
}

// tests/counting/layer_cost_test.cpp holds counted_cost of these sizes to the loops.
TEST(LayersCommand, PrintsTheCountsOfItsDefaultSizes) {
  const LayersOptions defaults;
  const LayerSizes sizes = {.d = defaults.d,
                            .heads = defaults.d / defaults.head_width,
                            .kernel = defaults.kernel,
                            .neighbors = defaults.neighbors,
                            .global = defaults.global};
  const std::string printed = layers({"--only", "cost", "--csv"}).out;
  for (const LayerKind kind : layer_kinds()) {
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    const std::string formula = number(formula_multiply_adds(kind, sizes, defaults.n)),
                      counted = number(counted_cost(kind, sizes, defaults.n).multiply_adds);
    const std::string row = "\n" + name_of(kind) + "," + paper_order(kind) + "," + formula_text(kind) + "," +
                            formula + "," + counted + ",";
    EXPECT_TRUE(contains(printed, row)) << row << printed;
  }
}

TEST(LayersCommand, FindsThePathsBesideTheirFormulas) {
  const ProgramResult result =
      layers({"--only", "path", "--path-lengths", "9,28", "--neighbors", "5", "--csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(lines_of(result.out),
            (std::vector<std::string>{
                "path", "layer,paper,found_9,formula_9,found_28,formula_28,operations",
                "self-attention,1,1,1,1,1,1", "recurrent,n,1,1,1,1,29", "convolution,n / k,4,4,14,14,14",
                "dilated convolution,log_k(n),2,2,4,4,4", "separable convolution,,4,4,14,14,28",
                "attention to neighbors,n / r,4,4,14,14,14", "neighbors and global,,2,2,2,2,2", ""}));
  EXPECT_TRUE(table_contains(result.err, "measurement 7/7 100%"));
}

TEST(LayersCommand, MeasuresTimesAndDrawsThem) {
  const TemporaryFolder folder;
  const ProgramResult result =
      layers({"--only",    "time,path", "--kinds",        "recurrent,neighbors",
              "--lengths", "16,32,64",  "--widths",       "8,16",
              "--d",       "8",         "--head-width",   "4",
              "--n",       "16",        "--path-lengths", "16,32",
              "--seconds", "0.001",     "--svg",          folder.path_of("layers.svg")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"Processor time against n", "n = 64  exponent  paper", "Memory against n",
                           "Processor time against d", "d = 16  exponent  paper", "attention to neighbors"})
    EXPECT_TRUE(table_contains(result.out, part)) << part;
  EXPECT_FALSE(table_contains(result.out, "convolution"));
  const std::string svg = folder.read("layers.svg");
  EXPECT_TRUE(is_well_formed(svg));
  for (const char* part :
       {"Table 1, measured", "Milliseconds, forward and backward", "Longest path, in operations", "recurrent",
        "attention to neighbors", ">16<", ">32<", ">64<"})
    EXPECT_TRUE(table_contains(svg, part)) << part;
}

// A kernel of 2 hears 2 positions back in two layers, and so copies over 1, and guesses over 4.
TEST(LayersCommand, TrainsOnTheTasks) {
  const ProgramResult result =
      layers({"--only", "copy,recall", "--kinds", "convolution", "--distances", "1,4", "--d", "16",
              "--head-width", "16", "--kernel", "2", "--steps", "200", "--csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 8u) << result.out;
  EXPECT_EQ(lines[1], "layer,distance_1,distance_4");
  EXPECT_TRUE(lines[2].starts_with("convolution,100,")) << lines[2];
  EXPECT_LT(std::stod(lines[2].substr(16)), 20);
  EXPECT_EQ(lines[4], "recall");
  EXPECT_TRUE(lines[6].starts_with("convolution,100,")) << lines[6];
}

TEST(LayersCommand, NumbersOutOfRangeAreRefused) {
  EXPECT_TRUE(
      failed_with_one_line(layers({"--kernel", "1"}), "layers", {"--kernel: 1 is out of range", "(hint: "}));
  EXPECT_TRUE(failed_with_one_line(layers({"--global", "-1"}), "layers", {"--global: -1 is out of range"}));
}

TEST(LayersCommand, SizesOfLayersAndPartsThatWereNotChosenDoNotMatter) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"--only", "cost", "--n", "400", "--neighbors", "301", "--kinds", "neighbors"},
           {"--only", "path", "--path-lengths", "4", "--kinds", "recurrent"},
           {"--only", "cost", "--d", "48", "--kinds", "recurrent"},
           {"--only", "path", "--d", "63", "--path-lengths", "20"}}) {
    const ProgramResult result = layers(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
}

TEST(LayersCommand, WrongOptionsAreOneLine) {
  struct Wrong {
    std::vector<std::string> arguments;
    std::string message;
  };
  const Wrong cases[] = {
      {{"--neighbors", "8"}, "--neighbors must be odd, because the window is centered; not 8"},
      {{"--neighbors", "17"}, "--neighbors 17 exceeds the shortest sequence, which has 16 positions"},
      {{"--kernel", "17"}, "--kernel 17 exceeds the shortest sequence, which has 16 positions"},
      {{"--only", "copy", "--kernel", "50"},
       "--kernel 50 exceeds the longest sequence of the tasks, which has 49 positions"},
      {{"--only", "copy,recall", "--distances", "2,8", "--kernel", "11"},
       "--kernel 11 exceeds the longest sequence of the tasks, which has 10 positions"},
      {{"--global", "8"},
       "--neighbors plus --global 17 exceeds the shortest sequence, which has 16 positions"},
      {{"--global", "0"}, "--global must be at least 1; for none, leave 'global' out of --kinds"},
      {{"--head-width", "24"}, "--head-width 24 does not divide the width 64"},
      {{"--widths", "48,100"}, "--head-width 32 does not divide the width 48"},
      {{"--lengths", "256"}, "--lengths needs at least 2 numbers, to fit an exponent; not \"256\""},
      {{"--distances", "4,2"}, "--distances takes ascending whole numbers from 1 to 1048576"},
      {{"--distances", "4,x"}, "--distances takes ascending whole numbers from 1 to 1048576"},
      {{"--only", "speed"}, "--only takes names from cost, time, path, copy, recall"},
      {{"--kinds", "lstm"}, "--kinds takes names from self-attention, recurrent, convolution, dilated"},
      {{"--only", "copy", "--neighbors", "51", "--kinds", "neighbors"},
       "--neighbors 51 exceeds the longest sequence of the tasks, which has 49 positions"},
      {{"--only", "copy", "--neighbors", "49"},
       "--neighbors plus --global 50 exceeds the longest sequence of the tasks, which has 49 positions"},
      {{"--only", "cost", "--svg", "x"}, "--svg is an option of time and path, which --only leaves out"},
      {{"--only", "cost,time", "--steps", "9"},
       "--steps is an option of copy and recall, which --only leaves out"},
      {{"--only", "path", "--lengths", "2,4"}, "--lengths is an option of time, which --only leaves out"},
      {{"--only", "recall", "--n", "9"}, "--n is an option of cost and time, which --only leaves out"},
      {{"--only", "copy", "--path-lengths", "9"},
       "--path-lengths is an option of path, which --only leaves out"},
      {{"--seconds", "0"}, "--seconds must be more than 0 and at most 3600"},
      {{"table"}, "unexpected argument \"table\""}};
  for (const Wrong& wrong : cases) {
    const ProgramResult result = layers(wrong.arguments);
    EXPECT_EQ(result.exit_code, 2) << wrong.message;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(table_contains(result.err, wrong.message)) << result.err;
    EXPECT_TRUE(table_contains(result.err, "(hint: ")) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  }
}

TEST(LayersCommand, APictureThatCannotBeWrittenIsRefusedBeforeTheMeasurements) {
  const TemporaryFolder folder;
  const std::string picture = folder.path_of("missing/layers.svg");
  const ProgramResult result = layers({"--svg", picture});
  EXPECT_TRUE(failed_with_one_line(result, "layers", {picture, "each of its folders must exist"}));
  EXPECT_EQ(result.out, "");
}

TEST(LayersPicture, HasAPanelForEachThatIsMeasured) {
  LayersSettings settings;
  settings.kinds = {LayerKind::kRecurrent};
  const LayerCurves curves = {{LayerKind::kRecurrent, {{16, 1}, {64, 4}}}};
  EXPECT_EQ(layers_chart(settings, curves, {}).panels.size(), 1u);
  const LineChart both = layers_chart(settings, curves, curves);
  EXPECT_EQ(both.panels.size(), 2u);
  EXPECT_EQ(both.description, "Time grows with n to the power 1.00 (recurrent).");
  EXPECT_TRUE(is_well_formed(to_svg(both)));
}

}  // namespace
}  // namespace plainformer
