// The options of a subcommand, and how the program answers those that it cannot understand.
#include "command_line/command_line.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <limits>
#include <set>
#include <sstream>

#include "support/program.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

struct Options {
  bool fast = false;
  Index beam = 4;
  double alpha = 0.6;
  std::string model;
  std::vector<std::string> logs;
  std::string plain;
  CommandLine line{"plainformer test --model DIR", "A test."};

  Options() {
    line.option("--model", "DIR", &model, "the folder");
    line.section("Search");
    line.option("--beam", "N", &beam, "hypotheses");
    line.option("--alpha", "X", &alpha, "the penalty");
    line.option("--fast", "", &fast, "be fast");
    line.option("--log", "FILE", &logs, "a log");
    line.optional_value("--plain", "NAMES", &plain, "all", "be plain");
  }
  std::string usage_error(const Arguments& arguments) {
    return thrown_message<UsageError>([&] { line.parse(arguments); });
  }
};

TEST(CommandLine, SetsTheVariables) {
  Options options;
  const Arguments rest =
      options.line.parse({"a", "--model", "m", "--beam=-7", "--fast", "b", "--alpha", "1e-3", "-x"});
  EXPECT_EQ(options.model, "m");
  EXPECT_EQ(options.beam, -7);
  EXPECT_EQ(options.alpha, 1e-3);
  EXPECT_TRUE(options.fast);
  EXPECT_EQ(rest, (Arguments{"a", "b", "-x"}));
}

TEST(CommandLine, TellsWhichOptionsWereGiven) {
  Options options;
  options.line.parse({"--model=--fast", "--alpha=0.6"});
  EXPECT_EQ(options.line.first_given({"--fast", "--model", "--alpha"}), "--model") << "--fast was a value";
  EXPECT_EQ(options.line.first_given({"--fast", "--log"}), "");
}

TEST(CommandLine, ItsArgumentsSetTheSameAgain) {
  Options options;
  EXPECT_EQ(options.line.arguments(), (Arguments{"--beam", "4", "--alpha", "0.6"}));
  options.line.parse(
      {"--model", "a b", "--fast", "--log", "b", "--log", "-a", "--alpha", "0.30000000000000004"});
  Options same;
  EXPECT_TRUE(same.line.parse(options.line.arguments()).empty());
  EXPECT_EQ(same.model, "a b");
  EXPECT_EQ(same.logs, (Arguments{"b", "-a"}));
  EXPECT_EQ(same.beam, 4);
  EXPECT_TRUE(same.fast);
  EXPECT_EQ(same.alpha, 0.30000000000000004);
}

TEST(CommandLine, AnOptionalValueComesByEqualsOnly) {
  Options alone, with_value;
  EXPECT_EQ(alone.line.parse({"--plain", "a"}), (Arguments{"a"}));
  EXPECT_EQ(alone.plain, "all");
  with_value.line.parse({"--plain=x,y"});
  EXPECT_EQ(with_value.plain, "x,y");
  const Arguments arguments = with_value.line.arguments();
  EXPECT_EQ(std::count(arguments.begin(), arguments.end(), "--plain=x,y"), 1);
  EXPECT_TRUE(contains(alone.line.help(), "--plain[=NAMES]"));
  EXPECT_EQ(Options().usage_error({"--plain="}), "--plain= needs a value: --plain[=NAMES]");
}

TEST(CommandLine, WithoutOptionsTheDefaultsStay) {
  Options options;
  EXPECT_TRUE(options.line.parse({}).empty());
  EXPECT_EQ(options.beam, 4);
  EXPECT_EQ(options.alpha, 0.6);
  EXPECT_FALSE(options.fast);
}

TEST(CommandLine, RefusesAnOptionThatIsGivenTwice) {
  EXPECT_EQ(Options().usage_error({"--beam", "2", "--fast", "--beam=3"}), "--beam is given twice");
  EXPECT_EQ(Options().usage_error({"--beam", "2", "--beam", "2"}), "--beam is given twice");
  EXPECT_EQ(Options().usage_error({"--fast", "--fast"}), "--fast is given twice");
  EXPECT_EQ(Options().usage_error({"--plain", "--plain=x"}), "--plain is given twice");
}

