#include "exercise.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/temporary_folder.h"
#include "platform/platform.h"

namespace plainformer::course {
namespace {

namespace fs = std::filesystem;

const char* const kHalving = R"({
  "title": "Halving", "paper": "0", "chapter": "docs/half.md", "task": "Halve.", "hours": 0.5,
  "sources": [{"file": "ops/half.cpp", "cut": {"half": "return 0;"}, "drop": ["helper"]}],
  "results": {"half: y": 1, "half: all": {"points": 2.5, "share": 0.5}},
  "forbid": ["plainformer::fast::"], "plain": "attention", "sanitizers": "thread", "in_float": true, "seconds": 9
})";

class Exercises : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(folder_.path_of(name)).parent_path());
    folder_.write(name, text);
  }
  std::vector<Exercise> load() { return load_exercises(folder_.path()); }
  std::string message() {
    const std::string message = error_of([this] { load(); });
    const std::string folder = to_text(to_path(folder_.path()));
    return message.substr(std::min(message.size(), folder.size() + 1));
  }

  TemporaryFolder folder_;
};

TEST_F(Exercises, AreReadFromTheirFolders) {
  write("03-halving/exercise.json", kHalving);
  const std::vector<Exercise> exercises = load();
  ASSERT_EQ(exercises.size(), 1u);
  const Exercise& halving = exercises[0];
  EXPECT_EQ(halving.label(), "03 halving");
  EXPECT_EQ(halving.folder_name(), "03-halving");
  EXPECT_EQ(halving.points(), 3.5);
  EXPECT_EQ(halving.sources[0].file_name(), "half.cpp");
  EXPECT_EQ(halving.sources[0].cut[0].second, "return 0;");
  EXPECT_EQ(halving.sources[0].drop, std::vector<std::string>{"helper"});
  EXPECT_EQ(halving.rows[1].name, "half: all");
  EXPECT_EQ(halving.rows[1].share, 0.5);
  EXPECT_EQ(halving.forbid, std::vector<std::string>{"plainformer::fast::"});
  EXPECT_EQ(halving.sanitizers, "thread");
  EXPECT_TRUE(halving.in_float);
  EXPECT_EQ(halving.seconds, 9);
}

TEST_F(Exercises, ComeInTheOrderOfWork) {
  const std::string text = kHalving;
  const auto with = [&](const std::string& member) { return "{" + member + ", " + text.substr(1); };
  write("00-zero/exercise.json", text);
  write("01-one/exercise.json", text);
  write("02-two/exercise.json", with(R"("elective": true)"));
  const std::vector<Exercise> exercises = load();
  std::string order;
  for (const Exercise& exercise : exercises) order += exercise.label() + (exercise.elective ? "*, " : ", ");
  EXPECT_EQ(order, "00 zero, 01 one, 02 two*, ");
}

TEST_F(Exercises, AVariantTakesFromItsExerciseWhatItDoesNotSay) {
  write("03-halving/exercise.json", kHalving);
  write("03-halving/variant/exercise.json", R"({
    "variant": "thirds", "title": "Thirds", "task": "Divide by three.", "results": {"third": 3.5}})");
  const std::vector<Exercise> exercises = load();
  ASSERT_EQ(exercises.size(), 2u);
  EXPECT_EQ(exercises[1].label(), "03 halving (thirds)");
  EXPECT_EQ(exercises[1].folder_name(), "03-halving-thirds");
  EXPECT_EQ(exercises[1].sources[0].file, "ops/half.cpp");
  EXPECT_EQ(exercises[1].chapter, "docs/half.md");
  EXPECT_EQ(exercises[1].rows.size(), 1u);
  EXPECT_EQ(&find_exercise(exercises, "halving", true), &exercises[1]);
}

TEST_F(Exercises, AreFoundByNumberAndByName) {
  write("03-halving/exercise.json", kHalving);
  const std::vector<Exercise> exercises = load();
  for (const char* const name : {"3", "03", "halving", "03-halving"})
    EXPECT_EQ(&find_exercise(exercises, name, false), &exercises[0]) << name;
  EXPECT_EQ(error_of([&] { find_exercise(exercises, "4", false); }),
            "exercise 4: there is no such exercise (hint: `course list` lists them)");
  EXPECT_EQ(error_of([&] { find_exercise(exercises, "3", true); }),
            "exercise 3: it has no variant (hint: `course list` lists them)");
}

