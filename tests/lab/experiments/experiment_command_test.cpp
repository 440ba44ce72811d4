// plainformer experiment: tables, pictures, and the options of each.
#include <gtest/gtest.h>

#include "io/json.h"
#include "lab/experiments/experiments.h"
#include "lab/pictures/well_formed.h"
#include "support/program.h"

namespace plainformer {
namespace {

TEST(ExperimentCommand, HelpNamesAllExperiments) {
  const ProgramResult result = run_program({"experiment", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const Experiment& experiment : experiments())
    EXPECT_TRUE(contains(result.out, std::string("\n  ") + experiment.name + " ")) << experiment.name;
}

struct Case {
  std::string name, over;
  std::ptrdiff_t rows;
  std::vector<std::string> options;
};

// norm_reports_test has three others.
const std::vector<Case> kSmallTasks = {{"scores", "2,3", 10, {"--seeds", "2", "--steps", "2"}},
                                       {"gradient", "2,8", 2, {}},
                                       {"heads", "2,4", 2, {"--seeds", "2", "--steps", "2"}},
                                       {"copy", "2,3", 4, {"--seeds", "2", "--steps", "2"}},
                                       {"recall", "2,3", 10, {"--seeds", "2", "--steps", "2"}},
                                       {"length", "16,64", 2, {"--seconds", "0.001"}}};
const std::vector<Case> kTranslating = {
    {"translators", "1", 3, {"--seeds", "1", "--sentences", "40"}},
    {"positions", "5", 20, {"--seeds", "1", "--sentences", "40", "--steps", "2"}},
    {"ablation", "2", 12, {"--seeds", "1", "--sentences", "40", "--steps", "2"}},
    {"mask", "1,2", 4, {"--seeds", "1", "--sentences", "40", "--steps", "2"}}};

// Two steps of training show no effect, but every experiment goes its whole way.
void expect_rows_and_a_picture(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = {
        "experiment",           each.name, "--over", each.over, "--csv", folder.path_of("table.csv"), "--svg",
        folder.path_of("a.svg")};
    arguments.insert(arguments.end(), each.options.begin(), each.options.end());
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, "100%")) << each.name;
    const std::string csv = folder.read("table.csv"), svg = folder.read("a.svg");
    EXPECT_EQ(count_lines(csv), 1 + each.rows) << each.name << "\n" << csv;
    EXPECT_GE(count_lines(result.out), 3 + 1 + each.rows) << result.out;
    EXPECT_TRUE(is_well_formed(svg)) << each.name;
    EXPECT_FALSE(contains(csv, "nan") || contains(csv, "inf")) << csv;
  }
}

TEST(ExperimentCommand, EachPrintsARowForEachSettingAndDrawsAPicture) {
  EXPECT_EQ(kSmallTasks.size() + kTranslating.size() + 3, experiments().size());
  expect_rows_and_a_picture(kSmallTasks);
}

TEST(SlowExperimentCommand, EachPrintsARowForEachSettingAndDrawsAPicture) {
  expect_rows_and_a_picture(kTranslating);
}

TEST(ExperimentCommand, AnyNumberOfThreadsGivesTheSameTable) {
  const auto table = [](const std::string& threads) {
    return run_program({"experiment", "scores", "--over", "3,5", "--seeds", "2", "--steps", "3", "--threads",
                        threads, "--csv", "-"})
        .out;
  };
  const std::string one = table("1");
  EXPECT_GT(count_lines(one), 8);
  EXPECT_EQ(one, table("3"));
}

TEST(ExperimentCommand, TheSameSettingTrainsDifferentlyWithOtherStepsAndRates) {
  const auto table = [](const std::string& steps, const std::string& rate) {
    return run_program({"experiment", "heads", "--over", "2", "--seeds", "1", "--steps", steps,
                        "--learning-rate", rate, "--csv", "-"})
        .out;
  };
  EXPECT_NE(table("3", "0.01"), table("4", "0.01"));
  EXPECT_NE(table("3", "0.01"), table("3", "0.02"));
}

TEST(ExperimentCommand, ReportsTheFittedExponents) {
  const ProgramResult result = run_program({"experiment", "length", "--seconds", "0.001", "--over", "16,32"});
  EXPECT_TRUE(contains(result.out, "Time grows as n^")) << result.out;
  EXPECT_TRUE(contains(result.out, "Memory grows as n^")) << result.out;
  EXPECT_FALSE(
      contains(run_program({"experiment", "length", "--seconds", "0.001", "--over", "16"}).out, "grows as"));
}

