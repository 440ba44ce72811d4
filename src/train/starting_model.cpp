#include "train/starting_model.h"

#include <filesystem>

#include "core/input_error.h"
#include "core/number_text.h"
#include "model_folder/metadata.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

// Names and values in turn.
Arguments options_of(const ModelConfig& model, Index merges, const WordRule& words) {
  return {"--encoder-layers",
          std::to_string(model.encoder_layers),
          "--decoder-layers",
          std::to_string(model.decoder_layers),
          "--d-model",
          std::to_string(model.d_model),
          "--d-ff",
          std::to_string(model.d_ff),
          "--heads",
          std::to_string(model.heads),
          "--d-k",
          std::to_string(model.d_k),
          "--d-v",
          std::to_string(model.d_v),
          "--positions",
          name_of(model.positions),
          "--max-length",
          std::to_string(model.max_length),
          "--merges",
          std::to_string(merges),
          "--words",
          words_name(words),
          "--case",
          case_name(words),
          "--unknown-pieces",
          unknown_pieces_name(words)};
}

void check_same_model(const TrainSettings& settings, const LoadedModel& model) {
  const ModelConfig& config = model.transformer->config();
  const Arguments wanted = options_of(settings.model, settings.merges, settings.word_rule),
                  has = options_of(config, model.byte_pairs.merges(), model.words);
  for (std::size_t i = 0; i < wanted.size(); i += 2) {
    if (wanted[i + 1] != has[i + 1])
      throw UsageError(wanted[i] + " " + wanted[i + 1] + " would change the model of --from, which has " +
                       has[i + 1] + ": leave it out, because a trained model keeps its sizes and its words");
  }
  if (config.layer_norm_epsilon != settings.model.layer_norm_epsilon)
    throw input_error(ModelFolder(settings.from).weights(),
                      "layer_norm_epsilon is " + shortest_text(config.layer_norm_epsilon) +
                          ", but training has " + shortest_text(settings.model.layer_norm_epsilon),
                      "go on with a model that 'plainformer train' made");
}

void check_task(const TrainSettings& settings, const LoadedModel& model) {
  const std::string file = ModelFolder(settings.from).vocabulary();
  if (model.parses && settings.treebank.empty())
    throw input_error(file, "has the brackets of trees: this model is a parser, and translates nothing",
                      "go on with trees (--treebank), or from a model that translates");
  if (!model.parses && !settings.treebank.empty())
    throw input_error(file, "has no brackets of trees: this model is no parser",
                      "go on with --pairs, or with --source and --target");
}

}  // namespace

Arguments model_options(const ModelFolder& folder) {
  const LoadedModel model = load_model(folder);
  return options_of(model.transformer->config(), model.byte_pairs.merges(), model.words);
}

StartingModel load_starting_model(const TrainSettings& settings) {
  const ModelFolder folder(settings.from);
  const TensorFile weights = read_weights(folder);
  StartingModel start = {.model = assemble_model(weights, folder.text_files()), .checksum = weights.checksum};
  check_same_model(settings, start.model);
  check_task(settings, start.model);
  return start;
}

}  // namespace plainformer
