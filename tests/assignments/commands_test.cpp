// What a student is told who begins, who is stuck, and who is done; and the script that sets an autograder
// up.
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "platform/platform.h"
#include "small_course.h"

namespace plainformer::course {
namespace {

std::string printed(int (*command)(const Course&, const Arguments&), const Course& course,
                    const Arguments& arguments) {
  testing::internal::CaptureStdout();
  command(course, arguments);
  return testing::internal::GetCapturedStdout();
}

Exercise exercise_of(const std::string& number, const std::string& name) {
  Exercise exercise;
  exercise.number = number;
  exercise.name = name;
  exercise.chapter = "docs/half.md";
  exercise.plain = "attention";
  return exercise;
}

class Commands : public testing::Test {
 protected:
  std::string hint(const std::string& number) { return printed(hint_command, course_, {"03", number}); }

  const std::string program_ = program_as_called();
  Course course_ = {.tools = Toolchain({}),
                    .exercises = {exercise_of("03", "halving"), exercise_of("04", "heads")}};
};

TEST_F(Commands, HintsComeOneAtATime) {
  course_.exercises[0].hints = {"What is half of 2?", "Look at the division.", "Divide by 2."};
  EXPECT_EQ(hint("1"),
            "03 halving, hint 1 of 3:\n\nWhat is half of 2?\n\n"
            "Try it first. The next one says more: " +
                program_ + " hint 03 2\n");
  EXPECT_EQ(hint("3"),
            "03 halving, hint 3 of 3:\n\nDivide by 2.\n\nThat was the last one. Read docs/half.md.\n");
  for (const char* const number : {"0", "4"}) EXPECT_THROW(hint_command(course_, {"03", number}), UsageError);
}

TEST_F(Commands, NumbersThatDoNotExistAreRefused) {
  course_.milestones = course_.exercises;
  const auto check = [&] { check_command(course_, {"--seed", "-5"}); };
  EXPECT_TRUE(error_of(check).starts_with("--seed: -5 is out of range")) << error_of(check);
  EXPECT_EQ(error_of([&] { milestone_command(course_, {"4"}); }),
            "name one milestone of 1 to 2, for example: course milestone 1");
}

TEST_F(Commands, TheNextStepIsTheWholeModelAMilestoneAndTheNextExercise) {
  Exercise milestone = exercise_of("1", "first");
  milestone.title = "a head that looks";
  milestone.sources = {{.file = "half.cpp", .folder = "03-halving"}};
  course_.milestones = {milestone};
  EXPECT_EQ(next_step(course_, course_.exercises[0]),
            "Try yours in the whole model: " + program_ +
                " run --mine 03 -- train --preset toy --out my-model-03\n"
                "With your files up to here, see a head that looks: " +
                program_ + " milestone 1\n04 heads comes next: " + program_ + " start 04\n");
  course_.exercises[1].plain = "";
  EXPECT_EQ(next_step(course_, course_.exercises[1]), "That was the last exercise.\n");
  course_.exercises[1].variant = "thirds";
  EXPECT_EQ(next_step(course_, course_.exercises[1]), "");
}

// `course start` of an exercise with two files, and a result to derive.
class StartCommand : public SmallCourse {
 protected:
  StartCommand() : SmallCourse("repository") {}

  void SetUp() override {
    SmallCourse::SetUp();
    if (IsSkipped()) return;
    for (const char* const name : {"src/one.cpp", "src/two.cpp"})
      write(name,
            "#include \"half.h\"\nnamespace plainformer {\n\ndouble half(double x) {\n  // Step 1. Derive: x "
            "/ 2.\n"
            "  return x / 2;\n}\n\n}\n");
    write("src/one.h", "");
    write("src/two.h", "// It is x / 2.\ndouble half(double x);\n");
    course_.exercises[0].sources = {{.file = "one.cpp", .cut = {{"half", "return 0;"}}},
                                    {.file = "two.cpp", .cut = {{"half", "return 0;"}}}};
    course_.exercises[0].hide = {{"two.h", "It is x / 2.", "It is a half."},
                                 {"two.cpp", "Derive: x / 2.", "Derive it."}};
  }

  fs::path homework() const { return root_ / "homework" / "01-half"; }
};

TEST_F(StartCommand, NamesWhatToReadAndToWrite) {
  const std::string text = printed(start_command, course_, {"01"});
  EXPECT_NE(text.find("           src/one.h\n"), std::string::npos) << text;
  EXPECT_NE(text.find("two.h (the contract)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("src/two.h\n"), std::string::npos) << "it has the result";
  EXPECT_NE(text.find("two.cpp\n             half\n  Check"), std::string::npos) << text;
}

TEST_F(StartCommand, HidesWhatIsToBeDerivedAndOverwritesNothing) {
  printed(start_command, course_, {"01"});
  EXPECT_EQ(
      read_text(homework() / "two.cpp"),
      "#include \"half.h\"\n#include \"not_written.h\"\nnamespace plainformer {\n\ndouble half(double x) {\n"
      "  // Step 1. Derive it.\n\n  not_written(\"half\");\n}\n\n}\n");
  EXPECT_TRUE(read_text(homework() / "two.h").ends_with("// It is a half.\ndouble half(double x);\n"));
  EXPECT_NE(error_of([&] {
              start_command(course_, {"01"});
            }).find("it exists, and your work is never overwritten. To start over, move it away"),
            std::string::npos);
}

// With commands in the place of the system's that only say how they were called. (run_autograder:
// promises_tests)
TEST(SetupOfTheAutograder, InstallsWhatTheCourseNeedsAndBuildsIt) {
  if (!runs_here("bash")) GTEST_SKIP() << "no bash here";
  const TemporaryFolder folder;
  const fs::path root = to_path(folder.path_of("auto grader")), calls = root / "calls",
                 script =
                     to_path(PLAINFORMER_SOURCE_DIR) / "examples/assignments/teaching/gradescope/setup.sh";
  fs::create_directories(root / "source" / "plainformer");
  fs::create_directories(root / "bin");
  for (const char* const name : {"apt-get", "cmake"}) {
    std::ofstream(root / "bin" / name)
        << "#!/bin/bash\necho \"" << name << " $*\" >> '" << to_text(calls) << "'\n";
    fs::permissions(root / "bin" / name, fs::perms::owner_all);
  }
  const ProcessResult result =
      run_process({"env", "AUTOGRADER=" + to_text(root), "PATH=" + to_text(root / "bin") + ":/usr/bin:/bin",
                   "bash", to_text(script)});
  EXPECT_TRUE(result.succeeded()) << result.output;
  const std::string said = read_text(calls);
  EXPECT_NE(said.find("libgtest-dev"), std::string::npos) << said;
  EXPECT_TRUE(said.ends_with("cmake --workflow --preset course\n")) << said;
}

}  // namespace
}  // namespace plainformer::course
