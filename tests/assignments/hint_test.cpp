// What a student is told who is stuck, and who is done.
#include <gtest/gtest.h>

#include "commands.h"
#include "io/temporary_folder.h"

namespace plainformer::course {
namespace {

Exercise exercise_of(int number, const std::string& name) {
  Exercise exercise;
  exercise.number = number;
  exercise.name = name;
  exercise.chapter = "docs/half.md";
  exercise.plain = "attention";
  return exercise;
}

class Hints : public testing::Test {
 protected:
  void write(const std::string& text) {
    folder_.write("hints.json", text);
    exercise_.folder = folder_.path();
  }
  std::string hint(std::size_t number) const { return hint_text(exercise_, "course", number); }

  TemporaryFolder folder_;
  Exercise exercise_ = exercise_of(3, "halving");
};

TEST_F(Hints, ComeOneAtATime) {
  write(R"(["What is half of 2?", "Look at the division.", "Divide by 2."])");
  EXPECT_EQ(hint(1),
            "03 halving, hint 1 of 3:\n\nWhat is half of 2?\n\n"
            "Try it first. The next one says more: course hint 03 2\n");
  EXPECT_EQ(hint(3),
            "03 halving, hint 3 of 3:\n\nDivide by 2.\n\nThat was the last one. Read docs/half.md.\n");
}

TEST_F(Hints, ANumberThatThereIsNotIsRefused) {
  write(R"(["What is half of 2?"])");
  EXPECT_THROW(hint(0), UsageError);
  EXPECT_THROW(hint(2), UsageError);
}

TEST_F(Hints, AnExerciseMayHaveNone) {
  exercise_.folder = folder_.path();
  EXPECT_EQ(hint(1), "There are no hints for 03 halving. Read docs/half.md.\n");
}

TEST_F(Hints, AMalformedFileIsNamed) {
  write("{}");
  EXPECT_NE(error_of([this] { hint(1); }).find("hints.json"), std::string::npos);
}

TEST(NextStep, IsTheWholeModelAndTheNextExerciseInTheOrderOfWork) {
  std::vector<Exercise> exercises = {exercise_of(4, "heads"), exercise_of(5, "norm"),
                                     exercise_of(17, "halving")};
  exercises[2].after = 4;
  EXPECT_EQ(next_step(exercises, exercises[0], "course"),
            "Try yours in the whole model: course run --mine 04 -- train --preset toy --out my-model\n"
            "17 halving comes next: course start 17\n");
  EXPECT_EQ(next_step(exercises, exercises[1], "course"),
            "Try yours in the whole model: course run --mine 05 -- train --preset toy --out my-model\n"
            "That was the last exercise.\n");
}

TEST(NextStep, NamesTheMilestoneThatIsReached) {
  EXPECT_EQ(next_step({exercise_of(3, "halving")}, exercise_of(3, "halving"), "course"),
            "Try yours in the whole model: course run --mine 03 -- train --preset toy --out my-model\n"
            "With your files up to here, see a head that looks: course milestone 1\n"
            "That was the last exercise.\n");
}

TEST(NextStep, OfTestsAndVariantsIsNoModel) {
  Exercise tests = exercise_of(15, "test-halving");
  tests.kind = Kind::kTests;
  EXPECT_EQ(next_step({tests, exercise_of(16, "heads")}, tests, "course"),
            "16 heads comes next: course start 16\n");
  Exercise variant = exercise_of(3, "halving");
  variant.variant = "thirds";
  EXPECT_EQ(next_step({variant}, variant, "course"), "");
}

}  // namespace
}  // namespace plainformer::course
