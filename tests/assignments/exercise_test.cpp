#include "exercise.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/temporary_folder.h"
#include "text.h"

namespace plainformer::course {
namespace {

namespace fs = std::filesystem;

const char* const kHalving = R"({
  "title": "Halving", "paper": "0", "chapter": "docs/half.md", "task": "Halve.", "hours": 0.5,
  "sources": [{"file": "ops/half.cpp", "cut": {"half": "return 0;"}, "drop": ["helper"], "drop_unnamed": true}],
  "gate": "Half.OfOne",
  "tests": [{"file": "ops/half_test.cpp", "points": {"Half.OfOne": 1, "Half.OfTwo": 2.5}}],
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
    const std::string folder = text_of(path_of(folder_.path()));
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
  EXPECT_EQ(halving.sources[0].cut[0].zeros, "return 0;");
  EXPECT_EQ(halving.sources[0].drop, std::vector<std::string>{"helper"});
  EXPECT_TRUE(halving.sources[0].drop_unnamed);
  EXPECT_EQ(halving.tests[1].file, "ops/half_test.cpp");
  EXPECT_EQ(halving.tests[1].name, "Half.OfTwo");
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
  write("03-three/exercise.json", with(R"("after": 1)"));
  write("04-four/exercise.json", with(R"("after": 0)"));
  const std::vector<Exercise> exercises = load();
  std::string order;
  for (const Exercise* const exercise : in_order_of_work(exercises))
    order += exercise->label() + (exercise->elective ? "*, " : ", ");
  EXPECT_EQ(order, "00 zero, 04 four, 01 one, 03 three, 02 two*, ");
}

TEST_F(Exercises, AVariantTakesFromItsExerciseWhatItDoesNotSay) {
  write("03-halving/exercise.json", kHalving);
  write("03-halving/variant/exercise.json", R"({
    "variant": "thirds", "title": "Thirds", "task": "Divide by three.", "gate": "Third.OfOne",
    "tests": [{"file": "./variant_test.cpp", "points": {"Third.OfOne": 3.5}}]})");
  const std::vector<Exercise> exercises = load();
  ASSERT_EQ(exercises.size(), 2u);
  EXPECT_EQ(exercises[1].label(), "03 halving (thirds)");
  EXPECT_EQ(exercises[1].folder_name(), "03-halving-thirds");
  EXPECT_EQ(exercises[1].sources[0].file, "ops/half.cpp");
  EXPECT_EQ(exercises[1].chapter, "docs/half.md");
  EXPECT_EQ(exercises[1].tests.size(), 1u);
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
    "numbers_of": "doubles", "read": "docs/half.md#mistakes", "caught_by": "Half.OfOne"}])");
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
  write("03-halving/exercise.json", "[]");
  EXPECT_EQ(message(), where + "it must be an object" + hint);
  std::string text = kHalving;
  write("03-halving/exercise.json", text.replace(text.find("0.5"), 3, "\"half\""));
  EXPECT_EQ(message(), where + "hours: it must be a number" + hint);
  text = kHalving;
  write("03-halving/exercise.json", text.replace(text.find("\"seconds\""), 9, "\"second\""));
  EXPECT_EQ(message(), where + "there is no member \"second\"" + hint);
  text = kHalving;
  write("03-halving/exercise.json", text.replace(text.find("\"Half.OfOne\","), 13, "\"Half.OfTen\","));
  EXPECT_EQ(
      message(),
      "03-halving/exercise.json: gate: \"Half.OfTen\" is not one of its tests (hint: name a test that has "
      "points)");
}

TEST_F(Exercises, TwoBugsOfOneNameAreRefused) {
  const std::string bugs = R"([{"name": "twice", "edits": {"a": [["b", "c"]]}, "numbers_of": "", "read": "",
    "caught_by": ""}])";
  for (const std::string folder : {"03-halving", "04-thirds"}) {
    write(folder + "/exercise.json", kHalving);
    write(folder + "/bugs.json", bugs);
  }
  EXPECT_EQ(message(), "04-thirds/bugs.json: a second bug \"twice\" (hint: give each bug a name of its own)");
}

TEST_F(Exercises, AFolderWithoutANumberIsRefused) {
  write("halving/exercise.json", kHalving);
  EXPECT_NE(error_of([this] { load(); }).find("this is not the name of an exercise"), std::string::npos);
}

}  // namespace
}  // namespace plainformer::course
