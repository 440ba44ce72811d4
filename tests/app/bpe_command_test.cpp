// plainformer bpe.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

TEST(BpeCommand, LearnsAppliesAndIsUndone) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "low low low lower newest newest widest\n");
  const std::string codes = folder.path_of("codes");
  const ProgramResult learned = run_program({"bpe", "learn", text, "--out", codes, "--merges", "4"});
  EXPECT_EQ(learned.exit_code, 0) << learned.err;
  EXPECT_EQ(learned.out, "");
  // "l o" occurs 4 times, then "w e", "s t</w>" and "lo w</w>" 3 times: the largest pair goes first.
  EXPECT_EQ(folder.read("codes"), "#version: 0.2\nl o\nw e\ns t</w>\nlo w</w>\n");

  const std::string input = "low lowest  wider\r\nüber\n\nnewest";
  const ProgramResult applied = run_program({"bpe", "apply", "--codes", codes}, {.input = input});
  EXPECT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_EQ(applied.err, "");
  EXPECT_EQ(applied.out, "low lo@@ we@@ st w@@ i@@ d@@ e@@ r\nü@@ b@@ e@@ r\n\nn@@ e@@ we@@ st\n");
}

TEST(BpeCommand, SaysWhatItDoesNotLearn) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "ab ab\n" + std::string(10'001, 'x') + "\nab\n");
  const ProgramResult result = run_program({"bpe", "learn", text, "--out", "-", "--merges", "50"});
  EXPECT_EQ(result.out, "#version: 0.2\na b</w>\n");
  EXPECT_TRUE(contains(result.err, "1 of 50 merges were found, because no other pair occurs twice\n"))
      << result.err;
}

TEST(BpeCommand, LearnsFromSeveralFilesTogether) {
  const TemporaryFolder folder;
  const std::string first = folder.write("first", "ab ab\n"), second = folder.write("second", "cd cd cd\n");
  const ProgramResult result = run_program({"bpe", "learn", first, second, "--out", folder.path_of("codes")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(folder.read("codes"), "#version: 0.2\nc d</w>\na b</w>\n");
}

TEST(BpeCommand, ABadFileLeavesTheOldCodesAlone) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good", "ab ab\n"), bad = folder.write("bad", "ab\na\xff\n");
  const std::string codes = folder.write("codes", "old");
  EXPECT_TRUE(
      refused(run_program({"bpe", "learn", good, bad, "--out", codes}), {bad + ":2: not valid UTF-8"}));
  EXPECT_EQ(folder.read("codes"), "old");
  EXPECT_TRUE(refused(run_program({"bpe", "apply", "--codes", codes}, {.input = "ab\n"}), {codes + ":1: "}));
}

TEST(BpeCommand, RefusesToWriteOverItsText) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "ab ab\n"),
                    other = folder.write("other.plainformer.tmp", "cd cd\n");
  EXPECT_TRUE(refused(run_program({"bpe", "learn", other, text, "--out", text}),
                      {text + ": would replace " + text + ", which is read"}));
  EXPECT_TRUE(refused(run_program({"bpe", "learn", text, "--out", folder.path_of("./text")}),
                      {"/./text: would replace " + text + ", which is read"}));
  // other.plainformer.tmp takes the bytes of the file while it is written.
  EXPECT_TRUE(refused(run_program({"bpe", "learn", other, "--out", folder.path_of("other")}),
                      {"/other: would replace " + other + ", which is read"}));
  EXPECT_EQ(folder.read("text"), "ab ab\n");
  EXPECT_EQ(folder.read("other.plainformer.tmp"), "cd cd\n");
}

// A progress bar would be a second line. A codes file of more merges could not be loaded again.
TEST(BpeCommand, FindsOutBeforeItsWorkWhatItCannotDo) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "ab ab\n"), codes = folder.path_of("none/codes");
  EXPECT_TRUE(refused(run_program({"bpe", "learn", text, "--out", codes}), {codes}));
  EXPECT_TRUE(
      refused(run_program({"bpe", "learn", text, "--out", folder.path_of("codes"), "--merges", "100001"}),
              {"--merges: 100001 is out of range (hint: choose 0 to 100000)"}));
}

}  // namespace
}  // namespace plainformer
