// Grades small submissions as `course grade` does: each gets what it deserves, and the machine is tried
// first.
#include "grading.h"

#include <chrono>

#include "core/input_error.h"
#include "small_course.h"

namespace plainformer::course {
namespace {

constexpr const char* kMark = "\xEF\xBB\xBF";

// In a folder with a space in its name, with a second exercise, which asks for tests of the first.
class Grading : public SmallCourse {
 protected:
  Grading() : SmallCourse("my 猫") {}

  void SetUp() override {
    SmallCourse::SetUp();
    if (IsSkipped()) return;
    Exercise& half = course_.exercises[0];
    half.bugs = {{.name = "no-half", .edits = {{"half.cpp", "x / 2", "x"}}, .numbers_of = "x"}};
    Exercise tests = half;
    tests.number = "02";
    tests.name = "tests";
    tests.tests = "answer_test.cpp";
    tests.tests_of = "half";
    tests.sources = {};
    tests.bugs = {};
    tests.rows = {{.name = "no-half", .points = 1}};
    course_.exercises.push_back(tests);
  }

  Grade graded(std::size_t exercise, const std::string& name, const std::string& text, Index seed = 1) {
    const fs::path file = write("one/" + name, text);
    return grade_exercise(course_, course_.exercises[exercise], {.path = file.parent_path()},
                          {.work = root_ / "build" / "work", .seed = seed, .jobs = 1});
  }

