// plainformer translate at a terminal, as a person sees it.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

class TranslateAtATerminal : public testing::Test {
 protected:
  void SetUp() override {
    if (terminal_.path().empty()) GTEST_SKIP() << "no terminals here";
  }

  // Types these lines, each when the prompt for it is there, and then the end of the input. Returns all that
  // was shown, with "\n" at the ends of lines.
  std::string session(const std::vector<std::string>& options, const std::vector<std::string>& lines) {
    Program program(joined({"translate", "--model", model_, "--extra-length", "1"}, options),
                    {.stdin_path = terminal_.path(),
                     .stdout_path = terminal_.path(),
                     .environment = {{"NO_COLOR", "1"}}});
    std::size_t answered = 0;
    for (const std::string& line : lines) {
      EXPECT_TRUE(prompts(answered));
      answered = terminal_.shown().size();
      terminal_.type(line + "\n");
    }
    EXPECT_TRUE(prompts(answered));
    terminal_.type(PseudoTerminal::kEndOfInput);
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    err_ = result.err;
    std::string shown = terminal_.shown();
    std::erase(shown, '\r');
    return shown;
  }

  // Waits for a prompt behind the first `size` bytes.
  bool prompts(std::size_t size) {
    return wait_until([&] {
      const std::string& shown = terminal_.shown();
      return shown.size() > size && shown.ends_with("\n> ");
    });
  }

  const TemporaryFolder folder_;
  const std::string model_ = write_model(folder_);
  PseudoTerminal terminal_{80};
  std::string err_;
};

TEST_F(TranslateAtATerminal, PromptsAnswersAndSaysHowToEnd) {
  const std::string answer =
      run_program({"translate", "--model", model_, "--extra-length", "1"}, {.input = "the cat\n"}).out;
  EXPECT_EQ(session({}, {"the cat", "", "the cat"}),
            "Type a sentence and press Enter to translate it, or Ctrl-D to end.\n> the cat\n" + answer +
                "> \n> the cat\n" + answer + "> \n");
  EXPECT_EQ(err_, "");
}

TEST_F(TranslateAtATerminal, ListsTheBestWithTheirProbabilities) {
  const std::string shown = session({"--beam", "3", "--n-best", "2", "--scores"}, {"the cat"});
  const ProgramResult piped =
      run_program({"translate", "--model", model_, "--extra-length", "1", "--beam", "3", "--n-best", "2"},
                  {.input = "the cat\n"});
  const std::size_t end = piped.out.find('\n');
  const std::string first = piped.out.substr(0, end),
                    second = piped.out.substr(end + 1, piped.out.size() - end - 2);
  EXPECT_TRUE(contains(shown, "\n  1    ") && contains(shown, " %  " + first + "  score -")) << shown;
  EXPECT_TRUE(contains(shown, "\n  2    ") && contains(shown, " %  " + second + "  score -")) << shown;
  EXPECT_TRUE(contains(shown, ", log P -")) << shown;
}

TEST_F(TranslateAtATerminal, DrawsWhereTheTranslationLooked) {
  const std::string shown = session({"--attention"}, {"the cat", "a table"}),
                    legend = "rows: target, columns: source";
  const std::size_t first = shown.find("  the\n       │  cat\n"),
                    second = shown.find("  a\n       │  table\n");
  ASSERT_TRUE(first < second && second != std::string::npos) << shown;
  EXPECT_EQ(shown.find(legend), shown.rfind(legend)) << "once";
  EXPECT_LT(shown.find(legend), second) << shown;
}

// As `yes > FILE` tells nobody anything new after three lines, but a person asked for each of these.
TEST_F(TranslateAtATerminal, TellsOfEveryLineWhatTheModelDoesNotKnow) {
  session({}, {"the 猫", "the 猫", " \t", "the 猫", "the 猫"});
  std::string told;
  for (const char* line : {"1", "2", "3", "4", "5"})
    told += "standard input:" + std::string(line) +
            (line == std::string("3") ? ": white space alone, read as an empty line\n"
                                      : ": the model never saw 猫 and reads <unk> instead\n");
  EXPECT_EQ(err_, told);
}

// A program that takes our answers must not find a prompt among them.
TEST_F(TranslateAtATerminal, IsAPipeIfOnlyOneEndIsTheTerminal) {
  Program program({"translate", "--model", model_, "--extra-length", "1"}, {.stdin_path = terminal_.path()});
  terminal_.type("the cat\n");
  terminal_.type(PseudoTerminal::kEndOfInput);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            run_program({"translate", "--model", model_, "--extra-length", "1"}, {.input = "the cat\n"}).out);
}

TEST(TranslateCommandAttention, NeedsATerminal) {
  EXPECT_TRUE(failed_with_one_line(run_program({"translate", "--model", "m", "--attention"}), "translate",
                                   {"--attention needs a terminal", "'plainformer attention'"}, 2));
}

}  // namespace
}  // namespace plainformer
