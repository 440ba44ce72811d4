// The program `plainformer`: finds the subcommand, and turns errors into one line and an exit code.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/commands.h"
#include "core/strings.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "kernels/kernels.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "show/commands.h"

namespace plainformer {

namespace {

constexpr Command kEverydayCommands[] = {
    {"train", train_command, "train a model on sentences and their translations, or on trees"},
    {"check", check_command, "look for what is seldom meant in a text, before training on it"},
    {"translate", translate_command, "translate standard input, line by line"},
    {"score", score_command, "print the log-probability of given translations"},
    {"bleu", bleu_command, "compute BLEU and chrF of standard input against references"},
    {"treebank generate", treebank_generate_command, "write the built-in treebank"},
    {"treebank sentences", treebank_sentences_command, "print the sentences of trees on standard input"},
    {"parse", parse_command, "parse standard input, line by line"},
    {"f1", f1_command, "compute bracketing F1 of trees on standard input against a treebank"},
    {"bpe learn", bpe_learn_command, "learn byte pair encoding from texts"},
    {"bpe apply", bpe_apply_command, "cut the words of standard input into pieces"},
    {"inspect", inspect_command, "list a model folder's contents, or a text's batch"},
    {"average", average_command, "make a model from the mean of the last checkpoints"},
    {"export", export_command, "write a model's weights for PyTorch"},
    {"import", import_command, "make a model folder from PyTorch's weights"},
};

constexpr Command kShowCommands[] = {
    {"trace", trace_command, "show every tensor of one sentence, forward and backward"},
    {"attention", attention_command, "show where each head looks"},
    {"cost", cost_command, "account for a training step: parameters, multiply-adds, memory, time"},
    {"curve", curve_command, "draw the curves of a training run as a picture (SVG)"},
    {"benchmark", benchmark_command, "measure the limits of this machine, and how close the program comes"},
};

std::string usage() {
  std::string text = "\"Attention Is All You Need\" in plain C++.\n\nUsage: plainformer COMMAND [options]\n";
  const auto add = [&](const char* title, std::span<const Command> commands) {
    text += title;
    for (const Command& command : commands)
      text += help_row(command.name, command.summary, /*name_width=*/18, help_width());
  };
  add("\nCommands:\n", kEverydayCommands);
  add("\nTo look and to measure:\n", kShowCommands);
  const char* const footer =
      "'plainformer COMMAND --help' lists the options of a command, 'plainformer --version' prints the "
      "version.";
  return text + "\n" + wrapped(footer, 0, 0, help_width()) + "\n";
}

// Takes kernels, threads and ways from the environment, so that a mistake in it is reported at once.
void use_environment() {
  kernels();
  default_threads();
  if (const char* plain = std::getenv("PLAINFORMER_PLAIN")) ways = plain_ways(plain, "PLAINFORMER_PLAIN");
}

// Takes the name of a command, one word or two, from the arguments.
Command take_command(Arguments& arguments) {
  std::vector<Command> commands(std::begin(kEverydayCommands), std::end(kEverydayCommands));
  commands.insert(commands.end(), std::begin(kShowCommands), std::end(kShowCommands));
  const std::string first = arguments[0];
  std::vector<std::string> names, with_two_words;
  for (const Command& command : commands) {
    const Arguments words = split_at(' ', command.name);
    const auto [end, at] = std::mismatch(words.begin(), words.end(), arguments.begin(), arguments.end());
    if (end == words.end()) {
      arguments.erase(arguments.begin(), at);
      return command;
    }
    names.push_back(command.name);
    if (words.size() == 2 && words[0] == first) with_two_words.push_back(command.name);
  }
  if (!with_two_words.empty()) throw UsageError("choose " + join(" or ", with_two_words));
  throw UsageError("unknown command \"" + first + "\"" + did_you_mean(first, names));
}

// What an exception says to a person: one line, with a hint.
std::string message_of(const std::exception& error) {
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return to_text(file->path1()) + ": " + file->code().default_error_condition().message() +
           " (hint: check the path and its permissions)";
  const auto* size = dynamic_cast<const std::length_error*>(&error);  // a vector that no Index counts
  if (size || dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::overflow_error*>(&error))
    return "out of memory" + (size ? ": " + std::string(size->what()) : "") + " (hint: choose smaller sizes)";
  return error.what();
}

}  // namespace

}  // namespace plainformer

int main(int count, char** values) {
  using namespace plainformer;
  Arguments arguments = start_program(count, values);
  if (arguments.empty()) {
    std::cerr << usage();
    return 2;
  }
  std::string program = "plainformer";
  try {
    if (arguments[0] == "--version") {
      std::cout << "plainformer " << PLAINFORMER_VERSION << "\n";
      return finish_output();
    }
    if (arguments[0] == "--help" || arguments[0] == "-h") {
      std::cout << usage();
      return finish_output();
    }
    const Command command = take_command(arguments);
    program += " " + std::string(command.name);
    if (!wants_help(arguments)) use_environment();
    return command.run(arguments);
  } catch (const UsageError& error) {
    std::cerr << program << ": " << error.what() << " (hint: see '" << program << " --help')\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << program << ": " << message_of(error) << "\n";
    return 1;
  }
}
