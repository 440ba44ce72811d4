#include "train/train_model.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/special_symbols.h"
#include "io/atomic_file.h"
#include "io/output.h"
#include "model_folder/weights.h"
#include "platform/platform.h"
#include "train/estimates.h"
#include "train/recipes.h"
#include "train/run_record.h"
#include "train/text_report.h"
#include "train/training_run.h"

namespace plainformer {

namespace {

// Refuses to replace a model, or to resume where there is nothing to resume.
void check_folder(const Settings& settings, const ModelFolder& folder) {
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
void check_texts(const Settings& settings, const ModelFolder& folder) {
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

// The trained model whose weights a run starts with.
struct StartingModel {
  std::unique_ptr<Transformer> transformer;  // none: fresh weights
  std::string checksum;  // of the weights, as model.safetensors has it; empty in the file of another program
};

// A model keeps its sizes, its merges and its words.
void check_same_model(const Settings& settings, const LoadedModel& model) {
  Settings of_model = settings;
  use_model(model, of_model);
  const Arguments wanted = to_arguments(settings), has = to_arguments(of_model);
  for (std::size_t i = 0; i + 1 < wanted.size(); ++i) {
    if (wanted[i + 1] != has[i + 1])
      throw UsageError(wanted[i] + " " + wanted[i + 1] + " would change the model of --from, which has " +
                       has[i + 1] + ": leave it out, because a trained model keeps its sizes and its words");
  }
  const Real epsilon = model.transformer->config().layer_norm_epsilon;
  if (epsilon != settings.model.layer_norm_epsilon)
    throw input_error(ModelFolder(settings.from).weights(),
                      "layer_norm_epsilon is " + shortest_text(epsilon) + ", but training has " +
                          shortest_text(settings.model.layer_norm_epsilon),
                      "go on with a model that 'plainformer train' made");
}

StartingModel load_starting_model(const Settings& settings) {
  if (settings.from.empty() || settings.resume) return {};
  const ModelFolder folder(settings.from);
  const TensorFile weights = read_weights(folder);
  LoadedModel model = assemble_model(weights, folder.text_files());
  check_same_model(settings, model);
  if (model.parses && settings.treebank.empty())
    throw input_error(folder.path, "this model is a parser, and does not translate",
                      "go on with trees (--treebank), or from a model that translates");
  if (!model.parses && !settings.treebank.empty())
    throw input_error(folder.path, "this model is a translator, not a parser",
                      "go on with --pairs, or with --source and --target");
  return {.transformer = std::move(model.transformer), .checksum = weights.checksum};
}

// Refuses a model that is too large, whatever the text, before the text is read.
void require_memory_for_model(const Settings& settings) {
  ModelConfig model = settings.model;
  model.vocab = kSpecialSymbols + 1;  // the real size is known only when the data is read
  require_memory(settings, estimate_memory(settings, model, {}), usable_memory_bytes());
}

// Writes the files of a new run that its checkpoints do not hold.
void write_run(const Settings& settings, const ModelFolder& folder, const Corpora& corpora,
               const EncodedCorpora& encoded, const std::string& start_checksum) {
  std::filesystem::remove(to_path(folder.best()));
  write_run_record(folder, settings, corpora, start_checksum);
  write_file_atomically(folder.codes(), encoded.byte_pairs.to_text());
  write_file_atomically(folder.vocabulary(), encoded.vocabulary.to_text());
}

// Makes the model, or restores it. A run without the memory for it fails here, with all files as they were.
State make_state(const Settings& settings, const ModelConfig& model, const Checkpoints& files,
                 StartingModel start) {
  State state(model, settings.training);
  if (settings.resume) files.restore(state);
  if (start.transformer) load_weights(state.model, weights_of(*start.transformer), settings.from);
  return state;
}

}  // namespace

FinishedRun train_model(const Settings& settings) {
  // Step 1. Check all that needs no text.
  settings.check();
  catch_lost_readers();  // a run whose output nobody reads any more shall save what it has
  settings.compute.use();
  require_memory_for_model(settings);
  const ModelFolder folder(settings.out);
  check_texts(settings, folder);
  StartingModel start = load_starting_model(settings);
  const std::string start_checksum = start.checksum;

  // Step 2. Read the text.
  Corpora corpora = load_corpora(settings);
  if (!settings.resume) require_whole_words(settings, corpora);

  // Step 3. Take the folder.
  make_folder(folder.path);
  const FolderLock only_this_run(folder.path, "another training run");
  check_folder(settings, folder);
  if (settings.resume) {
    check_same_data(folder, corpora);
    warn_of_other_bits(folder);
  }

  // Step 4. Turn the text into ids.
  report_text(settings, corpora);
  const EncodedCorpora encoded = encode_corpora(settings, folder, corpora);
  ModelConfig model = settings.model;
  model.vocab = encoded.vocabulary.size();
  const MemoryEstimate memory = estimate_memory(settings, model, encoded.train);
  require_memory(settings, memory, usable_memory_bytes());
  const std::string memory_text =
      describe_memory(memory, 1e6 * peak_resident_megabytes(), usable_memory_bytes());

  // Step 5. Make the model, or restore it, and write the record of the run.
  catch_interrupts();
  State state = make_state(settings, model, Checkpoints(settings, folder, encoded), std::move(start));
  const bool replaces = !settings.resume && holds_model(folder);
  if (replaces) set_old_model_aside(folder);
  make_folder(folder.checkpoints());
  TrainingRun run(settings, folder, corpora, encoded, state);
  if (settings.resume)
    write_run_record(folder, settings, corpora);
  else
    write_run(settings, folder, corpora, encoded, start_checksum);

  // Step 6. Train.
  run.print_summary(memory_text);
  if (replaces)
    std::cerr << "the old model is in " << replaced_model(folder).path
              << " until the new one has a checkpoint\n";
  if (!settings.from.empty() && !settings.resume) run.measure_starting_model();
  const int signal = run.run();
  run.print_totals();
  return {.signal = signal,
          .made_all_steps = run.has_made_all_steps(),
          .out_of_patience = run.is_out_of_patience(),
          .test = std::move(corpora.test)};
}

}  // namespace plainformer
