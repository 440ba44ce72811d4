// plainformer translate: from standard input to standard output.
#include <gtest/gtest.h>

#include <cstdint>

#include <sstream>

#include "model_folder/notes.h"
#include "support/sanitized.h"
#include "support/small_model_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

const std::string kInput = "the cat\nsleeps on a table\n\nnot the table ,\nthe the the cat\n";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

struct ScoredLine {
  double score = 0, log_probability = 0;
  std::string translation;
};

ScoredLine parse_scored(const std::string& line) {
  const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
  if (second == std::string::npos) throw std::runtime_error("no two tabs in: " + line);
  return {.score = std::stod(line.substr(0, first)),
          .log_probability = std::stod(line.substr(first + 1, second - first - 1)),
          .translation = line.substr(second + 1)};
}

class TranslateCommand : public testing::Test {
 protected:
  std::vector<std::string> translate(const std::vector<std::string>& options,
                                     const std::string& input = kInput) {
    const ProgramResult result =
        run_program(joined({"translate", "--model", model_}, options), {.input = input});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string lines = std::to_string(count_lines(input));
    EXPECT_TRUE(progress_of(result.err).starts_with("line " + lines + "/" + lines + " 100% in "))
        << result.err;
    EXPECT_EQ(count_lines(progress_of(result.err)), 1) << result.err;
    return lines_of(result.out);
  }

  // Standard error without the notes on translations, of which an untrained model makes many.
  static std::string progress_of(const std::string& err) {
    std::string others;
    for (const std::string& line : lines_of(err))
      if (!contains(line, "translation")) others += line + "\n";
    return others;
  }

  // All that stands before the progress.
  std::string notes_on(const std::string& input, const std::string& extra_length = "0") {
    const ProgramResult result =
        run_program({"translate", "--model", model_, "--extra-length", extra_length}, {.input = input});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(count_lines(result.out), count_lines(input));
    return result.err.substr(0, result.err.rfind("line "));
  }

  const TemporaryFolder folder_;
  const std::string model_ = write_model(folder_);
};

TEST_F(TranslateCommand, TakesTheSourcesOfPairs) {
  const std::string pairs =
      folder_.write("pairs", "1\tthe cat\tdie Katze\n\n3\tthe 猫\tdie 猫\n4\tsleeps on a table\tschläft\n");
  const ProgramResult of_input = run_program({"translate", "--model", model_},
                                             {.input = "the cat\n\nthe 猫\nsleeps on a table\n"}),
                      result =
                          run_program({"translate", "--model", model_, "--pairs", pairs, "--columns", "2,3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, of_input.out);
  EXPECT_TRUE(contains(result.err, pairs + ":3: the model never saw 猫"));
  EXPECT_TRUE(contains(result.err, "line 4/4 100%"));
}

TEST_F(TranslateCommand, NBestGivesNLinesForEachLineBestFirst) {
  const auto lines = translate({"--beam", "4", "--n-best", "3", "--scores"});
  ASSERT_EQ(lines.size(), 15u);
  for (std::size_t i = 0; i < 15; i += 3) {
    const ScoredLine first = parse_scored(lines[i]), second = parse_scored(lines[i + 1]),
                     third = parse_scored(lines[i + 2]);
    EXPECT_GE(first.score, second.score);
    EXPECT_GE(second.score, third.score);
    if (i == 6)
      EXPECT_EQ(first.translation + second.translation + third.translation, "");
    else
      EXPECT_NE(first.translation, second.translation);
  }
  const auto best = translate({"--beam", "4"});
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(parse_scored(lines[3 * i]).translation, best[i]);
}

// With --extra-length 0, an output of one token has as many choices as the vocabulary, but an empty one is
// the only one of its length.
TEST_F(TranslateCommand, WhatFillsUpAnNBestListScoresBelowEveryTranslation) {
  const auto lines =
      translate({"--beam", "60", "--n-best", "60", "--scores", "--extra-length", "0"}, "the\n\n");
  ASSERT_EQ(lines.size(), 120u);
  EXPECT_EQ(lines[59], "-inf\t-inf\t");
  EXPECT_EQ(lines[60], "0\t0\t") << "the empty line's own translation";
  EXPECT_EQ(lines[61], "-inf\t-inf\t");
  for (std::size_t i = 1; i < 60; ++i)
    EXPECT_GE(parse_scored(lines[i - 1]).score, parse_scored(lines[i]).score) << i;
}

TEST_F(TranslateCommand, TellsOfTheFirstLinesOfEachKindAndCountsTheOthers) {
  std::string input = "the cat\n\n \n";
  for (int i = 0; i < 5; ++i) input += "the 猫 sleeps\n";
  input += "thetable\n";
  const auto unseen = [](const std::string& line) {
    return "standard input:" + line + ": the model never saw 猫 and reads <unk> instead\n";
  };
  EXPECT_EQ(notes_on(input),
            "standard input:3: white space alone, read as an empty line\n" + unseen("4") + unseen("5") +
                unseen("6") +
                "standard input:9: the model lacks a piece of \"thetable\" and reads <unk> instead\n"
                "standard input: 2 more lines with characters that the model never saw: 7, 8\n");
  EXPECT_EQ(notes_on("the cat\n\n\r\n"), "") << "an empty line is meant";
}

TEST_F(TranslateCommand, TellsOfATranslationThatRepeatsItselfOrHasUnk) {
  EXPECT_EQ(notes_on("\nthe cat\n", "10"), "standard input:2: the translation repeats \"Tisch\" 12 times\n");
  EXPECT_EQ(notes_on("the cat\n", "1"), "");
  let_write_unknown(model_);
  EXPECT_TRUE(contains(notes_on("\nthe\n", "1"), "standard input:2: the translation has <unk> for a word"));
}

// All of it is read, so that the next line is answered, but little is kept.
TEST_F(TranslateCommand, CutsAHugeWordAndNamesItsLine) {
  Program program({"translate", "--model", model_},
                  {.input_follows = true, .stdout_path = folder_.path_of("answers")});
  const std::string part(1'000'000, 'x');
  for (int i = 0; i < 200; ++i) program.write_input(part);
  program.write_input("\nthe cat\n");
  ASSERT_TRUE(wait_until([&] { return count_lines(folder_.read("answers")) == 2; }));
  if (!kSanitized && kPatience == 1) {
    EXPECT_LT(program.peak_memory(), 150u << 20) << "less than the line's size";
  }
  program.close_input();
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err,
                       "standard input:1: more than 1048576 bytes, cut to 63 tokens (hint: split "
                       "long lines into sentences)\n"))
      << result.err;
  EXPECT_FALSE(contains(result.err, " tokens, cut")) << result.err;
}

