#include "train/train_model.h"

#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "command_line/command_support.h"
#include "core/input_error.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "train/needed_memory.h"
#include "train/replacement.h"
#include "train/run_record.h"
#include "train/starting_model.h"
#include "train/text_report.h"
#include "train/training_run.h"

namespace plainformer {

namespace {

// Refuses to replace a model, or to resume where there is nothing to resume.
void check_folder(const TrainSettings& settings, const ModelFolder& folder) {
  if (settings.resume && !std::filesystem::exists(to_path(folder.training_state()))) {
    throw input_error(folder.training_state(), "no such file",
                      "there is nothing to resume; train without --resume");
  }
  if (holds_model(folder) && !settings.resume && !settings.overwrite) {
    throw input_error(folder.path, "holds a model already",
                      "choose another --out, or add --resume or --overwrite");
  }
  // A run that stopped early leaves files beside its record; these may be replaced.
  if (settings.resume || settings.overwrite || holds_run_record(folder)) return;
  for (const std::string& file :
       {folder.codes(), folder.vocabulary(), folder.run(), folder.log(), folder.frames()}) {
    if (std::filesystem::exists(to_path(file)))
      throw input_error(file, "exists already, and no training run has left it here",
                        "choose another --out, or replace it with --overwrite");
  }
}

// The run must not write over its own text, or over the model that it goes on from.
void check_texts(const TrainSettings& settings, const ModelFolder& folder) {
  std::vector<std::string> texts = {settings.treebank, settings.valid_treebank};
  for (const CorpusFiles* files : {&settings.text, &settings.valid_text})
    for (const auto* list : {&files->source, &files->target, &files->pairs})
      texts.insert(texts.end(), list->begin(), list->end());
  if (!settings.from.empty() && !settings.resume) {
    const std::vector<std::string> model = ModelFolder(settings.from).model_files();
    texts.insert(texts.end(), model.begin(), model.end());
  }
  for (const std::string& file : {folder.weights(), folder.codes(), folder.vocabulary(), folder.run(),
                                  folder.log(), folder.frames(), folder.training_state(), folder.best()})
    require_no_input(file, texts);
}

// Gives the folder to a new run. It is that of a replacement if it holds a model.
void begin_run(const TrainSettings& settings, const ModelFolder& folder, const Corpora& corpora,
               const EncodedCorpora& encoded, const StartingModel& start) {
  std::filesystem::remove(to_path(folder.best()));
  write_run_record(folder, settings, corpora, start.checksum);
  write_file_atomically(folder.codes(), encoded.byte_pairs.to_text());
  write_file_atomically(folder.vocabulary(), encoded.vocabulary.to_text());
}

// Refuses the run before it takes memory that there is not. Returns a description of how much it needs.
std::string check_memory(const TrainSettings& settings, const EncodedCorpora& encoded) {
  ModelConfig model = settings.model;
  model.vocab = encoded.vocabulary.size();
  const TrainingMemory needed = needed_memory(settings, model, encoded.train);
  const double usable = usable_memory_bytes();
  require_memory(settings, needed, usable);
  return describe_memory(settings, needed, 1e6 * peak_resident_megabytes(), usable);
}

}  // namespace

FinishedRun train_model(const TrainSettings& settings) {
  settings.check();
  catch_lost_readers();  // a run that nobody watches any more shall save what it has
  use_threads(settings.threads);
  use_ways(settings.plain);
  use_precision(settings.precision);
  require_memory_for_model(settings, usable_memory_bytes());
  const ModelFolder folder(settings.out);
  check_texts(settings, folder);
  StartingModel start;
  if (!settings.from.empty() && !settings.resume) start = load_starting_model(settings);
  FinishedRun trained = {.folder = {}, .corpora = load_corpora(settings), .encoded = {}};
  if (!settings.resume) require_whole_words(settings, trained.corpora);
  make_folder(folder.path);
  const FolderLock only_this_run(folder.path, "another training run");
  Replacement::clean_up(folder, settings.overwrite);
  check_folder(settings, folder);
  std::optional<Replacement> replacement;
  if (!settings.resume && holds_model(folder)) replacement.emplace(folder);
  const ModelFolder& beginning = replacement ? replacement->beginning() : folder;
  make_folder(beginning.checkpoints());
  if (settings.resume) {
    check_same_data(folder, trained.corpora);
    warn_of_other_kernels(folder);
    warn_of_other_ways(folder);
  }
  report_text(settings, trained.corpora);
  trained.encoded = encode_corpora(settings, folder, trained.corpora);
  const std::string memory = check_memory(settings, trained.encoded);

  catch_interrupts();
  TrainingRun run(settings, beginning, trained.corpora, trained.encoded);
  if (settings.resume)
    write_run_record(folder, settings, trained.corpora);
  else
    begin_run(settings, beginning, trained.corpora, trained.encoded, start);
  run.print_summary(memory);
  if (replacement) {
    run.replace_with_first_checkpoint(*replacement);
    std::cerr << "the model in " << folder.path << " stays until the new one has a checkpoint\n";
  }
  if (start.model.transformer) run.start_with(std::move(start.model.transformer));
  trained.signal = run.run();
  trained.folder = run.folder().path;
  trained.made_a_step = run.has_made_a_step();
  trained.made_all_steps = run.has_made_all_steps();
  trained.out_of_patience = run.is_out_of_patience();
  run.print_totals();
  return trained;
}

}  // namespace plainformer
