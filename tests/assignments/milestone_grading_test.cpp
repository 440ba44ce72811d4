// `course grade --milestone` in a small course: all files of a student's in one program, behind the guards of the exercises.
#include <gtest/gtest.h>

#include "commands.h"
#include "small_course.h"
#include "text.h"

namespace plainformer::course {
namespace {

class MilestoneGrading : public SmallCourse {
 protected:
  MilestoneGrading() : SmallCourse("repository") {}

  // With a library in float that is empty, too, and built already.
  void SetUp() override {
    SmallCourse::SetUp();
    if (IsSkipped()) return;
    if (program_name("x") != "x") GTEST_SKIP() << "this system has no command that does nothing";
    Settings with_float = settings();
    with_float.float_build = root_ / "toy";
    with_float.cmake = "true";  // the command that does nothing
    course_.tools = Toolchain(with_float);
    write("toy/Makefile", "");
    fs::create_directories(root_ / "toy" / "src");
    for (const fs::path& library : {with_float.float_library(), with_float.float_app_library()})
      EXPECT_TRUE(run_process({"ar", "rcs", text_of(library), with_float.library_objects[0]}).succeeded());
    write("examples/assignments/milestones/toy_test.cpp",
          "#include \"half.h\"\nbool is_right() { return plainformer::half(6) == 3; }\n");
  }

  // The table of the folder "students", and their reports beside it.
  std::string graded(const Arguments& exercises) {
    const std::string csv = folder_.path_of("table.csv");
    Arguments arguments = exercises;
    arguments.insert(arguments.end(), {"--milestone", "--submissions", text_of(root_ / "students"), "--csv",
                                       csv, "--reports", folder_.path_of("reports")});
    exit_code_ = grade_command(course_, arguments);
    if (!fs::exists(path_of(csv))) return "";
    std::string table = folder_.read("table.csv");
    std::erase(table, '\r');
    return table;
  }

  int exit_code_ = -1;
};

TEST_F(MilestoneGrading, ItsPointsStandInTheTableBehindThoseOfTheExercises) {
  write("students/alice/01-half/half.cpp", kRightHalf);
  write("students/bob/half.cpp", kWrongHalf);
  fs::create_directories(root_ / "students" / "carol");
  testing::internal::CaptureStderr();
  EXPECT_EQ(graded({"01"}),
            "\"student\",\"01 half\",\"milestone 3\",\"sum\"\n"
            "\"alice\",2,10,12\n\"bob\",0,0,0\n\"carol\",0,0,0\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("Another course command"), std::string::npos)
      << "the threads of one grading build after each other, and none of them is another command";
  EXPECT_EQ(exit_code_, 0);
  EXPECT_NE(folder_.read("reports/carol.txt").find("01 half: half.cpp is missing"), std::string::npos);
}

TEST_F(MilestoneGrading, NeedsNoExerciseBeside) {
  write("students/alice/half.cpp", kRightHalf);
  EXPECT_EQ(graded({}), "\"student\",\"milestone 3\",\"sum\"\n\"alice\",10,10\n");
}

TEST_F(MilestoneGrading, LooksAtTheFilesBeforeTheyRun) {
  write("students/asks/half.cpp", R"(
    #include "half.h"
    namespace plainformer {
    double generate_toy_corpus();  // knows the translations
    double half(double x) { return x / 2 + generate_toy_corpus(); }
    })");
  write("students/loads/half.cpp", R"(
    #include "half.h"
    namespace plainformer {
    double load_corpora();  // has them, too
    double half(double x) { return x / 2 + load_corpora(); }
    })");
  write("students/exits/half.cpp", R"(
    #include "half.h"
    extern "C" void exit(int);
    namespace plainformer {
    double half(double) { exit(0); return 3; }
    })");
  write("students/includes/half.cpp", "#include \"/dev/zero\"\n");
  EXPECT_EQ(
      graded({}),
      "\"student\",\"milestone 3\",\"sum\"\n\"asks\",0,0\n\"exits\",0,0\n\"includes\",0,0\n\"loads\",0,0\n");
  EXPECT_NE(folder_.read("reports/asks.txt").find("uses generate_toy_corpus"), std::string::npos);
  EXPECT_NE(folder_.read("reports/loads.txt").find("uses load_corpora"), std::string::npos);
  EXPECT_NE(folder_.read("reports/includes.txt").find("it includes /dev/zero"), std::string::npos);
}

TEST_F(MilestoneGrading, NobodyIsGradedWhereTheLibrarysOwnAnswersFail) {
  write("students/alice/half.cpp", kRightHalf);
  write("src/half.cpp", kWrongHalf);
  testing::internal::CaptureStderr();
  EXPECT_EQ(graded({}), "");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("this machine cannot grade milestone 3"),
            std::string::npos);
  EXPECT_EQ(exit_code_, 1);
}

}  // namespace
}  // namespace plainformer::course
