// The program `plainformer`: finds the subcommand, and turns errors into one line and an exit code.
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
#include "command_line/command_support.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/ways.h"
#include "platform/platform.h"
#include "show/commands.h"

namespace {

using plainformer::Command;

constexpr Command kEverydayCommands[] = {
    {"train", plainformer::train_command, "train a model on sentences and their translations, or on trees"},
    {"translate", plainformer::translate_command, "translate standard input, line by line"},
    {"score", plainformer::score_command, "print the log-probability of given translations"},
    {"bleu", plainformer::bleu_command, "compute BLEU and chrF of standard input against references"},
    {"treebank", plainformer::treebank_command,
     "write the built-in treebank, or extract a treebank's sentences"},
    {"parse", plainformer::parse_command, "parse standard input, line by line"},
    {"f1", plainformer::f1_command, "compute bracketing F1 of trees on standard input against a treebank"},
    {"bpe", plainformer::bpe_command, "learn or apply byte pair encoding"},
    {"inspect", plainformer::inspect_command, "list a model folder's contents, or a text's batches"},
    {"average", plainformer::average_command, "make a model from the mean of the last checkpoints"},
    {"export", plainformer::export_command, "write a model's weights for PyTorch"},
    {"import", plainformer::import_command, "make a model folder from PyTorch's weights"},
};

constexpr Command kShowCommands[] = {
    {"trace", plainformer::trace_command, "show every tensor of one sentence, forward and backward"},
    {"attention", plainformer::attention_command,
     "show where each head looks"},
    {"cost", plainformer::cost_command,
     "account for a training step: parameters, multiply-adds, memory, time"},
    {"curve", plainformer::curve_command, "draw the curves of a training run as a picture (SVG)"},
    {"benchmark", plainformer::benchmark_command,
     "measure the limits of this machine, and how close the program comes"},
};

std::vector<Command> all_commands() {
  std::vector<Command> commands(std::begin(kEverydayCommands), std::end(kEverydayCommands));
  commands.insert(commands.end(), std::begin(kShowCommands), std::end(kShowCommands));
  return commands;
}

void print_table(std::ostream& stream, std::span<const Command> commands) {
  for (const Command& command : commands)
    stream << plainformer::help_row(command.name, command.summary, /*name_width=*/10,
                                    plainformer::help_width());
}

void print_usage(std::ostream& stream) {
  stream
      << "\"Attention Is All You Need\" in plain C++.\n\nUsage: plainformer COMMAND [options]\n\nCommands:\n";
  print_table(stream, kEverydayCommands);
  stream << "\nTo look and to measure:\n";
  print_table(stream, kShowCommands);
  const char* const footer =
      "'plainformer COMMAND --help' lists the options of a command, 'plainformer --version' prints the "
      "version.";
  stream << "\n" << plainformer::wrapped(footer, 0, 0, plainformer::help_width()) << "\n";
}

// `asked`: the size that was requested, for a bug report.
int fail_for_memory(const Command& command, const std::string& asked = "") {
  std::cerr << "plainformer " << command.name << ": out of memory" << asked
            << " (hint: choose smaller sizes)\n";
  return 1;
}

// Takes kernels, threads and ways from the environment, so that a mistake in it is reported at once.
void use_environment() {
  plainformer::kernels();
  plainformer::default_threads();
  if (const char* plain = std::getenv("PLAINFORMER_PLAIN"))
    plainformer::ways = plainformer::plain_ways(plain, "PLAINFORMER_PLAIN");
}

int run(const Command& command, const plainformer::Arguments& arguments) {
  try {
    if (!plainformer::wants_help(arguments)) use_environment();
    return command.run(arguments);
  } catch (const plainformer::UsageError& error) {
    std::cerr << "plainformer " << command.name << ": " << error.what() << " (hint: see 'plainformer "
              << command.name << " --help')\n";
    return 2;
  } catch (const std::bad_alloc&) {
    return fail_for_memory(command);
  } catch (const std::overflow_error&) {  // a tensor of a size that no Index holds
    return fail_for_memory(command);
  } catch (const std::length_error& error) {  // a vector of such a size
    return fail_for_memory(command, std::string(": ") + error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    std::cerr << "plainformer " << command.name << ": " << plainformer::to_text(error.path1()) << ": "
              << error.code().default_error_condition().message()
              << " (hint: check the path and its permissions)\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "plainformer " << command.name << ": " << error.what() << "\n";
    return 1;
  }
}

// Flushes standard output and returns the exit code.
int finish() {
  try {
    return plainformer::finish_output();
  } catch (const std::exception& error) {
    std::cerr << "plainformer: " << error.what() << "\n";
    return 1;
  }
}

// "help train" as "train --help", and "help" alone as "--help".
plainformer::Arguments without_word_help(plainformer::Arguments arguments) {
  if (arguments.empty() || arguments[0] != "help") return arguments;
  arguments.erase(arguments.begin());
  if (!plainformer::wants_help(arguments)) arguments.push_back("--help");
  return arguments;
}

int fail_for_unknown(const std::string& name, const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  std::cerr << "plainformer: unknown command \"" << name << "\"" << plainformer::did_you_mean(name, names)
            << " (hint: see 'plainformer --help')\n";
  return 2;
}

}  // namespace

int main(int count, char** values) {
  const plainformer::Arguments arguments = without_word_help(plainformer::start_program(count, values));
  if (arguments.empty()) {
    print_usage(std::cerr);
    return 2;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h") {
    print_usage(std::cout);
    return finish();
  }
  if (arguments[0] == "--version") {
    std::cout << "plainformer " << PLAINFORMER_VERSION << "\n";
    return finish();
  }
  const std::vector<Command> commands = all_commands();
  for (const Command& command : commands) {
    if (arguments[0] == command.name)
      return run(command, plainformer::Arguments(arguments.begin() + 1, arguments.end()));
  }
  return fail_for_unknown(arguments[0], commands);
}