TEST(ExperimentCommand, WritesAllTablesAsJson) {
  const ProgramResult result = run_program({"experiment", "gradient", "--over", "2,8", "--json", "-"});
  const std::string json = result.out.substr(result.out.find("\n{") + 1);
  const JsonValue record = parse_json(json, "the record");
  EXPECT_EQ(*record.find("experiment")->string(), "gradient");
  const JsonArray& tables = *record.find("tables")->array();
  ASSERT_EQ(tables.size(), 3u);
  const JsonArray& rows = *tables[0].find("rows")->array();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].find("d_k")->number(), 8);
  EXPECT_GT(rows[1].find("variance")->number(), 4);
  EXPECT_GT((*tables[1].find("rows")->array())[1].find("mean_scaled")->number(), 0.1);
}

// The median of one draw says little, so each seed draws its own queries.
TEST(ExperimentCommand, TheGradientIsThatOfSeveralDraws) {
  const auto medians = [](const std::string& seeds) {
    const ProgramResult result =
        run_program({"experiment", "gradient", "--over", "8", "--seeds", seeds, "--json", "-"});
    const JsonValue record = parse_json(result.out.substr(result.out.find("\n{") + 1), "the record");
    return (*(*record.find("tables")->array())[2].find("rows")->array())[0];
  };
  const JsonValue one = medians("1"), three = medians("3");
  const auto number = [](const JsonValue& row, const char* name) { return *row.find(name)->number(); };
  EXPECT_EQ(number(one, "median_lowest"), number(one, "median_highest"));
  EXPECT_LT(number(three, "median_lowest"), number(three, "median"));
  EXPECT_LT(number(three, "median"), number(three, "median_highest"));
  EXPECT_LE(number(three, "median_lowest"), number(one, "median"));  // seed 1 is among them
  EXPECT_GE(number(three, "median_highest"), number(one, "median"));
  EXPECT_NEAR(number(one, "quotient"), number(one, "median") / number(one, "median_scaled"), 1e-12);
}

TEST(ExperimentCommand, BadOptionsAreOneLine) {
  const struct {
    std::vector<std::string> arguments;
    std::string message;
  } cases[] = {
      {{},
       "name an experiment: scores, gradient, heads, copy, recall, length, translators, "
       "warm-up, rates, norms, positions, ablation, mask"},
      {{"score"}, "unknown experiment \"score\"; did you mean scores?"},
      {{"scores", "heads"}, "unexpected argument \"heads\""},
      {{"scores", "--over", "4,x"}, "--over takes ascending whole numbers from 1 to 4096"},
      {{"scores", "--over", "8,4"}, "--over takes ascending whole numbers"},
      {{"scores", "--over", "4,"}, "--over takes ascending whole numbers"},
      {{"recall", "--over", "65"}, "--over takes ascending whole numbers from 1 to 64"},
      {{"heads", "--over", "3"}, "3 heads do not divide 64"},
      {{"scores", "--learning-rate", "2"}, "--learning-rate takes 0 to 1"},
      {{"gradient", "--seconds", "5"}, "--seconds belongs to 'length'"},
      {{"length", "--seconds", "0"}, "--seconds must be more than 0 and at most 3600"},
      {{"gradient", "--steps", "3"}, "'gradient' trains nothing: --steps and --learning-rate do not apply"},
      {{"length", "--seeds", "3"},
       "'length' trains nothing: --seeds, --steps and --learning-rate do not apply"},
      {{"length", "--steps", "3"}, "'length' trains nothing"},
      {{"scores", "--sentences", "3"}, "'scores' translates nothing: leave out --sentences"},
      {{"ablation", "--over", "3"}, "3 heads do not divide 128"},
      {{"translators", "--steps", "3"}, "'translators' ends at the last number of --over: leave out --steps"},
  };
  for (const auto& each : cases) {
    std::vector<std::string> arguments = {"experiment"};
    arguments.insert(arguments.end(), each.arguments.begin(), each.arguments.end());
    EXPECT_TRUE(failed_with_one_line(run_program(arguments), "experiment", {each.message}, 2))
        << each.message;
  }
}

TEST(ExperimentCommand, FilesThatCannotBeWrittenAreRefusedBeforeTheTraining) {
  const TemporaryFolder folder;
  for (const std::string option : {"--csv", "--json", "--svg"}) {
    const std::string file = folder.path_of("missing/file");
    const ProgramResult result = run_program({"experiment", "copy", option, file});
    EXPECT_TRUE(failed_with_one_line(result, "experiment", {file, "each of its folders must exist"}));
    EXPECT_EQ(result.out, "");
  }
}

TEST(ExperimentCommand, NumbersOutOfRangeAreRefused) {
  EXPECT_TRUE(failed_with_one_line(run_program({"experiment", "scores", "--seeds", "101"}), "experiment",
                                   {"--seeds: 101 is out of range", "choose 0 to 100"}));
  EXPECT_TRUE(failed_with_one_line(run_program({"experiment", "scores", "--steps", "-1"}), "experiment",
                                   {"--steps: -1 is out of range", "choose 0 to 1000000"}));
}

}  // namespace
}  // namespace plainformer
