// The programs of examples/experiments: each, run small, prints a table in which its chapter's claim holds.
// Each also checks its gradients first.
#include <functional>

#include "examples/example_output.h"
#include "support/sanitized.h"

namespace plainformer {
namespace {

// Comma-separated values: a line of names, then rows.
struct Results {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;

  double operator()(std::size_t row, const std::string& name) const {
    const auto column = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (row < rows.size() && column < rows[row].size()) return std::stod(rows[row][column]);
    ADD_FAILURE() << "no number in row " << row << ", column " << name;
    return 0;
  }
};

Results parse(const std::string& text) {
  Results results;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    if (results.names.empty()) {
      results.names = row;
    } else {
      results.rows.push_back(row);
    }
  }
  return results;
}

struct Experiment {
  std::string name;
  std::size_t rows;  // of its small table
  std::function<void(const Results& results)> claim;
};

void PrintTo(const Experiment& experiment, std::ostream* out) {
  *out << experiment.name;
}

std::vector<Experiment> experiments() {
  return {
      {"softmax_gradient", 9,
       [](const Results& of) {
         EXPECT_NEAR(of(6, "deviation"), 32, 2) << "d_k = 1024, divided by nothing: footnote 4's root of d_k";
         EXPECT_NEAR(of(7, "deviation"), 1, 0.1) << "divided by the root";
         EXPECT_LT(of(6, "scores"), 0.1) << "extremely small gradients";
         EXPECT_GT(of(7, "scores"), 0.25);
         EXPECT_LT(of(6, "query_median"), 0.1 * of(6, "query_tenth")) << "uneven without the root";
         EXPECT_GT(of(7, "query_median"), 0.5 * of(7, "query_tenth"));
       }},
      {"scores", 1,
       [](const Results& of) {
         EXPECT_GT(of(0, "root"), 0.95) << "d_k = 64";
         EXPECT_LT(of(0, "unscaled"), 0.85);
         EXPECT_GT(of(0, "additive"), 0.95) << "additive attention outperforms unscaled dot products";
       }},
      {"heads", 2,
       [](const Results& of) {
         EXPECT_LT(of(0, "right"), 0.6) << "a single head averages, and the order of the answers is a guess";
         EXPECT_GT(of(1, "right"), of(0, "right") + 0.2);
       }},
      {"mask", 4,
       [](const Results& of) {
         EXPECT_GT(of(0, "right_with"), 90) << "trained with the mask, one decoder layer";
         EXPECT_EQ(of(0, "right_with"), of(0, "right_without"));
         EXPECT_GT(of(1, "right_with"), of(1, "right_without") + 20) << "two layers";
         EXPECT_LT(of(2, "loss"), of(0, "loss")) << "trained without it: a better loss";
         EXPECT_LT(of(2, "right_with"), 10) << "and nothing is learned";
       }},
      {"positions", 7,
       [](const Results& of) {
         EXPECT_GT(of(3, "sines_loss"), of(2, "sines_loss")) << "11 words, one more than in training";
         EXPECT_GT(of(3, "learned_loss"), 1.5 * of(2, "learned_loss"));
         EXPECT_LT(of(4, "learned_right"), 10);
       }},
      {"norms", 1,
       [](const Results& of) {
         EXPECT_LT(of(0, "layer_norm"), 1) << "a guess has 3.26";
         EXPECT_LT(of(0, "batch_norm"), 1) << "batch norm is not worse";
         EXPECT_GT(of(0, "no_residual"), of(0, "layer_norm") + 0.5);
       }},
      {"warm_up", 1,
       [](const Results& of) {
         EXPECT_LT(of(0, "post_warm_up"), 1) << "a guess has 3.26";
         EXPECT_GT(of(0, "post_none"), of(0, "post_warm_up") + 0.5) << "post-norm needs the warm-up";
         EXPECT_LT(of(0, "pre_none"), 0.5) << "pre-norm does not";
       }},
      {"recurrent", 1,
       [](const Results& of) {
         EXPECT_LT(of(0, "without"), 0.7) << "one state for the whole word";
         EXPECT_GT(of(0, "with"), of(0, "without") + 0.2);
       }},
      {"distance", 1,
       [](const Results& of) {
         EXPECT_LT(of(0, "attention"), 1) << "8 positions apart; a guess has 2.77";
         EXPECT_GT(of(0, "recurrent"), 2);
         EXPECT_NEAR(of(0, "convolution"), 2.77, 0.1) << "two layers hear four positions back";
       }},
      {"neighbor_attention", 1,
       [](const Results& of) {
         EXPECT_LT(of(0, "all"), 1) << "12 positions apart; a guess has 2.77";
         EXPECT_GT(of(0, "window"), 2.5) << "two layers of a window of 9 hear 8 positions back";
         EXPECT_LT(of(0, "window_and_global"), 1) << "a global position makes every path at most two";
       }},
      {"attention_dropout", 4,
       [](const Results& of) {
         EXPECT_GT(of(2, "training_loss"), of(0, "training_loss")) << "dropout of 0.3, and none";
         EXPECT_LT(of(2, "squares"), of(0, "squares")) << "it spreads the weights";
         EXPECT_LT(of(3, "squares"), of(0, "squares")) << "so does a penalty on their squares";
       }},
      {"linear_attention", 1,
       [](const Results& of) {
         EXPECT_LT(of(0, "d_k_8"), 0.6) << "16 pairs in a memory of 8 rows";
         EXPECT_GT(of(0, "d_k_64"), of(0, "d_k_8") + 0.1);
       }},
  };
}

class SlowExperiments : public testing::TestWithParam<Experiment> {};

TEST_P(SlowExperiments, ShowsWhatItsChapterSays) {
  if (kSanitized) GTEST_SKIP() << "training is slow under a sanitizer";
  const std::string program = "experiments/" + GetParam().name;
  const ProgramResult result = run_example(program, {"--quick", "--seeds", "1", "--csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err, "") << "progress";
  const Results results = parse(result.out);
  ASSERT_EQ(results.rows.size(), GetParam().rows) << result.out;
  SCOPED_TRACE(result.out);
  GetParam().claim(results);
}

TEST_P(SlowExperiments, NamesItsOptions) {
  const std::string program = "experiments/" + GetParam().name;
  EXPECT_EQ(run_example(program, {"--help"}).exit_code, 0);
  const ProgramResult wrong = run_example(program, {"--sedes", "1"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.err, "unknown option --sedes; did you mean --seeds?")) << wrong.err;
  EXPECT_EQ(run_example(program, {"--seeds", "0"}).exit_code, 2);
}

INSTANTIATE_TEST_SUITE_P(, SlowExperiments, testing::ValuesIn(experiments()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plainformer
