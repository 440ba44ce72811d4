#include "starting_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/temporary_folder.h"
#include "small_course.h"

namespace plainformer::course {
namespace {

// A source and its header, both with a result, and an exercise that hides them.
class StartingFiles : public testing::Test {
 protected:
  StartingFiles() {
    fs::create_directories(fs::path(folder_.path()) / "src" / "ops");
    folder_.write("src/ops/square.h", "// The slope is 2 x.\nReal square_backward(Real x);\n");
    folder_.write("src/ops/square.cpp",
                  "#include \"ops/square.h\"\n\nReal square_backward(Real x) {\n  // Step 1. Derive: 2 x.\n  "
                  "return 2 * "
                  "x;\n}\n");
    exercise_.sources = {{.file = "ops/square.cpp", .cut = {{"square_backward", "return 0;"}}, .drop = {}}};
    exercise_.hide = {{"ops/square.h", "The slope is 2 x.", "The slope of x squared."},
                      {"ops/square.cpp", "Derive: 2 x.", "Derive it."}};
  }

  std::vector<StartingFile> files(bool with_comments) {
    Settings settings;
    settings.source_dir = folder_.path();
    return starting_files({.tools = Toolchain(settings)}, exercise_, with_comments);
  }

  TemporaryFolder folder_;
  Exercise exercise_;
};

TEST_F(StartingFiles, HoldNoResultThatIsToBeDerived) {
  const std::vector<StartingFile> begun = files(true);
  ASSERT_EQ(begun.size(), 2u);
  EXPECT_EQ(begun[0].name, "square.cpp");
  EXPECT_FALSE(begun[0].is_contract);
  EXPECT_EQ(begun[0].text,
            "#include \"ops/square.h\"\n#include \"not_written.h\"\n\nReal square_backward(Real x) {\n  // "
            "Step 1. Derive "
            "it.\n\n  not_written(\"square_backward\");\n}\n");
  EXPECT_EQ(begun[1].name, "square.h");
  EXPECT_TRUE(begun[1].is_contract);
  EXPECT_EQ(begun[1].text,
            "// A copy to read: src/ops/square.h without the results that you derive. The compiler reads the "
            "original.\n//\n// The slope of x squared.\nReal square_backward(Real x);\n");
}

TEST_F(StartingFiles, MayComeWithoutTheSteps) {
  EXPECT_EQ(files(false)[0].text.find("Step"), std::string::npos);
}

TEST_F(StartingFiles, HaveNoContractWhereNothingIsHidden) {
  exercise_.hide.clear();
  EXPECT_EQ(files(true).size(), 1u);
}

// `course start` in a small course, whose second file has a function of the same name.
class StartCommand : public SmallCourse {
 protected:
  StartCommand() : SmallCourse("repository") {}

  void SetUp() override {
    SmallCourse::SetUp();
    if (IsSkipped()) return;
    for (const char* const name : {"src/one.cpp", "src/two.cpp"})
      write(name, "namespace plainformer {\n\ndouble half(double x) {\n  return x / 2;\n}\n\n}\n");
    write("src/one.h", "");
    course_.exercises[0].sources = {{.file = "one.cpp", .cut = {{"half", "return 0;"}}},
                                    {.file = "two.cpp", .cut = {{"half", "return 0;"}}}};
  }

  std::string started() {
    testing::internal::CaptureStdout();
    start_command(course_, {"01"});
    return testing::internal::GetCapturedStdout();
  }
};

TEST_F(StartCommand, NamesTheHeadersAndEachFunctionBelowItsFile) {
  const std::string text = started();
  EXPECT_NE(text.find("           src/one.h\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("two.h"), std::string::npos) << "there is none";
  EXPECT_NE(text.find("one.cpp\n             half\n  Write"), std::string::npos) << text;
  EXPECT_NE(text.find("two.cpp\n             half\n  Check"), std::string::npos) << text;
}

TEST_F(StartCommand, OverwritesNothingAndSpeaksOfNoHint) {
  started();
  const std::string error = error_of([&] { start_command(course_, {"01"}); });
  EXPECT_NE(error.find("it exists, and your work is never overwritten. To start over, move it away"),
            std::string::npos)
      << error;
  EXPECT_EQ(error.find("hint"), std::string::npos) << error;
}

TEST_F(StartingFiles, AHeaderWithAHiddenResultIsNotNamed) {
  Settings settings;
  settings.source_dir = folder_.path();
  const Course course = {.tools = Toolchain(settings)};
  EXPECT_TRUE(headers_to_read(course, exercise_).empty());
  exercise_.hide.clear();
  EXPECT_EQ(headers_to_read(course, exercise_), std::vector<std::string>{"src/ops/square.h"});
}

}  // namespace
}  // namespace plainformer::course
