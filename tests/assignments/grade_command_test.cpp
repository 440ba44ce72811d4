// Grades small submissions as `course grade` does: whatever their names and kinds are, each gets what it deserves.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "commands.h"
#include "small_course.h"
#include "text.h"

namespace plainformer::course {
namespace {

// In a folder with a space in its name.
class GradeCommand : public SmallCourse {
 protected:
  GradeCommand() : SmallCourse("my 猫") {}

  // The table of the folder "students".
  std::string graded() {
    const std::string csv = folder_.path_of("table.csv");
    exit_code_ = grade_command(course_, {"01", "--submissions", text_of(root_ / "students"), "--csv", csv});
    std::string table = folder_.read("table.csv");
    std::erase(table, '\r');
    return table.substr(table.find('\n') + 1);
  }

  int exit_code_ = -1;
};

TEST_F(GradeCommand, FindsAStudentsFileInEachPlaceWhereItMayBe) {
  write("students/a,b/half.cpp", kRightHalf);
  write("students/=cmd/01-half/half.cpp", kWrongHalf);
  write("students/学生.cpp", kRightHalf);
  fs::create_directories(root_ / "students" / "empty");
  EXPECT_EQ(graded(), "\"'=cmd\",0,0\n\"a,b\",2,2\n\"empty\",0,0\n\"学生\",2,2\n");
  EXPECT_EQ(exit_code_, 0);
}

TEST_F(GradeCommand, TwoEntriesOfOneNameAreTwoStudents) {
  write("students/alice/half.cpp", kRightHalf);
  write("students/alice.cpp", kWrongHalf);
  write("students/alice.cpp.txt", kWrongHalf);
  EXPECT_EQ(graded(), "\"alice\",2,2\n\"alice.cpp\",0,0\n\"alice.cpp.txt\",0,0\n");
}

TEST_F(GradeCommand, AFileThatIsNoSourceDoesNotStopTheOthers) {
  write("students/alice.cpp", kRightHalf);
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
  write("students/alice/01-half/half.cpp", kRightHalf);
  fs::create_directories(root_ / "students" / "bob");
  if (!make_link("../alice/01-half", root_ / "students" / "bob" / "01-half")) GTEST_SKIP() << kNoLinks;
  write("students/carol/answer.txt", "");
  make_link("../alice/01-half/half.cpp", root_ / "students" / "carol" / "half.cpp");
  EXPECT_EQ(graded(), "\"alice\",2,2\n\"bob\",0,0\n\"carol\",0,0\n");
}

TEST_F(GradeCommand, WhatCannotBeGradedIsSaidAndTheOthersAreGraded) {
  write("students/alice.cpp", kRightHalf);
  if (!make_link("bob", root_ / "students" / "bob")) GTEST_SKIP() << kNoLinks;  // a link to itself
  testing::internal::CaptureStderr();
  EXPECT_EQ(graded(), "\"alice\",2,2\n\"bob\",0,0\n");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("bob cannot be graded: "), std::string::npos);
  EXPECT_EQ(exit_code_, 1);
}

// The folder of the work has the submission's name, and is removed at the end.
TEST_F(GradeCommand, RemovesNothingButItsOwnWork) {
  write("build/kept/half.cpp", kRightHalf);
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