TEST(CommandLine, ASecondCallReplacesTheValuesOfTheFirst) {
  Options options;
  options.line.parse({"--beam", "2", "--log", "a", "--log", "b", "--model", "m"});
  options.line.parse({"--beam", "3", "--log", "c"});
  EXPECT_EQ(options.beam, 3);
  EXPECT_EQ(options.logs, std::vector<std::string>{"c"});
  EXPECT_EQ(options.model, "m");
  EXPECT_EQ(options.line.first_given({"--model"}), "--model");
}

TEST(CommandLine, AListTakesAllValuesInOrder) {
  Options options;
  options.line.parse({"--log", "b", "--beam", "2", "--log=a", "--log", "b"});
  EXPECT_EQ(options.logs, (std::vector<std::string>{"b", "a", "b"}));
}

TEST(CommandLine, AValueMayHaveAnEqualsSignOrADash) {
  Options options;
  options.line.parse({"--model=a=b"});
  EXPECT_EQ(options.model, "a=b");
  options.line.parse({"--model", "-- and so on"});
  EXPECT_EQ(options.model, "-- and so on");
  options.line.parse({"--model", "-"});
  EXPECT_EQ(options.model, "-");
}

TEST(CommandLine, AValueThatLooksLikeAnOptionNeedsAnEqualsSign) {
  for (const std::string value : {"--fast", "--fats", "--beam=3"}) {
    EXPECT_EQ(Options().usage_error({"--model", value, "--alpha", "1"}),
              "--model needs a value: --model DIR, or --model=" + value + " if that is the value");
    Options options;
    options.line.parse({"--model=" + value});
    EXPECT_EQ(options.model, value);
    EXPECT_FALSE(options.fast);
    Options same;
    same.line.parse(options.line.arguments());
    EXPECT_EQ(same.model, value);
  }
}

TEST(CommandLine, SuggestsTheNearestOption) {
  EXPECT_EQ(Options().usage_error({"--beem", "3"}), "unknown option --beem; did you mean --beam?");
  EXPECT_EQ(Options().usage_error({"--modle=x"}), "unknown option --modle; did you mean --model?");
  EXPECT_EQ(Options().usage_error({"--something-else"}), "unknown option --something-else");
}

TEST(CommandLine, SuggestsForAShortNameOnlyWhatIsNearer) {
  EXPECT_EQ(did_you_mean("fi", {"f1", "bpe"}), "; did you mean f1?");
  EXPECT_EQ(did_you_mean("foo", {"f1", "bpe"}), "");
  EXPECT_EQ(did_you_mean("", {"f1"}), "");
  EXPECT_EQ(did_you_mean("--bogus", {"--words"}), "") << "three of five letters";
}

TEST(CommandLine, NamesAMissingValue) {
  EXPECT_EQ(Options().usage_error({"--beam"}), "--beam needs a value: --beam N");
}

TEST(CommandLine, NamesAValueOfTheWrongKind) {
  for (const char* text : {"", "x", "3x", " 3", "3.5", "1e3", "0x10", "99999999999999999999"}) {
    EXPECT_EQ(Options().usage_error({"--beam", text}),
              "--beam takes a whole number, not \"" + std::string(text) + "\"");
  }
  for (const char* text : {"", "x", "0.5x", "0,5", " 1", "1e999"}) {
    EXPECT_EQ(Options().usage_error({"--alpha", text}),
              "--alpha takes a number, not \"" + std::string(text) + "\"");
  }
  EXPECT_EQ(Options().usage_error({"--fast=yes"}), "--fast takes no value");
}

TEST(CommandLine, HelpListsOptionsWithTheirDefaults) {
  EXPECT_EQ(Options().line.help(),
            "A test.\n\n"
            "Usage: plainformer test --model DIR\n\n"
            "Options:\n"
            "  --model DIR      the folder\n\n"
            "Search:\n"
            "  --beam N         hypotheses [4]\n"
            "  --alpha X        the penalty [0.6]\n"
            "  --fast           be fast\n"
            "  --log FILE       a log\n"
            "  --plain[=NAMES]  be plain\n");
}