TEST_F(TranslateCommand, SaysOnceThatStandardInputIsNoText) {
  using namespace std::string_literals;
  const std::pair<std::string, std::string> cases[] = {
      {"the\nc\0a\0\n\0t\0\n"s,
       "2: contains a NUL byte (hint: is it a text file in UTF-8, not UTF-16 or binary?)"},
      {"the\n\xFF\n\xC3\n",
       "2: not valid UTF-8 (hint: convert the file, if it is Western European with "
       "iconv -f WINDOWS-1252 -t UTF-8)"}};
  for (const auto& [input, note] : cases) {
    const std::string notes = notes_on(input);
    EXPECT_TRUE(notes.starts_with("standard input:" + note + "\n")) << notes;
    EXPECT_EQ(notes.find("(hint: "), notes.rfind("(hint: ")) << "once: " << notes;
  }
}

TEST_F(TranslateCommand, ExtraLengthBoundsTheTranslation) {
  const auto words = [](const std::string& line) { return std::count(line.begin(), line.end(), ' ') + 1; };
  const auto unbounded = translate({}, "the\n"), bounded = translate({"--extra-length", "2"}, "the\n");
  ASSERT_GT(words(unbounded[0]), 3) << "the model stops by itself: this test shows nothing";
  EXPECT_EQ(words(bounded[0]), 3);
}

TEST_F(TranslateCommand, JoinsTheTranslationsOfTheSentencesOfALine) {
  const auto lines = [&](const std::vector<std::string>& options, const std::string& input) {
    return lines_of(run_program(joined({"translate", "--model", model_}, options), {.input = input}).out);
  };
  const std::vector<std::string> parts = lines({}, "the cat .\nsleeps on ?\n\na table\n");
  EXPECT_EQ(lines({"--split"}, "the cat .  sleeps on ? \n\na table\nthe cat ."),
            (std::vector<std::string>{parts[0] + " " + parts[1], "", parts[3], parts[0]}));
  EXPECT_EQ(sentences_of("A b. C.d! (E?) 你好。好"),
            (std::vector<std::string>{"A b.", "C.d!", "(E?) 你好。", "好"}));
  EXPECT_EQ(sentences_of("Am 21. Juni kommt Dr. X. No. 7 waits. No. I am 21. Ja."),
            (std::vector<std::string>{"Am 21. Juni kommt Dr. X.", "No. 7 waits.", "No.", "I am 21.", "Ja."}));
}

