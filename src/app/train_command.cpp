// plainformer train: from two text files, or the built-in grammar, to a model folder.
#include <iostream>

#include "app/commands.h"
#include "command_line/command_support.h"
#include "runs/recipe_for_text.h"
#include "runs/run_record.h"
#include "runs/toy_report.h"
#include "runs/train_model.h"
#include "runs/train_settings.h"

namespace plainformer {

namespace {

// Replaces the files of a text by those that are given now: a list of files, if any.
void replace_files(const CorpusFiles& given, CorpusFiles& files) {
  for (const auto list : {&CorpusFiles::source, &CorpusFiles::target, &CorpusFiles::pairs})
    if (!(given.*list).empty()) files.*list = given.*list;
}

// A resumed run takes the options of the earlier run. Options given now replace them.
TrainSettings settings_of(const Arguments& given) {
  const TrainSettings settings = parse_train_settings(given);
  if (settings.resume && settings.overwrite) throw UsageError("--resume and --overwrite exclude each other");
  if (!settings.resume) return parse_train_settings(with_recipe_for_text(given));
  if (settings.out.empty()) return settings;
  Arguments all = read_run_arguments(ModelFolder(settings.out));
  const TrainSettings before = parse_train_settings(all);
  all.insert(all.end(), given.begin(), given.end());
  TrainSettings now = parse_train_settings(all);
  replace_files(settings.text, now.text);
  replace_files(settings.valid_text, now.valid_text);
  if (now.preset != before.preset || now.merges != before.merges) {
    throw UsageError("--preset and --merges cannot change with --resume: the model depends on them");
  }
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
              << folder.path << ")\n";
    return 128 + trained.signal;
  }
  std::cerr << "the model is in " << folder.path << "\n";
  if (!trained.corpora.test.empty()) print_toy_report(folder, trained.corpora.test);
  return finish_output();
}

}  // namespace plainformer
