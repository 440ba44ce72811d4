// A model is a folder: model.safetensors, bpe.codes, vocabulary.txt; and, if it was trained there, log.jsonl,
// frames.jsonl (train --frames), run.json and checkpoints/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/parameter.h"
#include "data/byte_pair_encoding.h"
#include "data/vocabulary.h"
#include "data/words.h"
#include "io/safetensors.h"
#include "training/checkpoint_average.h"
#include "transformer/transformer.h"

namespace plainformer {

// The files that turn text into ids: byte pair encoding and vocabulary.
struct TextFiles {
  std::string codes, vocabulary;
};

// Any kind of path makes one, so that load_model("folder") compiles.
struct ModelFolder {
  ModelFolder(std::string folder) : path(std::move(folder)) {}
  ModelFolder(const char* folder) : path(folder) {}
  ModelFolder(const std::filesystem::path& folder);

  std::string path;  // UTF-8
  std::string weights() const { return path + "/model.safetensors"; }
  std::string codes() const { return path + "/bpe.codes"; }
  std::string vocabulary() const { return path + "/vocabulary.txt"; }
  TextFiles text_files() const { return {codes(), vocabulary()}; }
  // All that load_model reads.
  std::vector<std::string> model_files() const { return {weights(), codes(), vocabulary()}; }
  std::string log() const { return path + "/log.jsonl"; }
  std::string frames() const { return path + "/frames.jsonl"; }
  std::string run() const { return path + "/run.json"; }
  std::string checkpoints() const { return path + "/checkpoints"; }
  std::string training_state() const { return checkpoints() + "/training_state.safetensors"; }
  std::string checkpoint(Index step) const;  // weights only
  // A copy of model.safetensors from before the end of a run replaced it. A resumed run takes it back.
  std::string best() const { return checkpoints() + "/best.safetensors"; }
};

// How text becomes ids, and ids become text.
struct TextEncoding {
  BytePairEncoding byte_pairs;
  Vocabulary vocabulary;
  WordRule words = {};

  std::string decode(const std::vector<int>& ids) const;  // the text of the tokens
};

struct LoadedModel : TextEncoding {
  std::unique_ptr<Transformer> transformer;
  bool parses = false;  // writes trees (6.3), not translations
};

// load_model("build/toy/toy-model"). Reads untrusted files: std::runtime_error that names the file.
LoadedModel load_model(const ModelFolder& folder);

// Makes the model from weights that were read already, and from text files in any folder.
LoadedModel assemble_model(const TensorFile& weights, const TextFiles& files);

// The number of weights of such a model. Within the bounds of ModelConfig::check it fits in 64 bits.
std::int64_t count_weights(const ModelConfig& config);

// The metadata of weights: the configuration; checksums of byte pair encoding and vocabulary, because a codes
// file that lost its last lines is still valid, but cuts words into different pieces; how text is cut into
// words; and "task" = "parsing" if the model parses.
Metadata metadata_of_weights(const ModelConfig& config, const TextEncoding& text, bool parses);

// std::runtime_error that names the file whose checksum differs from the one in the metadata. Weights of
// other programs have no checksums and fit any files.
void check_text_files(const TextFiles& files, const TextEncoding& text, const Metadata& metadata);

// The files of the folder's step checkpoints, oldest first.
std::vector<std::string> step_checkpoints(const ModelFolder& folder);

// Adds the weights of the files to `sums`, and returns their metadata. std::runtime_error unless all belong
// to one model.
Metadata add_checkpoints(const std::vector<std::string>& files, CheckpointAverage& sums);

// std::runtime_error unless the folder exists.
void require_folder(const ModelFolder& folder);

// Makes a folder and its missing parents. std::runtime_error if that fails.
void make_folder(const std::string& path);

// True if the folder holds weights, or a training run that can be resumed.
bool holds_model(const ModelFolder& folder);

// Makes a folder that load_model can read, without training. Replaces nothing: std::runtime_error if the
// folder holds any of a model's files.
void save_model(const LoadedModel& model, const ModelFolder& folder);

}  // namespace plainformer
