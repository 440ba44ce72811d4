// plainformer train: from two text files, or the built-in grammar, to a model folder.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/train/corpora.h"
#include "app/train/interrupt.h"
#include "app/train/run_record.h"
#include "app/train/toy_report.h"
#include "app/train/train_settings.h"
#include "app/train/training_run.h"
#include "core/input_error.h"
#include "io/atomic_file.h"
#include "io/folder_lock.h"

namespace plainformer {

namespace {

// Refuses to replace a model, or to resume where there is nothing to resume.
void check_folder(const TrainSettings& settings, const ModelFolder& folder) {
  if (settings.resume && !std::filesystem::exists(folder.training_state())) {
    throw input_error(folder.training_state(), "no such file",
                      "there is nothing to resume; train without --resume");
  }
  if (holds_model(folder) && !settings.resume && !settings.overwrite) {
    throw input_error(folder.path, "holds a model already",
                      "choose another --out, or add --resume or --overwrite");
  }
}

// Gives the folder to a new run. It removes the files of an earlier run only here, when the new data is known
// to be good.
void begin_run(const TrainSettings& settings, const ModelFolder& folder, const Corpora& corpora,
               const EncodedCorpora& encoded) {
  std::filesystem::remove(folder.weights());
  std::filesystem::remove(folder.training_state());
  std::filesystem::remove(folder.best());
  for (const std::string& file : step_checkpoints(folder)) std::filesystem::remove(file);
  write_run_record(folder, settings, corpora);
  write_file_atomically(folder.codes(), encoded.byte_pairs.to_text());
  write_file_atomically(folder.vocabulary(), encoded.vocabulary.to_text());
}

// A resumed run takes the options of the earlier run. Options given now replace them.
TrainSettings settings_of(const Arguments& given) {
  const TrainSettings settings = parse_train_settings(given);
  if (settings.resume && settings.overwrite) throw UsageError("--resume and --overwrite exclude each other");
  if (!settings.resume || settings.out.empty()) return settings;
  Arguments all = read_run_arguments(ModelFolder(settings.out));
  const TrainSettings before = parse_train_settings(all);
  all.insert(all.end(), given.begin(), given.end());
  const TrainSettings now = parse_train_settings(all);
  if (now.preset != before.preset || now.merges != before.merges) {
    throw UsageError("--preset and --merges cannot change with --resume: the model depends on them");
  }
  return now;
}

}  // namespace

int train_command(const Arguments& arguments) {
  if (wants_help(arguments)) {
    std::cout << train_help();
    return finish_output();
  }
  const TrainSettings settings = settings_of(arguments);
  settings.check();
  use_threads(settings.threads);
  use_ways(settings.plain);
  const ModelFolder folder(settings.out);
  const Corpora corpora = load_corpora(settings);
  make_folder(folder.path);
  const FolderLock only_this_run(folder.path, "another training");
  check_folder(settings, folder);
  make_folder(folder.checkpoints());
  if (settings.resume) {
    check_same_data(folder, corpora);
    warn_of_other_kernels(folder);
    warn_of_other_ways(folder);
  }
  const EncodedCorpora encoded = encode_corpora(settings, folder, corpora);
  if (!settings.resume) begin_run(settings, folder, corpora, encoded);

  catch_interrupts();
  TrainingRun run(settings, folder, encoded);
  if (settings.resume) write_run_record(folder, settings, corpora);
  run.print_summary();
  const int signal = run.run();
  run.print_totals();
  if (signal != 0) {
    std::cerr << "stopped by a signal; everything is saved (to continue: plainformer train --resume --out "
              << folder.path << ")\n";
    return 128 + signal;
  }
  std::cerr << "the model is in " << folder.path << "\n";
  if (!corpora.test.empty()) print_toy_report(folder, corpora.test);
  return finish_output();
}

}  // namespace plainformer