TEST_F(Exercises, HaveBugsWithEditsByFile) {
  write("03-halving/exercise.json", kHalving);
  write("03-halving/bugs.json",
        R"([{"name": "half-double", "edits": {"ops/half.cpp": [["/", "*"], ["2", "3"]]},
    "numbers_of": "doubles", "read": "docs/half.md#mistakes"}])");
  const Bug bug = load()[0].bugs.at(0);
  EXPECT_EQ(bug.name, "half-double");
  ASSERT_EQ(bug.edits.size(), 2u);
  EXPECT_EQ(bug.edits[1].file, "ops/half.cpp");
  EXPECT_EQ(bug.edits[1].before, "2");
  EXPECT_EQ(bug.edits[1].after, "3");
}

TEST_F(Exercises, TheErrorNamesTheFileAndTheMember) {
  const std::string where = "03-halving/exercise.json: ",
                    hint = " (hint: examples/assignments/TEACHING.md describes the members)";
  write("03-halving/exercise.json", "{}");
  EXPECT_EQ(message(), where + "the member \"title\" is missing" + hint);
  write("03-halving/exercise.json", "{\n  \"title\": \"Halving\"\n  \"paper\": \"0\"\n}");
  EXPECT_NE(message().find("03-halving/exercise.json:3: "), std::string::npos) << message();
  write("03-halving/exercise.json", "{\n  \"title\": \"Halving\",\n}");
  EXPECT_NE(message().find("03-halving/exercise.json:3: "), std::string::npos) << message();
  write("03-halving/exercise.json", "[]");
  EXPECT_EQ(message(), where + "it must be an object" + hint);
  std::string text = kHalving;
  write("03-halving/exercise.json", text.replace(text.find("0.5"), 3, "\"half\""));
  EXPECT_EQ(message(), where + "hours: it must be a number" + hint);
  text = kHalving;
  write("03-halving/exercise.json", text.replace(text.find("\"seconds\""), 9, "\"second\""));
  EXPECT_EQ(message(), where + "there is no member \"second\"" + hint);
}

TEST_F(Exercises, TwoBugsOfOneNameAreRefused) {
  const std::string bugs =
      R"([{"name": "twice", "edits": {"a": [["b", "c"]]}, "numbers_of": "", "read": ""}])";
  for (const std::string folder : {"03-halving", "04-thirds"}) {
    write(folder + "/exercise.json", kHalving);
    write(folder + "/bugs.json", bugs);
  }
  EXPECT_EQ(message(), "04-thirds/bugs.json: a second bug \"twice\" (hint: give each bug a name of its own)");
}

TEST_F(Exercises, AMilestoneHasTheFilesOfTheExercisesUpToOne) {
  for (const std::string folder : {"exercises/00-zero", "exercises/01-halving", "exercises/02-two"})
    write(folder + "/exercise.json", kHalving);
  write("milestones/1-first/exercise.json", R"({"title": "t", "task": "t",
    "files_of": "halving", "results": {"all": 1}, "show": [["trace", "--steps"]]})");
  const std::vector<Exercise> read = load_exercises(to_path(folder_.path_of("exercises")));
  const Exercise milestone = load_milestones(to_path(folder_.path_of("milestones")), read).at(0);
  ASSERT_EQ(milestone.sources.size(), 2u);
  EXPECT_EQ(milestone.sources[1].folder, "01-halving");
  EXPECT_TRUE(milestone.is_milestone());
  EXPECT_EQ(milestone.show[0][1], "--steps");
  EXPECT_EQ(flags_of_copy(milestone.sources, milestone.sources[0]), Texts{"-Dhalf=unused_half"});
}

TEST_F(Exercises, AFolderWithoutANumberIsRefused) {
  write("halving/exercise.json", kHalving);
  EXPECT_NE(error_of([this] { load(); }).find("this is not the name of an exercise"), std::string::npos);
}

}  // namespace
}  // namespace plainformer::course
