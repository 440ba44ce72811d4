// The page about mistakes that people made by hand.
#include "mistakes_table.h"

#include <gtest/gtest.h>

#include "commands.h"

namespace plainformer::course {
namespace {

MistakeOutcome mistake(const std::string& file, bool caught, const std::string& said) {
  return {.file = file, .comment = "It is wrong.", .problem = {}, .caught = caught, .said = said};
}

TEST(MistakesTable, CountsWhatIsCaughtAndNamed) {
  const std::string table =
      table_of_mistakes({mistake("03-halving/twice", true, "Your numbers are those of: |x|."),
                         mistake("03-halving/thirds", true, ""), mistake("05-doubling/once", false, "")});
  EXPECT_NE(table.find("| 03-halving | 2 | 2 | 1 |\n| 05-doubling | 1 | 0 | 0 |\n| all | 3 | 2 | 1 |\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("| 03-halving/twice | It is wrong. | Your numbers are those of: \\|x\\|. |\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("| 03-halving/thirds | It is wrong. | caught, not named |\n"), std::string::npos);
  EXPECT_NE(table.find("| 05-doubling/once | It is wrong. | not caught |\n"), std::string::npos);
}

TEST(MistakesTable, AMistakeThatIsNotCaughtIsAFailure) {
  EXPECT_FALSE(mistake("a", true, "").is_a_failure());
  EXPECT_TRUE(mistake("a", false, "").is_a_failure());
  MistakeOutcome none = mistake("a", false, "");
  none.problem = "it leaves the functions right";
  EXPECT_TRUE(none.is_a_failure());
  EXPECT_EQ(what_the_grader_says(none), "not tried: it leaves the functions right");
}

TEST(MistakesTable, ARightAnswerThatIsCalledAMistakeIsAFailure) {
  MistakeOutcome sound = {
      .file = "03-halving/sound/by-shifting", .comment = "It shifts.", .problem = {}, .said = {}};
  sound.is_sound = true;
  EXPECT_FALSE(sound.is_a_failure());
  EXPECT_NE(table_of_mistakes({sound}).find(
                "| 03-halving/sound/by-shifting | It shifts. | all points, and no name |"),
            std::string::npos);
  MistakeOutcome failing = sound, named = sound;
  failing.caught = true;
  named.said = "Your numbers are those of: halves.";
  EXPECT_TRUE(failing.is_a_failure());
  EXPECT_TRUE(named.is_a_failure());
  EXPECT_NE(table_of_mistakes({named}).find("it is called a mistake"), std::string::npos);
}

// The page holds the mistakes of all exercises, and it would lose those that are not named.
TEST(MistakesTable, IsWrittenForAllExercisesOrNot) {
  const Course course = {.tools = Toolchain(Settings())};
  EXPECT_THROW(mistakes_command(course, {"12", "--write"}), UsageError);
}

}  // namespace
}  // namespace plainformer::course