TEST(CommandLine, HelpIsWrappedAtTheWidth) {
  bool yes = false;
  std::string size = "middling";
  CommandLine line("plainformer test --model DIR [--size NAME] < in > out\n       plainformer test --yes",
                   "A summary that is longer than one\nline.");
  line.option("--size", "NAME", &size, "small, middling or large: the text goes on below its beginning");
  line.option("--yes", "", &yes, "a short text");
  EXPECT_EQ(line.help(48),
            "A summary that is longer than one line.\n\n"
            "Usage: plainformer test --model DIR\n"
            "           [--size NAME] < in > out\n"
            "       plainformer test --yes\n\n"
            "Options:\n"
            "  --size NAME  small, middling or large: the\n"
            "               text goes on below its beginning\n"
            "               [middling]\n"
            "  --yes        a short text\n");
}

TEST(CommandLine, WrapsTextByItsColumns) {
  const auto wrap = [](const char* text, int column, int indent, int width) {
    return wrapped(text, column, indent, width);
  };
  EXPECT_EQ(wrap(" one\ntwo  six", 0, 0, 7), "one two\nsix");
  EXPECT_EQ(wrap("one two six", 0, 0, 6), "one\ntwo\nsix");
  EXPECT_EQ(wrap("", 0, 0, 6), "");
  EXPECT_EQ(wrap("one two six ten", 5, 2, 8), "one\n  two\n  six\n  ten");
  EXPECT_EQ(wrap("a very-long-word b", 0, 1, 5), "a\n very-long-word\n b");
  EXPECT_EQ(wrap("very-long-word b", 3, 1, 5), "very-long-word\n b");
  EXPECT_EQ(wrap("größer ja", 0, 0, 9), "größer ja");
  EXPECT_EQ(wrap("猫猫 ja", 0, 0, 6), "猫猫\nja");
  EXPECT_EQ(help_row("--a", "one two three four five six seven", 5, 36),
            "  --a    one two three four five six\n"
            "         seven\n");
  EXPECT_EQ(help_row("--an-option", "one two three four five six", 11, 10),
            "  --an-option  one two three four five\n"
            "               six\n");
}

// ---- the program

