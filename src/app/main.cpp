// The program `plainformer`: finds the subcommand, and turns errors into one line and an exit code.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>

#include "app/command_support.h"
#include "app/commands.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/ways.h"
#include "platform/platform.h"

namespace {

struct Command {
  const char* name;
  int (*run)(const plainformer::Arguments&);
  const char* summary;
};

constexpr Command kCommands[] = {
    {"train", plainformer::train_command,
     "train a model on two text files, on trees, or on the built-in grammar"},
    {"variations", plainformer::variations_command, "train the rows of Table 3, and compare them"},
    {"translate", plainformer::translate_command, "translate standard input, line by line"},
    {"score", plainformer::score_command, "print the log-probability of given translations"},
    {"bleu", plainformer::bleu_command, "compute BLEU of standard input against a reference"},
    {"treebank", plainformer::treebank_command, "write the built-in treebank, or the sentences of any"},
    {"parse", plainformer::parse_command, "parse standard input, line by line"},
    {"f1", plainformer::f1_command, "compute bracketing F1 of trees on standard input against a treebank"},
    {"bpe", plainformer::bpe_command, "learn or apply byte pair encoding"},
    {"inspect", plainformer::inspect_command,
     "list the contents of a model folder, the batches of a text, or the cost of a training run"},
    {"trace", plainformer::trace_command, "show every tensor of one sentence, forward and backward"},
    {"attention", plainformer::attention_command,
     "show where each head looks, or count how often it links two words"},
    {"layers", plainformer::layers_command, "measure Table 1: attention, recurrent and convolutional layers"},
    {"curve", plainformer::curve_command, "draw the curves of a training run as a picture (SVG)"},
    {"plot", plainformer::plot_command, "draw one of the documentation's pictures (SVG)"},
    {"average", plainformer::average_command, "make a model from the mean of the last checkpoints"},
    {"export", plainformer::export_command, "write a model's weights for PyTorch"},
    {"import", plainformer::import_command, "make a model folder from PyTorch's weights"},
    {"experiment", plainformer::experiment_command,
     "compare kinds of attention by small training runs and measurements"},
    {"benchmark", plainformer::benchmark_command,
     "measure the limits of this machine, and how close the program comes"},
};

void print_usage(std::ostream& stream) {
  stream
      << "\"Attention Is All You Need\" in plain C++.\n\nUsage: plainformer COMMAND [options]\n\nCommands:\n";
  for (const Command& command : kCommands) {
    stream << "  " << command.name << std::string(12 - std::string(command.name).size(), ' ')
           << command.summary << "\n";
  }
  stream << "\n'plainformer COMMAND --help' lists the options of a command, 'plainformer --version' "
            "prints the version.\n";
}

// `asked` tells programmers which request had a size beyond all bounds.
int fail_for_memory(const Command& command, const std::string& asked = "") {
  std::cerr << "plainformer " << command.name << ": out of memory" << asked
            << " (hint: choose smaller sizes)\n";
  return 1;
}

// Reports a mistake in the environment at once.
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

}  // namespace

int main(int count, char** values) {
  const plainformer::Arguments arguments = plainformer::start_program(count, values);
  if (arguments.empty()) {
    print_usage(std::cerr);
    return 2;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_usage(std::cout);
    return finish();
  }
  if (arguments[0] == "--version") {
    std::cout << "plainformer " << PLAINFORMER_VERSION << "\n";
    return finish();
  }
  for (const Command& command : kCommands) {
    if (arguments[0] == command.name) {
      return run(command, plainformer::Arguments(arguments.begin() + 1, arguments.end()));
    }
  }
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.push_back(command.name);
  std::cerr << "plainformer: unknown command \"" << arguments[0] << "\""
            << plainformer::did_you_mean(arguments[0], names) << " (hint: see 'plainformer --help')\n";
  return 2;
}
