// plainformer train: from two text files, or the built-in grammar, to a model folder.
#include <iostream>

#include "app/commands.h"
#include "command_line/command_support.h"
#include "platform/platform.h"
#include "train/recipe_for_text.h"
#include "train/run_record.h"
#include "train/starting_model.h"
#include "train/toy_report.h"
#include "train/train_model.h"
#include "train/train_settings.h"

namespace plainformer {

namespace {

// Says why nothing happens, to whoever has typed the command and no text.
void announce_standard_input(const TrainSettings& settings) {
  if (settings.reads_standard_input() && is_terminal(0))
    std::cerr << "the pairs are read from standard input, here until Ctrl-D at the beginning of a line\n";
}

// The recipe for the text, and the sizes and words of the model to go on from.
Arguments defaults_of_run(const Arguments& given, const TrainSettings& settings) {
  Arguments defaults = recipe_for_run(given);
  if (settings.from.empty()) return defaults;
  const Arguments of_model = model_options(ModelFolder(settings.from));
  defaults.insert(defaults.end(), of_model.begin(), of_model.end());
  return defaults;
}

// A resumed run takes the options of the earlier run. Options given now replace them.
TrainSettings settings_of(const Arguments& given) {
  const TrainSettings settings = parse_train_settings(given);
  if (settings.resume && settings.overwrite) throw UsageError("--resume and --overwrite exclude each other");
  if (settings.resume && !settings.from.empty())
    throw UsageError("--from begins a run and --resume goes on with one: leave one of them out");
  if (!settings.resume) {
    announce_standard_input(settings);
    return parse_train_settings(defaults_of_run(given, settings), given);
  }
  if (settings.out.empty()) return settings;
  const Arguments before = read_run_arguments(ModelFolder(settings.out));
  const TrainSettings then = parse_train_settings(before), now = parse_train_settings(before, given);
  if (now.preset != then.preset || now.merges != then.merges) {
    throw UsageError("--preset and --merges cannot change with --resume: the model depends on them");
  }
  if (now.word_rule != then.word_rule)
    throw UsageError(
        "--words, --case and --unknown-pieces cannot change with --resume: the model depends on them");
  announce_standard_input(now);
  return now;
}

// "build/toy/plainformer train --resume --out model", to be pasted.
std::string command_line_of(const std::string& command, const std::string& folder_option,
                            const ModelFolder& folder) {
  return quoted_for_shell(program_as_called()) + " " + command + " " + folder_option + " " +
         quoted_for_shell(folder.path);
}

// The options with which a run that has ended goes on. One that --minutes ended needs none.
std::string options_to_go_on(const TrainSettings& settings, const FinishedRun& trained) {
  std::string options;
  if (trained.made_all_steps) options += " --steps " + std::to_string(2 * settings.training.steps);
  if (trained.out_of_patience) options += " --patience " + std::to_string(2 * settings.patience);
  return options;
}

// The last line of a run that a signal stopped.
void print_stop(const TrainSettings& settings, const FinishedRun& trained) {
  std::cerr << "stopped by a signal";
  const bool is_beside = trained.folder != settings.out;
  if (is_beside && !trained.made_a_step) {
    std::cerr << " before the first step; the model in " << settings.out << " is the old one\n";
    return;
  }
  if (is_beside)
    std::cerr << " before the first checkpoint; the model in " << settings.out
              << " is the old one, and the new one is in " << trained.folder;
  else
    std::cerr << "; everything is saved";
  std::cerr << " (to continue: " << command_line_of("train --resume", "--out", ModelFolder(trained.folder))
            << (settings.reads_standard_input() ? ", with the same text on standard input" : "") << ")\n";
}

// The last lines of a run: what to type next.
void print_next_commands(const TrainSettings& settings, const FinishedRun& trained,
                         const ModelFolder& folder) {
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
  const TrainSettings settings = settings_of(arguments);
  const ModelFolder folder(settings.out);
  const FinishedRun trained = train_model(settings);
  if (trained.signal != 0) {
    print_stop(settings, trained);
    return 128 + trained.signal;
  }
  std::cerr << "the model is in " << folder.path << "\n";
  if (!trained.corpora.test.empty()) print_toy_report(folder, trained.corpora.test);
  finish_output();
  print_next_commands(settings, trained, folder);
  return 0;
}

}  // namespace plainformer
