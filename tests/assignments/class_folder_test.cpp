// A class as a person or a platform hands it over.
#include "submission.h"

#include <gtest/gtest.h>

#include "files.h"
#include "io/temporary_folder.h"

namespace plainformer::course {
namespace {

class ClassFolders : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text = "x") const {
    fs::create_directories(to_path(folder_.path_of(name)).parent_path());
    folder_.write(name, text);
  }
  ClassFolder read() const { return read_class_folder(to_path(folder_.path())); }

  // The file that is graded for softmax.cpp, relative to the folder; or the problem.
  std::string found(const Submission& submission) const {
    Exercise exercise;
    exercise.number = "01";
    exercise.name = "softmax";
    exercise.sources = {{.file = "ops/softmax.cpp"}};
    try {
      return to_text(
          fs::relative(find_file(submission, exercise, exercise.sources[0]), to_path(folder_.path())));
    } catch (const SubmissionError& error) {
      return error.what();
    }
  }

  const TemporaryFolder folder_;
};

TEST_F(ClassFolders, HaveAnEntryForEachStudentAndWhatNobodyHandedInIsLeftOut) {
  for (const char* const name :
       {"bob/softmax.cpp", "alice.cpp", "__MACOSX/x", "Thumbs.db", "desktop.ini", ".x"})
    write(name);
  const ClassFolder all = read();
  ASSERT_EQ(all.submissions.size(), 2u);
  EXPECT_EQ(all.submissions[0].student, "alice");
  EXPECT_EQ(found(all.submissions[0]), "alice.cpp");
  EXPECT_EQ(found(all.submissions[1]), "bob/softmax.cpp");
  EXPECT_EQ(all.left_out, (std::vector<std::string>{".x", "Thumbs.db", "__MACOSX", "desktop.ini"}));
}

TEST_F(ClassFolders, PutTheFlatFilesOfCanvasTogether) {
  write("lovelaceada_123456_9876543_softmax.cpp");
  write("lovelaceada_LATE_123456_9876544_softmax-1.cpp");
  write("hopper_77_88_answers.zip");
  const ClassFolder all = read();
  ASSERT_EQ(all.submissions.size(), 2u);
  EXPECT_NE(all.submissions[0].why.find("answers.zip is an archive"), std::string::npos);
  EXPECT_EQ(all.submissions[1].student, "lovelaceada");
  EXPECT_EQ(all.submissions[1].id, "123456");
  EXPECT_EQ(found(all.submissions[1]), "lovelaceada_LATE_123456_9876544_softmax-1.cpp");
}

TEST_F(ClassFolders, KnowMoodlesNamesOfFoldersAndFiles) {
  write("Ada Lovelace_4711_assignsubmission_file/my work/softmax.cpp");
  write("Müller, Änne_4712_assignsubmission_file_softmax.cpp");
  const ClassFolder all = read();
  ASSERT_EQ(all.submissions.size(), 2u);
  EXPECT_EQ(all.submissions[0].student, "Ada Lovelace");
  EXPECT_EQ(all.submissions[0].id, "4711");
  EXPECT_EQ(found(all.submissions[0]), "Ada Lovelace_4711_assignsubmission_file/my work/softmax.cpp");
  EXPECT_EQ(found(all.submissions[1]), "Müller, Änne_4712_assignsubmission_file_softmax.cpp");
  write("Ada Lovelace_4713_assignsubmission_file/softmax.cpp");
  EXPECT_EQ(read().submissions[1].student, "Ada Lovelace 4713") << "a student of the same name";
  EXPECT_EQ(read().submissions[2].student, "Müller, Änne");
}

