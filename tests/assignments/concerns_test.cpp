#include "concerns.h"

#include <gtest/gtest.h>

#include <memory>

#include "text.h"

namespace plainformer::course {
namespace {

// The exercise of two functions in each of two files.
class Concerns : public testing::Test {
 protected:
  Concerns() {
    Settings settings;
    settings.source_dir = path_of(PLAINFORMER_SOURCE_DIR);
    tools_ = std::make_unique<Toolchain>(settings);
    const auto all = load_exercises(settings.course_dir() / "exercises");
    exercise_ = find_exercise(all, "07", false);
  }

  std::vector<std::string> of_bug(const std::string& name) const {
    for (const Bug& bug : exercise_.bugs)
      if (bug.name == name) return functions_of_bug(tools_->settings(), exercise_, bug);
    return {"no such bug"};
  }

  std::set<std::string> of_test(const std::string& name) const {
    for (const ScoredTest& test : exercise_.tests)
      if (test.name == name) return functions_of_test(*tools_, exercise_, test);
    return {"no such test"};
  }

  std::unique_ptr<Toolchain> tools_;
  Exercise exercise_;
};

TEST_F(Concerns, ABugConcernsTheFunctionsThatItChanges) {
  EXPECT_EQ(of_bug("relu-gradient-passes-everywhere"), std::vector<std::string>{"relu_backward"});
  EXPECT_EQ(of_bug("relu-missing"),
            (std::vector<std::string>{"FeedForward::forward", "FeedForward::backward"}));
  exercise_.sources[0].cut.pop_back();
  EXPECT_TRUE(of_bug("relu-gradient-passes-everywhere").empty()) << "a helper, as it were";
}

TEST_F(Concerns, ATestConcernsWhatItNamesAndWhatItsBugsChange) {
  const std::string test = "Relu.TheGradientPassesWhereTheOutputIsPositive";
  const std::set<std::string> both = {"relu_backward", "relu_forward"};
  EXPECT_EQ(of_test(test), both) << "its bugs change the first, and its text names both";
  exercise_.bugs.clear();
  EXPECT_EQ(of_test(test), both);
}

TEST_F(Concerns, ATestOfAWholeLayerConcernsSeveral) {
  EXPECT_TRUE(of_test("FeedForward.ByHand").contains("FeedForward::forward"));
}

}  // namespace
}  // namespace plainformer::course
