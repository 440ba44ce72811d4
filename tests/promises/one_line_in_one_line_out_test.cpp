// "translate reads stdin and writes stdout, one line in, one line out, always."
#include <gtest/gtest.h>

#include "data/text.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

struct Input {
  const char* what;
  std::string text;
  std::ptrdiff_t lines;
};

const std::vector<Input>& inputs() {
  using namespace std::string_literals;
  static const std::vector<Input> all = {
      {"nothing", "", 0},
      {"one empty line", "\n", 1},
      {"empty lines around", "\n\nthe cat\n\n\nsleeps\n\n", 7},
      {"white space only", " \n\t\n  \r\n\u3000\u00A0\n", 4},
      {"no final newline", "the cat\nsleeps", 2},
      {"CRLF", "the cat\r\nsleeps\r\n\r\n", 3},
      {"a carriage return within", "the\rcat\nsleeps\n", 2},
      {"a byte order mark", "\xEF\xBB\xBFthe cat\nsleeps\n", 2},
      {"a byte order mark alone", "\xEF\xBB\xBF\n", 1},
      {"invalid UTF-8", "the \xff\xfe cat\n\xc3\n\xed\xa0\x80 sleeps\n\xf4\x90\x80\x80\n", 4},
      {"NUL", "the\0cat\n\0\nsleeps\n"s, 3},
      {"unknown words", "xyzzy the plugh\nQWERTY\n", 2},
      {"emoji and other scripts", "\U0001F600 the \U0001F1E9\U0001F1EA cat\n猫在桌子上\nקאט\n", 3},
      {"line and paragraph separators", "the\u2028cat\nthe\u2029cat\nthe\xC2\x85 cat\n", 3},
      {"vertical tab, form feed, file separator", "the\vcat\nthe\fcat\nthe\034cat\n", 3},
      {"no-break space", "the\u00A0cat\n", 1},
      {"special symbols", "<s> the </s> cat <pad>\n<unk>\n@@ a@@ </w>\n", 3},
      {"a line of 100,000 words", "the cat\n" + repeated("the ", 100'000) + "\nsleeps\n", 3},
      {"a word of 100,000 letters", "the cat\n" + repeated("x", 100'000) + "\nsleeps\n", 3},
      {"many lines", repeated("the cat sleeps\n\n", 100), 200},
  };
  return all;
}

TEST(OneLineInOneLineOut, GreedyAndNLinesForOneWithNBest) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  for (const Input& input : inputs()) {
    const ProgramResult greedy = run_program({"translate", "--model", model}, {.input = input.text});
    EXPECT_EQ(greedy.exit_code, 0) << input.what << ": " << greedy.err;
    EXPECT_EQ(count_lines(greedy.out), input.lines) << input.what;
    EXPECT_TRUE(input.lines == 0 || greedy.out.back() == '\n') << input.what;
    const ProgramResult two = run_program(
        {"translate", "--model", model, "--beam", "3", "--n-best", "2", "--scores", "--batch", "7"},
        {.input = input.text});
    EXPECT_EQ(two.exit_code, 0) << input.what << ": " << two.err;
    EXPECT_EQ(count_lines(two.out), 2 * input.lines) << input.what;
  }
}

// A line does not depend on the lines around it.
TEST(OneLineInOneLineOut, LineIIsTheTranslationOfLineI) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  const auto translate = [&](const std::string& input) {
    return run_program({"translate", "--model", model}, {.input = input}).out;
  };
  const std::string cat = translate("the cat\n"), table = translate("a table not on\n");
  ASSERT_NE(cat, table);
  EXPECT_EQ(translate("a table not on\n\nthe cat"), table + "\n" + cat);
  EXPECT_EQ(translate("\xEF\xBB\xBFthe cat\r\na table not on\r\n"), cat + table);
}

TEST(OneLineInOneLineOut, BytePairEncodingToo) {
  const TemporaryFolder folder;
  const std::string codes = ModelFolder(write_model(folder)).codes();
  for (const Input& input : inputs()) {
    const ProgramResult result = run_program({"bpe", "apply", "--codes", codes}, {.input = input.text});
    EXPECT_EQ(result.exit_code, 0) << input.what << ": " << result.err;
    EXPECT_EQ(count_lines(result.out), input.lines) << input.what;
    EXPECT_EQ(count_lines(result.err), text_problem(input.text) ? 1 : 0) << input.what << ": " << result.err;
  }
}

TEST(OneLineInOneLineOut, ParsingTooAndTheTreesCanBeRead) {
  const TemporaryFolder folder;
  const std::string model = write_parser(folder);
  for (const Input& input : inputs()) {
    const ProgramResult result =
        run_program({"parse", "--model", model, "--beam", "1", "--extra-length", "9"}, {.input = input.text});
    EXPECT_EQ(result.exit_code, 0) << input.what << ": " << result.err;
    EXPECT_EQ(count_lines(result.out), input.lines) << input.what;
    const ProgramResult sentences = run_program({"treebank", "sentences"}, {.input = result.out});
    EXPECT_EQ(sentences.exit_code, 0) << input.what << ": " << sentences.err;
  }
}

TEST(OneLineInOneLineOut, AFolderAsInputIsAnErrorNotAnEmptyText) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  const std::string gold = folder.write("gold", "(NN cat)");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"translate", "--model", model},
                                                  {"treebank", "sentences"},
                                                  {"f1", "--gold", gold}})
    EXPECT_TRUE(
        refused(run_program(command, {.stdin_path = folder.path()}), {"standard input: cannot be read"}));
}

}  // namespace
}  // namespace plainformer