  // The table of the folder "students", without the mark and the headings.
  std::string table(const Arguments& more = {}) {
    Arguments arguments = {"01", "--submissions", to_text(root_ / "students"), "--csv",
                           folder_.path_of("table.csv")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    testing::internal::CaptureStderr();
    exit_code_ = grade_command(course_, arguments);
    said_ = testing::internal::GetCapturedStderr();
    std::string text = read_text(to_path(folder_.path_of("table.csv")));
    EXPECT_TRUE(text.empty() || text.starts_with(kMark));
    std::erase(text, '\r');
    return text.substr(text.find('\n') + 1);
  }

  int exit_code_ = -1;
  std::string said_;
};

TEST_F(Grading, GivesThePointsOfEachRowAndSaysWhy) {
  write("students/a,b/half.cpp", kRightHalf);
  write("students/=cmd/01-half/half.cpp", kWrongHalf);
  write("students/学生.cpp", kRightHalf);
  write("students/bob.cpp", "not C++");
  fs::create_directories(root_ / "students" / "empty");
  const std::string text = table();
  EXPECT_TRUE(
      text.starts_with("\"'=cmd\",0,0,\"half\"\n\"a,b\",2,2,\"\"\n"
                       "\"bob\",0,0,\"bob.cpp does not compile:\"\n\"empty\",,,\"half.cpp is missing in "))
      << text;
  EXPECT_TRUE(text.ends_with("\"学生\",2,2,\"\"\n")) << text;
  EXPECT_TRUE(said_.ends_with("4 graded, 1 without a file\n")) << said_;
  EXPECT_EQ(exit_code_, 0);
  course_.exercises[0].sources = {{.file = "first.cpp"}, {.file = "half.cpp"}};
  EXPECT_TRUE(graded(0, "half.cpp", kRightHalf).has_file) << "the second one";
}

// A global variable, a helper of the library's name, an include, a mark, UTF-16.
TEST_F(Grading, ARightAnswerHasAllPointsWhateverElseItDefines) {
  write("src/library.cpp",
        "namespace plainformer { double helper() { return 7; } double used() { return helper(); } }");
  build_library();
  const std::string half = "namespace plainformer {\ndouble half(double x) { return x * kFactor; }\n}\n";
  const std::string before[] = {
      "#include \"half.h\"\n#include <map>\nstd::map<int, int> seen;\nint global = 3;\nconst double kFactor "
      "= 0.5;\n",
      "#include \"half.h\"\nnamespace plainformer {\ndouble helper() { return 0.5; }\n}\nstatic const double "
      "kFactor = "
      "plainformer::helper();\n"};
  for (const std::string& text : before) EXPECT_EQ(graded(0, "half.cpp", text + half).score, 2) << text;
  std::string wide("\xFF\xFE", 2);
  for (const char c : std::string(kRightHalf)) wide += {c, '\0'};
  EXPECT_EQ(graded(0, "half.cpp", wide).score, 2);
}

TEST_F(Grading, NamesAKnownMistakeAndWhatIsWrong) {
  const Grade grade = graded(0, "half.cpp", kWrongHalf);
  EXPECT_EQ(grade.score, 0);
  EXPECT_NE(grade.recognized.find("exactly those of: x."), std::string::npos) << grade.recognized;
  EXPECT_EQ(grade.rows[0].message.find("half: of a number:\nThe number are wrong"), 0u)
      << grade.rows[0].message;
}

TEST_F(Grading, TheDebuggersCommandHasTheSeed) {
  EXPECT_TRUE(graded(0, "half.cpp", kWrongHalf).debugger.starts_with("ASAN_OPTIONS="));
  EXPECT_TRUE(
      graded(0, "half.cpp", kWrongHalf, 7).debugger.starts_with("PLAINFORMER_COURSE_SEED=7 ASAN_OPTIONS="));
}

TEST_F(Grading, AProgramThatEndsEarlyLoopsOrPrintsGetsNothing) {
  const auto half = [](const std::string& body) {
    return "#include <cstdio>\n#include <cstdlib>\n#include \"half.h\"\ndouble plainformer::half(double x) "
           "{\n" +
           body + "\n}\n";
  };
  const Grade ends = graded(0, "half.cpp", half("std::exit(0);"));
  EXPECT_EQ(ends.rows[0].message, "the program ended without half: of a number");
  const Grade prints =
      graded(0, "half.cpp", half("std::puts(\"[ OK ] 2 of 2\"); std::fflush(stdout); std::abort();"));
  EXPECT_NE(prints.rows[0].message.find("It printed:\n[ OK ] 2 of 2\n"), std::string::npos);
  EXPECT_EQ(ends.score + prints.score, 0);
  course_.exercises[0].seconds = 1;
  try {
    const Grade loops = graded(0, "half.cpp", half("for (volatile int i = 0;; i = i + 1) {}"));
    EXPECT_NE(loops.rows[0].message.find("does every loop end?"), std::string::npos);
    EXPECT_EQ(loops.score, 0);
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("this machine is too busy"), std::string::npos) << error.what();
  }
}

// The compiler would read it until the memory of the machine is used up.
TEST_F(Grading, AnEndlessFileEndsAtALimit) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(graded(0, "half.cpp", "#include \"/dev/zero\"\n").score, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(100));
}

TEST_F(Grading, ALinkLeadsToNoOtherStudent) {
  write("students/alice/01-half/half.cpp", kRightHalf);
  fs::create_directories(root_ / "students" / "bob");
  fs::create_symlink("../alice/01-half", root_ / "students" / "bob" / "01-half");
  write("students/carol/answer.txt", "");
  fs::create_symlink("../alice/01-half/half.cpp", root_ / "students" / "carol" / "half.cpp");
  const std::string text = table();
  EXPECT_TRUE(text.starts_with("\"alice\",2,2,\"\"\n\"bob\",,,")) << text;
  EXPECT_NE(text.find("\n\"carol\",,,"), std::string::npos) << text;
}

TEST_F(Grading, AMachineThatFailsTheReferenceGivesNobodyZeroPoints) {
  write("src/half.cpp", kWrongHalf);  // and the library is older
  write("students/alice/half.cpp", kRightHalf);
  const Arguments arguments = {"01", "--submissions", to_text(root_ / "students")};
  EXPECT_NE(error_of([&] {
              grade_command(course_, arguments);
            }).find("nobody was graded: the library's own answer"),
            std::string::npos);
}

TEST_F(Grading, AMachineOnWhichTheCompilerWaitsIsBusy) {
  write("compiler", "#!/bin/sh\nexec sleep 60\n");
  fs::permissions(root_ / "compiler", fs::perms::owner_all);
  Settings slow = settings();
  slow.other_compiler = to_text(root_ / "compiler");
  slow.compiler_seconds = 0.5;
  course_.tools = Toolchain(slow);
  EXPECT_NE(error_of([this] { graded(0, "half.cpp", kRightHalf); }).find("this machine is too busy"),
            std::string::npos);
}

TEST_F(Grading, AMachineThatKillsTheCompilerOrTheLinkerIsBusy) {
  const std::string messages[] = {"g++: fatal error: Killed signal terminated program cc1plus",
                                  "collect2: fatal error: ld terminated with signal 9 [Killed]",
                                  "clang: error: unable to execute command: Killed"};
  for (const std::string& message : messages)
    EXPECT_TRUE(was_killed({.exit_code = 1, .output = "first\n" + message + "\n"})) << message;
  EXPECT_FALSE(was_killed({.exit_code = 1, .output = "half.cpp:3:2: error: #error error: Killed signal\n"}));
  EXPECT_FALSE(was_killed({.exit_code = 1, .output = "    3 | // error: Killed signal\n"}));

  write("compiler", "#!/bin/sh\ncase \"$*\" in *\" -c \"* | */known/*) exec " PLAINFORMER_CXX
                    " \"$@\" ;; esac\necho '" +
                        messages[1] + "' >&2\nexit 1\n");
  fs::permissions(root_ / "compiler", fs::perms::owner_all);
  Settings killing = settings();
  killing.other_compiler = to_text(root_ / "compiler");
  course_.tools = Toolchain(killing);
  EXPECT_NE(error_of([this] { graded(0, "half.cpp", kRightHalf); }).find("the linker had to wait"),
            std::string::npos);
}

TEST_F(Grading, ShowsWhatAWrongAnswerPrints) {
  const Grade grade = graded(0, "half.cpp",
                             "#include <cstdio>\n#include \"half.h\"\ndouble plainformer::half(double x) {\n"
                             "std::puts(\"here\");\nreturn x;\n}\n");
  EXPECT_EQ(grade.printed, "It printed:\nhere\n");
}

TEST_F(Grading, TestsMustAcceptTheReferenceAndRejectABug) {
  const std::string include = "#include \"half.h\"\n";
  const Grade good =
      graded(1, "answer_test.cpp", include + "bool is_right() { return plainformer::half(8) == 4; }\n");
  EXPECT_EQ(good.score, 1) << (good.problem);
  const Grade blind =
      graded(1, "answer_test.cpp", include + "bool is_right() { return plainformer::half(0) == 0; }\n");
  EXPECT_EQ(blind.rows[0].message, "they accept x");
  const Grade strict =
      graded(1, "answer_test.cpp",
             "#include <cstdio>\nbool is_right() {\n  std::puts(\"[ RUN      ] Mine.IsWrong\\n"
             "Expected: 1\\n[  FAILED  ] Mine.IsWrong (0 ms)\");\n  return false;\n}\n");
  EXPECT_NE(strict.problem.find("Mine.IsWrong does not pass:\nExpected: 1\n"), std::string::npos)
      << strict.problem;
  EXPECT_EQ(blind.score + strict.score, 0);
}

TEST_F(Grading, AVariantHasAnAnswerOfItsOwn) {
  Exercise third = course_.exercises[0];
  third.variant = "third";
  third.folder = root_ / "variant";
  third.bugs.clear();
  course_.exercises.push_back(third);
  write("variant/driver.cpp", R"(
      #ifdef COURSE_ORACLE
      namespace plainformer { double half(double x) { return x / 3; } }
      #endif
      )");
  write("students/alice/half.cpp",
        "#include \"half.h\"\ndouble plainformer::half(double x) { return x / 3; }\n");
  write("students/bob/half.cpp", kRightHalf);
  EXPECT_EQ(table({"--variant"}), "\"alice\",2,2,\"\"\n\"bob\",0,0,\"half\"\n");
}

// The folder of the work is removed at the end.
TEST_F(Grading, RemovesNothingButItsOwnWork) {
  write("build/kept/ada/half.cpp", kRightHalf);
  testing::internal::CaptureStdout();
  EXPECT_EQ(grade_command(course_, {"01", "--submissions", to_text(root_ / "build" / "kept")}), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("\"ada\",2,2,"), std::string::npos);
  EXPECT_TRUE(fs::exists(root_ / "build" / "kept" / "ada" / "half.cpp"));
  EXPECT_TRUE(fs::exists(course_.tools.settings().library));
}

TEST(FailureMessage, IsWhatTheSanitizerFoundInTheStudentsFile) {
  ProcessResult result;
  result.exit_code = 1;
  result.output =
      "mine\n=================\n==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n    #0 "
      "0x2 in "
      "f " PLAINFORMER_SOURCE_DIR "/src/core/tensor.cpp:3\n    #1 0x3 in g /home/me/src/softmax.cpp:31\n";
  EXPECT_EQ(failure_message(result),
            "AddressSanitizer: heap-buffer-overflow\nat softmax.cpp:31\nIt printed:\nmine\n");
  result.output = "terminate called after throwing an instance of 'int'\n";
  EXPECT_EQ(failure_message(result), "an exception left the code: an instance of 'int'\n");
  result.output = "softmax_forward is not written yet\n";
  EXPECT_EQ(failure_message(result), "softmax_forward is not written yet");
  result.output = "";
  EXPECT_EQ(failure_message(result), "it ended with exit code 1\n");
}

// A program that computes waits for a busy machine's processor; one that sleeps would wait on any machine.
TEST(FailureMessage, SuspectsTheMachineOfAProgramThatWaited) {
  ProcessResult process;
  process.timed_out = process.waited = true;
  process.seconds = 3600;
  process.cpu_seconds = 0.5;
  EXPECT_FALSE(may_be_the_machine(process));
  process.cpu_seconds = 600;
  EXPECT_TRUE(may_be_the_machine(process));
  process.output.assign(kMostOutputBytes, 'y');
  EXPECT_FALSE(may_be_the_machine(process)) << "it waits for its reader";
}

}  // namespace
}  // namespace plainformer::course
