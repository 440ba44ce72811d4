// What stands between a student's code and the tests: the machine is tried first, and a
// test that knows the machine code of the reference does not pass for one that knows its numbers.
#include <gtest/gtest.h>

#include <filesystem>

#include "commands.h"
#include "grading.h"
#include "reference_run.h"
#include "small_course.h"
#include "submission.h"
#include "text.h"

namespace plainformer::course {
namespace {

// With a second exercise, which asks for tests of the first.
class Guards : public SmallCourse {
 protected:
  Guards() : SmallCourse("repository") {}

  void SetUp() override {
    SmallCourse::SetUp();
    if (IsSkipped()) return;
    write("examples/assignments/support/test_main.cpp", R"(
      #include <unistd.h>
      bool is_right();
      int main() {
        char number[64];
        const ssize_t count = read(0, number, sizeof number);
        return is_right() && write(3, number, count) == count ? 0 : 1;
      })");
    write("exercise/start/answer_test.cpp", "");
    Exercise& half = course_.exercises[0];
    half.bugs = {{.name = "no-half", .edits = {{"half.cpp", "x / 2", "x"}}, .numbers_of = "x"}};
    Exercise tests = half;
    tests.number = 2;
    tests.name = "tests";
    tests.kind = Kind::kTests;
    tests.tests_of = 1;
    tests.sources = {};
    tests.bugs = {};
    tests.results = {};
    tests.tests = {{.file = "answer_test.cpp", .name = "no-half", .points = 1}};
    course_.exercises.push_back(tests);
  }

  Grade graded(std::size_t exercise, const std::string& name, const std::string& text,
               unsigned disguise = 0) {
    const fs::path file = write("students/" + name, text);
    return grade_exercise(course_, course_.exercises[exercise], file.parent_path(),
                          {.work = root_ / "build" / "work", .jobs = 1, .disguise = disguise});
  }

  std::string printed(const std::function<int()>& command, int expected_exit_code) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(command(), expected_exit_code);
    return testing::internal::GetCapturedStdout();
  }
};

// It adds up the first bytes of the function.
TEST_F(Guards, ATestThatKnowsTheMachineCodeOfTheReferenceAcceptsNoOther) {
  const auto test = [](const std::string& sum) {
    return "#include <cstdio>\n#include \"half.h\"\nbool is_right() {\n  unsigned sum = 0;\n  const auto* "
           "const code = "
           "reinterpret_cast<const unsigned char*>(&plainformer::half);\n  for (int i = 0; i < 17; ++i) sum "
           "= 31 * sum "
           "+ code[i];\n  std::printf(\"bytes %u.\\n\", sum);\n  return sum == " +
           sum + ";\n}\n";
  };
  graded(1, "answer_test.cpp", test("1u"));
  const std::string message =
      run_process({text_of(root_ / "build" / "work" / program_name("reference"))}).output;
  const std::size_t begin = message.find("bytes "), end = message.find('.', begin);
  ASSERT_NE(begin, std::string::npos) << message;
  const std::string trick = test(message.substr(begin + 6, end - begin - 6) + "u");
  if (graded(1, "answer_test.cpp", trick).score != 1) GTEST_SKIP() << "this compiler's versions begin alike";
  constexpr unsigned kDisguise = 14;
  const Grade disguised = graded(1, "answer_test.cpp", trick, kDisguise);
  EXPECT_EQ(disguised.score, 0);
  EXPECT_NE(disguised.tests[0].message.find("compiled in another way"), std::string::npos)
      << disguised.tests[0].message;
  const std::string honest = "#include \"half.h\"\nbool is_right() { return plainformer::half(8) == 4; }\n";
  EXPECT_EQ(graded(1, "answer_test.cpp", honest, kDisguise).score, 1);
}

TEST_F(Guards, TheGateNamesTheStudentsTestThatRejectsTheReference) {
  const Grade grade =
      graded(1, "answer_test.cpp",
             "#include <cstdio>\nbool is_right() {\n  std::puts(\"[ RUN      ] Mine.IsWrong\\n"
             "/a/mine.cpp:7: Failure\\nExpected: 1\\n[  FAILED  ] Mine.IsWrong (0 ms)\");\n"
             "  return false;\n}\n");
  EXPECT_TRUE(grade.tests[0].message.starts_with("Mine.IsWrong does not pass:\n")) << grade.tests[0].message;
  EXPECT_TRUE(grade.tests[0].was_tried);
  EXPECT_FALSE(grade.tests[1].was_tried);
}

// A compiler that waits is stopped once, and the reference is not compiled after it.
TEST_F(Guards, AMachineOnWhichTheCompilerWaitsIsBusy) {
  if (program_name("compiler") != "compiler") GTEST_SKIP() << "a script is no program here";
  write("compiler", "#!/bin/sh\necho called >> '" + text_of(root_ / "calls") + "'\nexec sleep 60\n");
  fs::permissions(root_ / "compiler", fs::perms::owner_all);
  Settings slow = settings();
  slow.other_compiler = text_of(root_ / "compiler");
  slow.compiler_seconds = 0.5;
  course_.tools = Toolchain(slow);
  const Grade grade = graded(0, "half.cpp", kRightHalf);
  EXPECT_NE(grade.machine.find("half.cpp: the compiler did not end within "), std::string::npos)
      << grade.machine;
  EXPECT_NE(grade.machine.find("this machine is busy.\nClose other programs"), std::string::npos)
      << grade.machine;
  EXPECT_EQ(read_text(root_ / "calls"), "called\n");

  const Exercise& half = course_.exercises[0];
  const std::string problem = machine_problem(course_, half, {.work = root_ / "build" / "work"});
  EXPECT_TRUE(problem.starts_with("this machine is busy, so it cannot grade 01 half")) << problem;
  EXPECT_EQ(problem.find("does not compile"), std::string::npos) << problem;
}

TEST_F(Guards, AStudentsErrorDoesNotMakeTheMachineBusy) {
  const Grade grade = graded(0, "half.cpp", "#error it did not end within 240 s\n");
  EXPECT_EQ(grade.machine, "");
  EXPECT_EQ(grade.score, 0);
}

TEST_F(Guards, AStudentsFileDoesNotMakeTheMachineBusy) {
  write("students/alice/it did not end within 9 s, so this machine is busy.txt", "");
  const Grade grade =
      grade_exercise(course_, course_.exercises[0], root_ / "students" / "alice", {.work = root_ / "work"});
  ASSERT_EQ(grade.problems.size(), 1u);
  EXPECT_NE(grade.problems[0].find("half.cpp is missing"), std::string::npos);
  EXPECT_EQ(grade.machine, "");
}

// A program that computes waits for a busy machine's processor; one that sleeps would wait on any machine.
TEST(MachineInDoubt, IsNotSuspectedOfAProgramThatOnlyWaits) {
  ProcessResult process;
  process.timed_out = process.waited = true;
  process.seconds = 3600;
  process.cpu_seconds = 0.5;
  EXPECT_FALSE(may_be_the_machine(process));
  process.cpu_seconds = 600;
  EXPECT_TRUE(may_be_the_machine(process));
  process.cpu_seconds = 0;
  EXPECT_TRUE(may_be_the_machine(process)) << "the system does not say";
}

TEST_F(Guards, AMachineThatFailsTheReferenceGivesNobodyZeroPoints) {
  write("src/half.cpp", kWrongHalf);  // and the library is older
  write("students/alice/half.cpp", kRightHalf);
  const fs::path table = root_ / "table.csv";
  testing::internal::CaptureStderr();
  EXPECT_EQ(
      grade_command(course_, {"01", "--submissions", text_of(root_ / "students"), "--csv", text_of(table)}),
      1);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("Nobody was graded: this machine cannot grade 01 half"), std::string::npos) << said;
  EXPECT_NE(said.find("half fails for the reference"), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(table));
}

