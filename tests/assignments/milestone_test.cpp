#include "milestone.h"

#include <gtest/gtest.h>

#include "support/thrown_message.h"

namespace plainformer::course {
namespace {

// A trace as `trace --json` writes it.
std::string trace_of(const std::string& scores, const std::string& output = "[4, null]") {
  return R"({"records": [
{"name": "source.ids", "path": ["Forward", "Source"], "equation": "ids", "values": [15, 13]},
{"name": "scores", "path": ["Forward", "Attention"], "equation": "scaled products", "values": )" +
         scores + R"(},
{"name": "output", "path": ["Forward", "Attention"], "equation": "weights V", "values": )" +
         output + R"(},
{"name": "grad_output", "path": ["Backward", "Attention"], "equation": "...", "values": [)" +
         scores + R"(]}]})";
}

TEST(TraceComparison, OfTheSameNumbersFindsNothing) {
  const TraceComparison same =
      compare_traces(trace_of("[[1, -2], [0.5, 8]]"), trace_of("[[1, -2], [0.5, 8]]"));
  EXPECT_EQ(same.tensors, 3u) << "the gradients are not of the forward pass";
  EXPECT_FALSE(same.first);
  EXPECT_EQ(same.largest, 0);
}

TEST(TraceComparison, NamesTheFirstDifference) {
  const TraceComparison other =
      compare_traces(trace_of("[[1, -2], [1, 16]]", "[7, 7]"), trace_of("[[1, -2], [0.5, 8]]"));
  ASSERT_TRUE(other.first_wrong);
  EXPECT_EQ(other.first_wrong->name, "scores");
  EXPECT_EQ(other.first_wrong->equation, "scaled products");
  EXPECT_EQ(other.first_wrong->element, 2u);
  EXPECT_EQ(other.first_wrong->mine[2], 1);
  EXPECT_EQ(other.first_wrong->theirs[2], 0.5);
}

TEST(TraceComparison, TellsRoundingFromAMistake) {
  const TraceComparison rounded =
      compare_traces(trace_of("[[1, -2], [0.5, 8.00001]]"), trace_of("[[1, -2], [0.5, 8]]"));
  ASSERT_TRUE(rounded.first);
  EXPECT_EQ(rounded.first->element, 3u);
  EXPECT_FALSE(rounded.first_wrong);
  EXPECT_LT(rounded.largest, kRounding);
}

TEST(TraceComparison, ANumberThatIsNotFiniteIsAMistake) {
  EXPECT_TRUE(compare_traces(trace_of("[1, null]"), trace_of("[1, 2]")).first_wrong);
  EXPECT_FALSE(compare_traces(trace_of("[1, null]"), trace_of("[1, null]")).first);
}

TEST(TraceComparison, RefusesOtherShapesAndOtherTexts) {
  EXPECT_THROW(compare_traces(trace_of("[1]"), trace_of("[1, 2]")), std::runtime_error);
  EXPECT_THROW(compare_traces("{}", trace_of("[1]")), std::runtime_error);
}

TEST(SideBySide, AlignsBothTexts) {
  EXPECT_EQ(side_by_side("yours", "ä ▓\nlonger one", "theirs", "x"),
            "yours         theirs\nä ▓           x\nlonger one\n");
}

TEST(ExactMatch, IsTheTrainingsLastOne) {
  EXPECT_EQ(exact_match_of("...\nHeld-out exact match: 97.6 % (488 of 500, greedy)\nBLEU"), 97.6);
  EXPECT_EQ(exact_match_of("Held-out exact match: x"), std::nullopt);
  EXPECT_EQ(exact_match_of("nothing"), std::nullopt);
}

Exercise exercise_of_number(int number) {
  Exercise exercise;
  exercise.number = number;
  return exercise;
}

TEST(Milestone, NeedsWhatComesBeforeItExceptElectivesAndTests) {
  std::vector<Exercise> exercises;
  for (int number = 0; number <= 20; ++number) exercises.push_back(exercise_of_number(number));
  exercises[20].elective = true;
  exercises[9].kind = Kind::kTests;
  const auto numbers = [&](const Milestone& milestone) {
    std::string text;
    for (const Exercise* const exercise : exercises_of(milestone, exercises))
      text += std::to_string(exercise->number) + " ";
    return text;
  };
  EXPECT_EQ(numbers(kMilestones[0]), "0 1 2 3 ");
  EXPECT_EQ(numbers(kMilestones[1]), "0 1 2 3 4 5 6 7 8 10 ");
  EXPECT_EQ(numbers(kMilestones[2]), "0 1 2 3 4 5 6 7 8 10 11 12 13 14 15 16 ");
}

}  // namespace
}  // namespace plainformer::course
