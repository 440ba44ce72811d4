// What a teacher hands out (examples/assignments/teaching/).
#include <gtest/gtest.h>

#include "promises/repository.h"
#include "support/program.h"

namespace plainformer {
namespace {

const fs::path kTeaching = kRoot / "examples/assignments/teaching";

TEST(OralQuestions, AreFiveForEachExercise) {
  const Lines lines = lines_of(kTeaching / "oral-questions.md");
  const auto begins = [](const std::string& start) {
    return [start](const std::string& line) { return line.starts_with(start); };
  };
  for (const auto& folder : fs::directory_iterator(kRoot / "examples/assignments/exercises")) {
    const std::string number = folder.path().filename().string().substr(0, 2);
    const bool is_test = number == "15" || number == "16";
    const auto heading =
        std::find_if(lines.begin(), lines.end(), begins("## " + (is_test ? "15 and 16" : number) + ' '));
    ASSERT_NE(heading, lines.end()) << number;
    const auto end = std::find_if(heading + 1, lines.end(), begins("## "));
    for (const char* question : {"1. ", "2. ", "3. ", "4. ", "5. "})
      EXPECT_EQ(std::count_if(heading, end, begins(question)), 1) << number << ": " << question;
  }
}

#ifndef _WIN32
// A course that only says how it was called stands in for the built one.
class Autograder : public testing::Test {
 protected:
  void SetUp() override {
    const std::string program = "source/plainformer/build/course/course";
    fs::create_directories(fs::path(folder_.path_of(program)).parent_path());
    folder_.write(program, "#!/bin/sh\npwd\nprintf '%s\\n' \"$@\"\n");
    fs::permissions(folder_.path_of(program), fs::perms::owner_all);
  }

  std::string run() const {
    const ProgramResult result =
        run_program({(kTeaching / "gradescope/run_autograder").string()},
                    {.environment = {{"AUTOGRADER", folder_.path()}}, .program = "bash"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  const TemporaryFolder folder_;
};

TEST_F(Autograder, GradesTheExerciseOfItsFile) {
  folder_.write("source/exercise", "03\n");
  const std::string root = folder_.path();
  EXPECT_TRUE(run().ends_with("/source/plainformer\ngrade\n03\n--submission\n" + root +
                              "/submission\n--results\n" + root + "/results/results.json\n"))
      << run();
}

TEST_F(Autograder, PassesTheOptionsOfTheSecondLine) {
  folder_.write("source/exercise", "03\n--variant --seed 4711\n");
  EXPECT_TRUE(run().ends_with("/results/results.json\n--variant\n--seed\n4711\n")) << run();
}
#endif

}  // namespace
}  // namespace plainformer