TEST(Program, WithoutArgumentsSaysHowToUseItAndFails) {
  const ProgramResult result = run_program({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(result.err, "Usage: plainformer COMMAND"));
}

TEST(Program, HelpListsTheCommands) {
  for (const char* word : {"--help", "-h", "help"}) {
    const ProgramResult result = run_program({word});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    for (const char* command : {"train", "translate", "score", "bleu", "bpe", "inspect", "benchmark"})
      EXPECT_TRUE(contains(result.out, "\n  " + std::string(command) + " ")) << command;
  }
}

TEST(Program, HelpOfACommandIsItsOwnHelp) {
  const std::vector<std::vector<std::string>> commands = {{"train"}, {"bpe"}, {"bpe", "learn"}};
  for (const std::vector<std::string>& command : commands) {
    std::vector<std::string> help_first = command, help_last = command;
    help_first.insert(help_first.begin(), "help");
    help_last.push_back("--help");
    const ProgramResult result = run_program(help_first);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(contains(result.out, "Usage: plainformer " + command[0])) << result.out;
    EXPECT_EQ(result.out, run_program(help_last).out);
  }
  EXPECT_EQ(run_program({"help", "--help"}).out, run_program({"--help"}).out);
}

TEST(Program, HelpOfAnUnknownCommandIsAnError) {
  const ProgramResult result = run_program({"help", "trian"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "plainformer: unknown command \"trian\"; did you mean train? (hint: see 'plainformer --help')\n");
}

TEST(Program, RefusesAnUnknownCommand) {
  const ProgramResult result = run_program({"trian"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "plainformer: unknown command \"trian\"; did you mean train? (hint: see 'plainformer --help')\n");
}

TEST(Program, TellsItsVersion) {
  const ProgramResult result = run_program({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "plainformer " PLAINFORMER_VERSION "\n");
}

struct BadUsage {
  std::vector<std::string> arguments;
  std::string message;
};

TEST(Program, APathThatTheSystemRefusesIsOneLineWithAHint) {
  const std::string path(5000, 'x');
  EXPECT_TRUE(failed_with_one_line(run_program({"translate", "--model", path}), "translate",
                                   {path + ": ", "(hint: "}));
}

TEST(Program, WrongUsageIsOneLineAndExitCode2) {
  const BadUsage cases[] = {
      {{"train", "--lables"}, "unknown option --lables"},
      {{"translate", "--modle", "x"}, "unknown option --modle; did you mean --model?"},
      {{"translate", "--model"}, "--model needs a value: --model DIR"},
      {{"translate", "--model", "x", "--beam", "four"}, "--beam takes a whole number, not \"four\""},
      {{"translate", "--model", "x", "--length-penalty", "0,6"}, "--length-penalty takes a number"},
      {{"translate", "--model", "x", "--scores=yes"}, "--scores takes no value"},
      {{"translate", "--model", "x", "in.txt"}, "unexpected argument \"in.txt\""},
      {{"translate"}, "--model is required"},
      {{"score", "--model", "x", "--source", "x"}, "--target is required"},
      {{"bleu"}, "--reference is required"},
      {{"treebank"}, "choose 'generate' or 'sentences'"},
      {{"treebank", "generate"}, "--out is required"},
      {{"parse"}, "--model is required"},
      {{"f1"}, "--gold is required"},
      {{"bpe"}, "choose 'learn' or 'apply'"},
      {{"bpe", "lern"}, "'lern' is neither 'learn' nor 'apply'"},
      {{"bpe", "learn", "--out", "x"}, "name at least one text file"},
      {{"bpe", "learn", "x"}, "--out is required"},
      {{"bpe", "learn", "x", "--out", "y", "--merges", "-1"}, "--merges takes 0 to 100000, not -1"},
      {{"bpe", "apply"}, "--codes is required"},
      {{"inspect"}, "--model is required"},
      {{"cost", "--preset", "huge"}, "unknown preset \"huge\""},
      {{"cost", "--preset", "base", "--model", "x"}, "--preset and --model exclude each other"},
      {{"cost", "--model", "x", "--heads", "2"}, "--heads and --model exclude each other"},
      {{"cost", "--source", "x"}, "unknown option --source"},
      {{"inspect", "--model", "x", "--batch", "1"}, "options about batches need a text"},
      {{"attention", "--source", "x"},
       "--model is required; 'plainformer train --preset toy --out DIR' makes a model"},
      {{"attention", "--model", "x"}, "--source is required"},
      {{"attention", "--model", "x", "--target", "y"}, "--target needs --source"},
      {{"attention", "--model", "x", "--source", "y", "--kind", "cross"}, "--kind takes encoder-self, "},
      {{"attention", "--model", "x", "--source", "y", "--head", "0,x"}, "--head takes numbers from 0"},
      {{"attention", "--model", "x", "--source", "y", "--layer=-1"}, "--layer takes numbers from 0"},
      {{"attention", "--model", "x", "--source", "y", "--decoder-rows", "z"},
       "--decoder-rows takes output or"},
      {{"attention", "--model", "x", "--source", "y", "--html", "-", "--json", "-"},
       "only one of --html and --json"},
      {{"train"}, "--out is required"},
      {{"train", "--out", "x"}, "a text is required: --pairs, or --source and --target, or --treebank"},
      {{"train", "--out", "x", "--source", "y"}, "--source and --target belong together"},
      {{"train", "--out", "x", "--source", "y", "--target", "z", "--valid-source", "y"},
       "--valid-source and --valid-target belong together"},
      {{"train", "--preset", "toy", "--out", "x", "--valid-source", "y", "--valid-target", "z", "--steps",
        "1"},
       "validation text needs a training text: --pairs, or --source and --target"},
      {{"train", "--out", "x", "--preset", "huge"}, "unknown preset \"huge\""},
      {{"train", "--out", "x", "--treebank", "y", "--source", "z", "--target", "z"},
       "--treebank takes the place of --source"},
      {{"train", "--out", "x", "--valid-treebank", "y"}, "--valid-treebank needs --treebank"},
      {{"train", "--out", "x", "--resume", "--overwrite"}, "--resume and --overwrite exclude each other"},
  };
  for (const BadUsage& bad : cases) {
    EXPECT_TRUE(
        failed_with_one_line(run_program(bad.arguments), bad.arguments[0],
                             {bad.message, "(hint: see 'plainformer " + bad.arguments[0] + " --help')"}, 2));
  }
}

}  // namespace
}  // namespace plainformer