// Not before its first line is there, and without waiting for another, or for the rest of one.
TEST_F(TranslateCommand, AnswersAPipeLineByLine) {
  Program program({"translate", "--model", model_, "--beam", "2"},
                  {.input_follows = true, .stdout_path = folder_.path_of("answers")});
  const auto has_answers = [&](std::ptrdiff_t count) {
    return wait_until([&] { return count_lines(folder_.read("answers")) >= count; });
  };
  program.write_input("the cat\n");
  ASSERT_TRUE(has_answers(1));
  program.write_input("\nnot the table ,\nsleeps on ");
  ASSERT_TRUE(has_answers(3));
  EXPECT_EQ(count_lines(folder_.read("answers")), 3);
  program.write_input("a table");
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(progress_of(result.err).starts_with("line 4 in ")) << result.err;
  EXPECT_EQ(lines_of(folder_.read("answers")),
            translate({"--beam", "2"}, "the cat\n\nnot the table ,\nsleeps on a table\n"));
}

// More lines than are translated together, of lengths in no order.
TEST_F(TranslateCommand, KeepsTheOrderOfLinesAcrossChunks) {
  const auto kinds = translate({"--extra-length", "1"});
  const auto inputs = lines_of(kInput);
  std::string input;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 2500; ++i) {
    const std::size_t kind = (i * i + i / 7) % inputs.size();
    input += inputs[kind] + "\n";
    expected.push_back(kinds[kind]);
  }
  const ProgramResult result =
      run_program({"translate", "--model", model_, "--extra-length", "1"}, {.input = input});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(lines_of(result.out), expected);
}

TEST_F(TranslateCommand, RefusesOptionsThatDoNotFit) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
#if PTRDIFF_MAX > INT32_MAX  // an Index of 32 bits cannot hold it
    {{"--beam", "4294967297"}, "--beam: 4294967297 is out of range"},
#endif
    {{"--n-best", "2"}, "--n-best: 2 is more than the beam, 1 (hint: choose a beam of at least 2)"},
    {{"--beam", "2", "--length-penalty", "nan"}, "--length-penalty: nan is out of range (hint: choose 0 to"},
    {{"--extra-length", "-1"}, "--extra-length: -1 is out of range"},
    {{"--batch", "0"}, "--batch: 0 is out of range"},
    {{"--threads", "100000"}, "--threads: 100000"},
  };
  for (const auto& [options, message] : cases)
    EXPECT_TRUE(refused(run_program(joined({"translate", "--model", model_}, options), {.input = kInput}),
                        {message}));
}

// Teacher-forced, the model gives its own greedy translations the very probability that the search reported.
// (The search counts </s> at the limit, too. A translation with <unk> cannot be scored again from its text.)
TEST_F(TranslateCommand, ScoreAgreesOnTheLogProbability) {
  const auto translated = translate({"--scores", "--extra-length", "5"});
  std::string targets;
  for (const std::string& line : translated) targets += parse_scored(line).translation + "\n";
  const ProgramResult result =
      run_program({"score", "--model", model_, "--source", folder_.write("source", kInput), "--target",
                   folder_.write("target", targets)});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto scored = lines_of(result.out), inputs = lines_of(kInput);
  ASSERT_EQ(scored.size(), translated.size());
  int compared = 0;
  for (std::size_t i = 0; i < scored.size(); ++i) {
    const ScoredLine line = parse_scored(translated[i]);
    if (inputs[i].empty() || contains(line.translation, "<unk>")) continue;
    EXPECT_NEAR(std::stod(scored[i]), line.log_probability, 1e-4) << line.translation;
    EXPECT_EQ(line.score, line.log_probability) << "greedy knows no length penalty";
    ++compared;
  }
  EXPECT_GE(compared, 3);
}

// ---- at a terminal, as a person sees it

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
    const std::string end = "^D\b\b";  // as the terminals of macOS show it
    if (const std::size_t at = shown.rfind(end); at != std::string::npos) shown.erase(at, end.size());
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
  EXPECT_TRUE(refused(run_program({"translate", "--model", "m", "--attention"}),
                      {"--attention needs a terminal", "'plainformer attention'"}, 2));
}

}  // namespace
}  // namespace plainformer
