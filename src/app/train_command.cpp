// plainformer train: from two text files, or the built-in grammar, to a model folder.
#include <iostream>

#include "app/commands.h"
#include "io/output.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "train/recipes.h"
#include "train/run_record.h"
#include "train/toy_report.h"
#include "train/train_model.h"

namespace plainformer {

namespace {

// A resumed run takes the options of the earlier run. Options given now replace them.
Settings settings_of_resumed_run(const Arguments& given, const Settings& now) {
  if (now.overwrite) throw UsageError("--resume and --overwrite exclude each other");
  if (!now.from.empty())
    throw UsageError("--from begins a run and --resume goes on with one: leave one of them out");
  require_option("--out", now.out);
  const Settings before = parse_settings(read_run_arguments(ModelFolder(now.out)));
  const Settings settings = parse_settings(given, before);
  if (settings.preset != before.preset || settings.merges != before.merges)
    throw UsageError("--preset and --merges cannot change with --resume: the model depends on them");
  if (settings.word_rule() != before.word_rule())
    throw UsageError(
        "--words, --case and --unknown-pieces cannot change with --resume: the model depends on them");
  return settings;
}

// "build/toy/plainformer train --resume --out model", to be pasted.
std::string command_line_of(const std::string& command, const std::string& folder_option,
                            const ModelFolder& folder) {
  return quoted_for_shell(program_as_called()) + " " + command + " " + folder_option + " " +
         quoted_for_shell(folder.path);
}

// The options with which a run that has ended goes on. One that --minutes ended needs none.
std::string options_to_go_on(const Settings& settings, const FinishedRun& trained) {
  std::string options;
  if (trained.made_all_steps) options += " --steps " + std::to_string(2 * settings.training.steps);
  if (trained.out_of_patience) options += " --patience " + std::to_string(2 * settings.patience);
  return options;
}

// The last lines of a run: what to type next.
void print_next_commands(const Settings& settings, const FinishedRun& trained, const ModelFolder& folder) {
  if (settings.preset == "nano") {
    std::cerr
        << "the preset nano is for the debugger: its model is too small to translate (hint: try --preset "
           "toy)\n";
    return;
  }
  const std::string use = settings.treebank.empty() ? "translate" : "parse";
  std::cerr << "to " << use << " with it:  " << command_line_of(use, "--model", folder) << "\n"
            << "to go on training:  " << command_line_of("train --resume", "--out", folder)
            << options_to_go_on(settings, trained) << "\n";
}

}  // namespace

int train_command(const Arguments& arguments) {
  if (wants_help(arguments)) {
    std::cout << train_help(arguments);
    return finish_output();
  }
  const Settings given = parse_settings(arguments);
  if (given.reads_standard_input() && is_terminal(0))
    std::cerr << "the pairs are read from standard input, here until Ctrl-D at the beginning of a line\n";
  const Settings settings =
      given.resume ? settings_of_resumed_run(arguments, given) : settings_of_new_run(arguments);
  const ModelFolder folder(settings.out);
  const FinishedRun trained = train_model(settings);
  if (trained.signal != 0) {
    std::cerr << "stopped by a signal; everything is saved (to continue: "
              << command_line_of("train --resume", "--out", folder)
              << (settings.reads_standard_input() ? ", with the same text on standard input" : "") << ")\n";
    return 128 + trained.signal;
  }
  std::cerr << "the model is in " << folder.path << "\n";
  if (!trained.test.empty()) print_toy_report(folder, trained.test);
  finish_output();
  print_next_commands(settings, trained, folder);
  return 0;
}

}  // namespace plainformer