// An ending that a machine can cause leads to the reference; if that passes, the student's code has caused it.
TEST_F(Guards, TheReferenceIsTriedWhereTheMachineIsSuspected) {
  const std::string imitates =
      "#include <cstdio>\n#include <cstdlib>\n#include \"half.h\"\ndouble plainformer::half(double) {\n"
      "  std::fputs(\"ERROR: failed to allocate\", stderr);\n  std::abort();\n}\n";
  const Grade grade = graded(0, "half.cpp", imitates);
  EXPECT_TRUE(grade.tests[0].may_be_the_machine);
  EXPECT_EQ(grade.machine, "");
  EXPECT_EQ(grade.score, 0);
  write("src/half.cpp", "#error\n");
  EXPECT_NE(graded(0, "half.cpp", imitates).machine.find("this machine cannot grade"), std::string::npos);
}

TEST_F(Guards, HealthSaysWhatToMend) {
  testing::internal::CaptureStdout();
  health_command(course_, {});
  const std::string sound = testing::internal::GetCapturedStdout();
  EXPECT_NE(sound.find("ok    a check of 01 half"), std::string::npos) << sound;
  EXPECT_NE(sound.find("ok    compiler "), std::string::npos) << sound;
  write("src/half.cpp", kWrongHalf);
  const std::string broken = printed([&] { return health_command(course_, {}); }, 1);
  EXPECT_NE(broken.find("MEND  a check of 01 half"), std::string::npos) << broken;
  EXPECT_NE(broken.find("Mend what is marked"), std::string::npos) << broken;
}

TEST_F(Guards, AVariantMayLieOutsideOfTheRepository) {
  write("secret/01-half/exercise.json",
        R"({"title": "A third", "task": "Divide by 3.", "variant": "third",
            "tests": [{"file": "./third_test.cpp", "points": {"Third.IsThird": 2}}]})");
  write("secret/01-half/third_test.cpp",
        "#include \"half.h\"\nbool is_right() { return plainformer::half(6) == 2; }\n");
  write("students/alice/half.cpp",
        "#include \"half.h\"\ndouble plainformer::half(double x) { return x / 3; }\n");
  write("students/bob/half.cpp", kRightHalf);
  const std::string table = printed(
      [&] {
        return grade_command(course_, {"01", "--variants", text_of(root_ / "secret"), "--submissions",
                                       text_of(root_ / "students")});
      },
      0);
  EXPECT_EQ(table, "\"student\",\"01 half (third)\",\"sum\"\r\n\"alice\",2,2\r\n\"bob\",0,0\r\n");
  EXPECT_THROW(with_variants_of(course_, text_of(root_ / "students")), std::runtime_error)
      << "no exercise's folder";
}

}  // namespace
}  // namespace plainformer::course
