// The options of a subcommand.
#include "report/command_line.h"

#include <gtest/gtest.h>

#include <algorithm>

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
}

TEST(CommandLine, RefusesWhatItCannotUnderstand) {
  const std::pair<Arguments, std::string> cases[] = {
      {{"--beam", "2", "--fast", "--beam=3"}, "--beam is given twice"},
      {{"--fast", "--fast"}, "--fast is given twice"},
      {{"--plain", "--plain=x"}, "--plain is given twice"},
      {{"--beam"}, "--beam needs a value: --beam N"},
      {{"--plain="}, "--plain= needs a value: --plain[=NAMES]"},
      {{"--fast=yes"}, "--fast takes no value"},
      {{"--beem", "3"}, "unknown option --beem; did you mean --beam?"},
      {{"--modle=x"}, "unknown option --modle; did you mean --model?"},
      {{"--something-else"}, "unknown option --something-else"},
  };
  for (const auto& [arguments, message] : cases) EXPECT_EQ(Options().usage_error(arguments), message);
  for (const char* text : {"", "x", "3x", " 3", "3.5", "1e3", "0x10", "99999999999999999999"}) {
    EXPECT_EQ(Options().usage_error({"--beam", text}),
              "--beam takes a whole number, not \"" + std::string(text) + "\"");
  }
  for (const char* text : {"", "x", "0.5x", "0,5", " 1", "1e999"}) {
    EXPECT_EQ(Options().usage_error({"--alpha", text}),
              "--alpha takes a number, not \"" + std::string(text) + "\"");
  }
}

TEST(CommandLine, ReadsForACommandWithoutOtherArguments) {
  std::string model;
  std::vector<std::string> logs;
  CommandLine line("plainformer test --model DIR", "A test.");
  line.required("--model", "DIR", &model, "the folder");
  line.required("--log", "FILE", &logs, "a log");
  EXPECT_TRUE(line.read({"--model", "m", "--log", "a"}));
  const std::pair<Arguments, std::string> cases[] = {
      {{"--model", "m", "--log", "a", "more"}, "unexpected argument \"more\""},
      {{"--model", "", "--log", "a"}, "--model is required"},
      {{"--model", "m", "--log", "a", "--log="}, "--log is required"},
  };
  for (const auto& [arguments, message] : cases)
    EXPECT_EQ(thrown_message<UsageError>([&, given = arguments] { line.read(given); }), message);
  logs.clear();
  EXPECT_EQ(thrown_message<UsageError>([&] { line.read({"--model", "m"}); }), "--log is required");
  Arguments others;
  EXPECT_TRUE(line.read({"a", "--model", "m", "--log", "l", "b"}, &others));
  EXPECT_EQ(others, (Arguments{"a", "b"}));
}

TEST(CommandLine, ASecondCallReplacesTheValuesOfTheFirst) {
  Options options;
  options.line.parse({"--log", "b", "--beam", "2", "--log=a", "--log", "b", "--model", "m=-"});
  EXPECT_EQ(options.logs, (std::vector<std::string>{"b", "a", "b"}));
  options.line.parse({"--beam", "3", "--log", "c"});
  EXPECT_EQ(options.beam, 3);
  EXPECT_EQ(options.logs, std::vector<std::string>{"c"});
  EXPECT_EQ(options.model, "m=-");
}

TEST(CommandLine, AValueThatLooksLikeAnOptionNeedsAnEqualsSign) {
  for (const std::string value : {"-- and so on", "-"}) {
    Options options;
    options.line.parse({"--model", value});
    EXPECT_EQ(options.model, value);
  }
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

TEST(CommandLine, SuggestsForAShortNameOnlyWhatIsNearer) {
  EXPECT_EQ(did_you_mean("fi", {"f1", "bpe"}), "; did you mean f1?");
  EXPECT_EQ(did_you_mean("foo", {"f1", "bpe"}), "");
  EXPECT_EQ(did_you_mean("", {"f1"}), "");
  EXPECT_EQ(did_you_mean("--bogus", {"--words"}), "") << "three of five letters";
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
  CommandLine line("plainformer test --model DIR [--size NAME] < in > out",
                   "A summary that is longer than one\nline.");
  line.option("--size", "NAME", &size, "small, middling or large: the text goes on below its beginning");
  line.option("--yes", "", &yes, "a short text");
  EXPECT_EQ(line.help(48),
            "A summary that is longer than one line.\n\n"
            "Usage: plainformer test --model DIR [--size NAME] < in > out\n\n"
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
  EXPECT_EQ(wrap("", 0, 0, 6), "");
  EXPECT_EQ(wrap("one two six ten", 5, 2, 8), "one\n  two\n  six\n  ten");
  EXPECT_EQ(wrap("very-long-word b", 3, 1, 5), "very-long-word\n b");
  EXPECT_EQ(wrap("猫猫 ja", 0, 0, 6), "猫猫\nja");
  EXPECT_EQ(help_row("--an-option", "one two three four five six", 11, 10),
            "  --an-option  one two three four five\n"
            "               six\n");
}

}  // namespace
}  // namespace plainformer