TEST_F(ClassFolders, AFileIsFoundInAFolderBelowButNotInThatOfAnotherExercise) {
  write("ada/ada/softmax.cpp");
  write("bob/01-softmax-plus-one/softmax.cpp");
  write("bob/01-softmax/softmax (2).cpp");
  write("bob/softmax.cpp");
  write("cleo/01-softmax-plus-one/softmax.cpp");
  write("dan/a/softmax.cpp");
  write("dan/b/softmax.cpp");
  write("eve/my-softmax.cpp");
  const std::vector<Submission> all = read().submissions;
  EXPECT_EQ(found(all[0]), "ada/ada/softmax.cpp");
  EXPECT_EQ(found(all[1]), "bob/01-softmax/softmax (2).cpp");
  EXPECT_NE(found(all[2]).find("softmax.cpp is missing in "), std::string::npos);
  EXPECT_NE(found(all[3]).find("there are two: "), std::string::npos);
  EXPECT_TRUE(found(all[4]).ends_with(", where there is: my-softmax.cpp")) << found(all[4]);
}

TEST_F(ClassFolders, TwoEntriesOfOneNameAreTwoStudents) {
  for (const char* const name : {"alice/softmax.cpp", "alice.cpp", "alice.cpp.txt"}) write(name);
  std::string names;
  for (const Submission& submission : read().submissions) names += submission.student + " ";
  EXPECT_EQ(names, "alice alice.cpp alice.cpp.txt ");
}

TEST_F(ClassFolders, AnEmptyOneIsRefused) {
  EXPECT_NE(error_of([this] { read(); }).find("it is empty"), std::string::npos);
}

TEST(TextOfASubmission, IsUtf8WithoutAMark) {
  const TemporaryFolder folder;
  const std::string hello = "a = 'ü';", mark = "\xEF\xBB\xBF";
  EXPECT_EQ(text_of_submission(to_path(folder.write("one", mark + hello))), hello);
  const std::string little("\xFF\xFE\x61\x00\xFC\x00\x3D\xD8\x00\xDE", 10),
      big("\xFE\xFF\x00\x61\x00\xFC", 6);
  EXPECT_EQ(text_of_submission(to_path(folder.write("two", little))), "aü😀");
  EXPECT_EQ(text_of_submission(to_path(folder.write("three", big))), "aü");
}

TEST(ProblemOfAText, OfMuchWhiteSpaceIsFound) {
  Exercise exercise;
  exercise.forbid = {"plainformer::fast::"};
  const std::string text = "fast" + std::string(900'000, ' ') + "::x();";
  EXPECT_NE(problem_of_text(exercise, text, ""), "");
}

TEST(ProblemOfAText, IsAWordThatNobodyMayWrite) {
  Exercise exercise;
  exercise.forbid = {"plainformer::fast::", "plainformer::multiply("};
  const auto problem = [&](const std::string& text) {
    return problem_of_text(exercise, text, "int same = fast::way();\n");
  };
  const struct {
    const char *text, *problem;
  } cases[] = {
      {"return fast::softmax(x);", "uses plainformer::fast::"},
      {"int multiply_all(int x); // multiply(", ""},
      {"y = plainformer::multiply(a);", "uses plainformer::multiply("},
      {"/* fast:: */ int breakfast::x;", ""},
      {"int same = fast::way();", ""},
      {"const char* text = \"/*\"; fast::x();", "uses plainformer::fast::"},
      {"fa\\\nst::x();", "uses plainformer::fast::"},
      {"return fast\n  :: x();", "uses plainformer::fast::"},
      {"return multiply\n  (x);", "uses plainformer::multiply("},
      {"namespace f =\n plainformer::fast;", "uses plainformer::fast::"},
      {"using namespace\nfast;", "uses plainformer::fast::"},
      {"namespace a { const bool fast = Mode::fast; }", ""},
      {"const double multiply = 2;", ""},
      {"auto quote = u'\"'; const char* t = \"/*\"; fast::x(); // */", "uses plainformer::fast::"},
      {"IGNORE(1'\"') const char* t = \"/*\"; fast::x(); // */", "uses plainformer::fast::"},
      {"int n = 1'000'000 % 0x1'f;", ""},
      {"puts(\"LR\");", ""},
      {"puts(u8R\"x(/*)x\");", "has  raw string"},
  };
  for (const auto& one : cases) {
    if (std::string(one.problem).empty())
      EXPECT_EQ(problem(one.text), "");
    else
      EXPECT_NE(problem(one.text).find(one.problem), std::string::npos)
          << one.text << ": " << problem(one.text);
  }
}

}  // namespace
}  // namespace plainformer::course
