// Grades small submissions as `course grade` does: whatever their names and kinds are, each gets what it deserves.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "commands.h"
#include "compiler.h"
#include "io/temporary_folder.h"
#include "text.h"

namespace plainformer::course {
namespace {

constexpr const char* kRight = R"(
  #include "half.h"
  namespace plainformer {
  double half(double x) { return x / 2; }
  })";
constexpr const char* kWrong = R"(
  #include "half.h"
  namespace plainformer {
  double half(double x) { return x; }
  })";

// A small repository, in a folder with a space in its name, whose only exercise is src/half.cpp.
class GradeCommand : public testing::Test {
 protected:
  GradeCommand() : root_(path_of(folder_.path_of("my 猫"))) {}

  void SetUp() override {
    if (!runs_here(test_compiler())) GTEST_SKIP() << kNoCompiler;
#ifdef PLAINFORMER_EMULATED
    GTEST_SKIP() << "the grader starts the programs that it compiles without this build's emulator";
#endif
    for (const char* const name :
         {"src", "tests/support", "examples/assignments/support", "exercise", "build"})
      fs::create_directories(root_ / name);
    write("src/half.h", "#pragma once\nnamespace plainformer { double half(double x); }");
    write("src/half.cpp", kRight);
    write("src/library.cpp", "");
    write("tests/half_test.cpp",
          "#include \"half.h\"\nbool is_right() { return plainformer::half(6) == 3; }");
    write("examples/assignments/support/not_written.cpp", "");
    write("examples/assignments/support/system.cpp", "");
    write("examples/assignments/support/test_main.cpp", R"(
      #include <unistd.h>
      bool is_right();
      int main() {
        char number[64];
        const ssize_t count = read(0, number, sizeof number);
        return is_right() && write(3, number, count) == count ? 0 : 1;
      })");
    Exercise exercise;
    exercise.folder = root_ / "exercise";
    exercise.number = 1;
    exercise.name = "half";
    exercise.sanitizers = "";
    exercise.sources = {{.file = "half.cpp"}};
    exercise.tests = {{.file = "half_test.cpp", .name = "Half.IsHalf", .points = 2}};
    course_.exercises = {exercise};
    const ProcessResult library = course_.tools.compile_submission(exercise, root_ / "src" / "library.cpp",
                                                                   course_.tools.settings().library);
    EXPECT_TRUE(library.succeeded()) << library.output;
  }

  Settings settings() const {
    Settings settings;
    settings.source_dir = root_;
    settings.binary_dir = root_ / "build";
    settings.library = root_ / "build" / "library.o";
    settings.compiler = test_compiler();
    settings.link_flags = test_link_flags();
    return settings;
  }

  void write(const std::string& name, const std::string& text) const {
    const fs::path path = root_ / path_of(name);
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  // The table of the folder "students".
  std::string graded() {
    const std::string csv = folder_.path_of("table.csv");
    exit_code_ = grade_command(course_, {"01", "--submissions", text_of(root_ / "students"), "--csv", csv});
    std::string table = folder_.read("table.csv");
    std::erase(table, '\r');
    return table.substr(table.find('\n') + 1);
  }

  const TemporaryFolder folder_;
  const fs::path root_;
  Course course_ = {.tools = Toolchain(settings())};
  int exit_code_ = -1;
};

TEST_F(GradeCommand, FindsAStudentsFileInEachPlaceWhereItMayBe) {
  write("students/a,b/half.cpp", kRight);
  write("students/=cmd/01-half/half.cpp", kWrong);
  write("students/学生.cpp", kRight);
  fs::create_directories(root_ / "students" / "empty");
  EXPECT_EQ(graded(), "\"'=cmd\",0,0\n\"a,b\",2,2\n\"empty\",0,0\n\"学生\",2,2\n");
  EXPECT_EQ(exit_code_, 0);
}

TEST_F(GradeCommand, TwoEntriesOfOneNameAreTwoStudents) {
  write("students/alice/half.cpp", kRight);
  write("students/alice.cpp", kWrong);
  write("students/alice.cpp.txt", kWrong);
  EXPECT_EQ(graded(), "\"alice\",2,2\n\"alice.cpp\",0,0\n\"alice.cpp.txt\",0,0\n");
}

TEST_F(GradeCommand, AFileThatIsNoSourceDoesNotStopTheOthers) {
  write("students/alice.cpp", kRight);
  write("students/bob.pdf", "%PDF-1.5");
  EXPECT_EQ(graded(), "\"alice\",2,2\n\"bob\",0,0\n");
  EXPECT_EQ(exit_code_, 0);
}

// The compiler would read it until the memory of the machine is used up.
TEST_F(GradeCommand, AnEndlessFileEndsAtALimit) {
  write("students/alice.cpp", "#include \"/dev/zero\"\n");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(graded(), "\"alice\",0,0\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(50));
}

TEST_F(GradeCommand, ALinkLeadsToNoOtherStudent) {
  write("students/alice/01-half/half.cpp", kRight);
  fs::create_directories(root_ / "students" / "bob");
  if (!make_link("../alice/01-half", root_ / "students" / "bob" / "01-half")) GTEST_SKIP() << kNoLinks;
  write("students/carol/answer.txt", "");
  make_link("../alice/01-half/half.cpp", root_ / "students" / "carol" / "half.cpp");
  EXPECT_EQ(graded(), "\"alice\",2,2\n\"bob\",0,0\n\"carol\",0,0\n");
}

TEST_F(GradeCommand, WhatCannotBeGradedIsSaidAndTheOthersAreGraded) {
  write("students/alice.cpp", kRight);
  if (!make_link("bob", root_ / "students" / "bob")) GTEST_SKIP() << kNoLinks;  // a link to itself
  testing::internal::CaptureStderr();
  EXPECT_EQ(graded(), "\"alice\",2,2\n\"bob\",0,0\n");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("bob cannot be graded: "), std::string::npos);
  EXPECT_EQ(exit_code_, 1);
}

// The folder of the work has the submission's name, and is removed at the end.
TEST_F(GradeCommand, RemovesNothingButItsOwnWork) {
  write("build/kept/half.cpp", kRight);
  fs::create_directories(root_ / "build" / "kept" / "inner");
  const fs::path before = fs::current_path();
  fs::current_path(root_ / "build" / "kept" / "inner");
  testing::internal::CaptureStdout();
  EXPECT_EQ(grade_command(course_, {"01", "--submission", ".."}), 0);
  fs::current_path(before);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("2 of 2"), std::string::npos);
  EXPECT_TRUE(fs::exists(root_ / "build" / "kept" / "half.cpp"));
  EXPECT_TRUE(fs::exists(course_.tools.settings().library));
}

TEST_F(GradeCommand, RefusesASubmissionThatIsMissing) {
  EXPECT_NE(error_of([&] {
              grade_command(course_, {"01", "--submission", "nobody"});
            }).find("it is missing"),
            std::string::npos);
}

}  // namespace
}  // namespace plainformer::course
