// plainformer train: from two text files, or the built-in grammar, to a model folder.
#include <iostream>

#include "app/commands.h"
#include "command_line/command_support.h"
#include "platform/platform.h"
#include "runs/recipe_for_text.h"
#include "runs/run_record.h"
#include "runs/toy_report.h"
#include "runs/train_model.h"
#include "runs/train_settings.h"

namespace plainformer {

namespace {

// A resumed run takes the options of the earlier run. Options given now replace them.
TrainSettings settings_of(const Arguments& given) {
  const TrainSettings settings = parse_train_settings(given);
  if (settings.resume && settings.overwrite) throw UsageError("--resume and --overwrite exclude each other");
  if (!settings.resume) return parse_train_settings(recipe_for_run(given), given);
  if (settings.out.empty()) return settings;
  const Arguments before = read_run_arguments(ModelFolder(settings.out));
  const TrainSettings then = parse_train_settings(before), now = parse_train_settings(before, given);
  if (now.preset != then.preset || now.merges != then.merges) {
    throw UsageError("--preset and --merges cannot change with --resume: the model depends on them");
  }
  if (now.word_rule != then.word_rule)
    throw UsageError("--words and --case cannot change with --resume: the model depends on them");
  return now;
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
    std::cerr << "stopped by a signal; everything is saved (to continue: plainformer train --resume --out "
              << quoted_for_shell(folder.path) << ")\n";
    return 128 + trained.signal;
  }
  std::cerr << "the model is in " << folder.path << "\n";
  if (!trained.corpora.test.empty()) print_toy_report(folder, trained.corpora.test);
  return finish_output();
}

}  // namespace plainformer
