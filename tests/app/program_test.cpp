// The program: its commands and their help, and how it answers arguments that it cannot understand.
#include <gtest/gtest.h>

#include <sstream>

#include "core/strings.h"
#include "report/terminal.h"
#include "support/program.h"

namespace plainformer {
namespace {

// The commands that `plainformer --help` lists, each with its words.
std::vector<std::vector<std::string>> commands_in_help() {
  std::istringstream help(run_program({"--help"}).out);
  std::vector<std::vector<std::string>> commands;
  std::string line;
  while (std::getline(help, line) && line != "Commands:") continue;
  while (std::getline(help, line) && !line.starts_with("'"))
    if (line.starts_with("  ")) commands.push_back(split_at(' ', line.substr(2, line.find("  ", 2) - 2)));
  return commands;
}

TEST(Program, HelpOfEachCommandFitsIntoALine) {
  std::vector<std::vector<std::string>> commands = commands_in_help();
  EXPECT_GT(commands.size(), 15u);
  commands.insert(commands.end(), {{}, {"translate", "--beem", "x"}});
  for (const std::vector<std::string>& command : commands) {
    const ProgramResult result = run_program(joined(command, {"--help"}));
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(contains(result.out, "Usage: plainformer " + (command.empty() ? "" : command[0])))
        << result.out;
    std::istringstream help(result.out);
    for (std::string line; std::getline(help, line);) EXPECT_LE(display_width(line), 100) << line;
  }
  EXPECT_EQ(run_program({"-h"}).out, run_program({"--help"}).out);
}

TEST(Program, WithoutArgumentsSaysHowToUseItAndFails) {
  const ProgramResult result = run_program({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(result.err, "Usage: plainformer COMMAND"));
}

TEST(Program, RefusesAnUnknownCommand) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"trian"}, "unknown command \"trian\"; did you mean train?"},
      {{"help"}, "unknown command \"help\""},
      {{"bpe"}, "choose bpe learn or bpe apply"},
      {{"bpe", "lern"}, "choose bpe learn or bpe apply"},
  };
  for (const auto& [arguments, message] : cases) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "plainformer: " + message + " (hint: see 'plainformer --help')\n");
  }
}

TEST(Program, TellsItsVersion) {
  const ProgramResult result = run_program({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "plainformer " PLAINFORMER_VERSION "\n");
}

TEST(Program, APathThatTheSystemRefusesIsOneLineWithAHint) {
  const std::string path(5000, 'x');
  EXPECT_TRUE(refused(run_program({"translate", "--model", path}), {path + ": ", "(hint: "}));
}

TEST(Program, WrongUsageIsOneLineAndExitCode2) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"train", "--lables"}, "unknown option --lables"},
      {{"translate"}, "--model is required"},
      {{"score", "--model", "x", "--source", "x"}, "--source and --target belong together"},
      {{"score", "--model", "x"}, "pairs are required: --pairs"},
      {{"bleu"}, "give one reference: --reference, or --pairs"},
      {{"parse"}, "--model is required"},
      {{"f1"}, "--gold is required"},
      {{"inspect"}, "--model is required"},
      {{"cost", "--preset", "huge"}, "unknown preset \"huge\""},
      {{"cost", "--source", "x"}, "unknown option --source"},
      {{"attention", "--source", "x"},
       "--model is required; 'plainformer train --preset toy --out DIR' makes a model"},
      {{"attention", "--model", "x"}, "--source is required"},
      {{"attention", "--model", "x", "--target", "y"}, "--target needs --source"},
      {{"attention", "--model", "x", "--source", "y", "--kind", "cross"}, "--kind takes encoder-self, "},
      {{"attention", "--model", "x", "--source", "y", "--head", "0,x"}, "--head takes numbers from 0"},
      {{"attention", "--model", "x", "--source", "y", "--layer=-1"}, "--layer takes numbers from 0"},
      {{"train"}, "--out is required"},
      {{"translate", "--model", "x", "--columns", "2,3"}, "--columns needs --pairs"},
      {{"bleu", "--pairs", "-"}, "standard input has the translations"},
      {{"train", "--out", "x"}, "a text is required: --pairs, or --source and --target, or --treebank"},
      {{"train", "--out", "x", "--source", "y"}, "--source and --target belong together"},
      {{"train", "--out", "x", "--resume", "--overwrite"}, "--resume and --overwrite exclude each other"},
  };
  for (const auto& [arguments, message] : cases)
    EXPECT_TRUE(refused(run_program(arguments),
                        {message, "(hint: see 'plainformer " + arguments[0] + " --help')"}, 2));
}

}  // namespace
}  // namespace plainformer
