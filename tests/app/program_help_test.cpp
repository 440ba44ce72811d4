// plainformer COMMAND --help: every command lists all of its options.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "report/terminal.h"
#include "support/program.h"

namespace plainformer {
namespace {

// The commands that `plainformer --help` lists.
std::vector<std::string> commands_in_help() {
  std::istringstream help(run_program({"--help"}).out);
  std::vector<std::string> commands;
  std::string line;
  while (std::getline(help, line) && line != "Commands:") continue;
  while (std::getline(help, line) && !line.starts_with("'"))
    if (line.starts_with("  ")) commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  return commands;
}

struct CommandHelp {
  std::vector<std::string> command;
  std::vector<std::string> options;
};

const std::vector<CommandHelp> kHelpOfCommands = {
    {{"train"},
     {"--source",
      "--target",
      "--pairs",
      "--valid-source",
      "--valid-target",
      "--valid-pairs",
      "--columns",
      "--hold-out",
      "--words",
      "--case",
      "--unknown-pieces",
      "--out",
      "--preset",
      "--resume",
      "--overwrite",
      "--merges",
      "--max-tokens",
      "--treebank",
      "--valid-treebank",
      "--toy-pairs",
      "--encoder-layers",
      "--decoder-layers",
      "--d-model",
      "--d-ff",
      "--heads",
      "--d-k",
      "--d-v",
      "--max-length",
      "--positions",
      "--batch-tokens",
      "--accumulate",
      "--recompute",
      "--steps",
      "--minutes",
      "--warmup",
      "--learning-rate-scale",
      "--adam-beta1",
      "--adam-beta2",
      "--adam-epsilon",
      "--dropout",
      "--label-smoothing",
      "--clip-norm",
      "--seed",
      "--r-drop",
      "--validate-every",
      "--valid-bleu",
      "--patience",
      "--checkpoint-every",
      "--keep",
      "--threads",
      "--plain[=NAMES]"}},
    {{"translate"},
     {"--model", "--beam", "--length-penalty", "--n-best", "--scores", "--extra-length", "--batch",
      "--threads", "--plain[=NAMES]"}},
    {{"score"}, {"--model", "--source", "--target", "--perplexity", "--threads", "--plain[=NAMES]"}},
    {{"bleu"},
     {"--reference", "--tokens", "--tokenized", "--compound-split", "--lowercase", "--chrf", "--chrf-words",
      "--interval", "--baseline"}},
    {{"treebank", "generate"}, {"--out", "--trees", "--held-out", "--seed", "--overwrite"}},
    {{"treebank", "sentences"}, {}},
    {{"parse"},
     {"--model", "--beam", "--length-penalty", "--extra-length", "--batch", "--threads", "--plain[=NAMES]",
      "--precision"}},
    {{"f1"}, {"--gold"}},
    {{"bpe", "learn"}, {"--out", "--merges"}},
    {{"bpe", "apply"}, {"--codes"}},
    {{"inspect"},
     {"--model", "--nearest", "--source", "--target", "--batch-tokens", "--max-tokens", "--seed", "--batch"}},
    {{"cost"}, {"--model",        "--preset",    "--encoder-layers", "--decoder-layers", "--d-model",
                "--d-ff",         "--heads",     "--positions",      "--max-length",     "--vocab",
                "--batch-tokens", "--sentences", "--source-length",  "--target-length",  "--recompute",
                "--steps",        "--run",       "--json",           "--threads",        "--plain[=NAMES]"}},
    {{"trace"},
     {"--model", "--source", "--target", "--json", "--steps", "--only", "--values", "--label-smoothing",
      "--threads", "--plain[=NAMES]"}},
    {{"attention"},
     {"--model", "--source", "--target", "--html", "--json", "--kind", "--layer", "--head", "--decoder-rows",
      "--frames", "--threads", "--plain[=NAMES]"}},
    {{"curve"}, {"--model", "--log", "--title"}},
    {{"average"}, {"--model", "--last", "--decimals", "--out", "--overwrite"}},
    {{"export"}, {"--to", "--model", "--out"}},
    {{"import"}, {"--from", "--source", "--bpe", "--vocabulary", "--out"}},
    {{"benchmark"},
     {"--only", "--configs", "--recompute", "--threads", "--plain[=NAMES]", "--seconds", "--json"}},
};

TEST(Program, HelpOfEachCommandListsItsOptions) {
  for (const CommandHelp& help : kHelpOfCommands) {
    std::vector<std::string> arguments = help.command;
    arguments.push_back("--help");
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(contains(result.out, "Usage: plainformer " + help.command[0]));
    for (const std::string& option : help.options)
      EXPECT_TRUE(contains(result.out, "\n  " + option + " ")) << help.command[0] << " " << option;
  }
}

TEST(Program, HelpHasLinesOfAtMost100Columns) {
  std::vector<std::vector<std::string>> commands = {{}};
  for (const CommandHelp& help : kHelpOfCommands) commands.push_back(help.command);
  for (std::vector<std::string> arguments : commands) {
    arguments.push_back("--help");
    std::istringstream help(run_program(arguments).out);
    for (std::string line; std::getline(help, line);)
      EXPECT_LE(display_width(line), 100) << arguments[0] << ": " << line;
  }
}

TEST(Program, HelpOfEachCommandIsTested) {
  std::set<std::string> tested;
  for (const CommandHelp& help : kHelpOfCommands) tested.insert(help.command[0]);
  const std::vector<std::string> listed = commands_in_help();
  EXPECT_EQ(tested, std::set<std::string>(listed.begin(), listed.end()));
}

// However many options come before it, and even where they are wrong.
TEST(Program, HelpWinsOverOtherArguments) {
  EXPECT_EQ(run_program({"translate", "--beem", "x", "--help"}).exit_code, 0);
  EXPECT_EQ(run_program({"bpe", "--help"}).exit_code, 0);
}

}  // namespace
}  // namespace plainformer
