// A model is a folder: model.safetensors, bpe.codes, vocabulary.txt; and, where it was trained, log.jsonl,
// run.json and checkpoints/.
#pragma once

#include <memory>
#include <string>

#include "core/named_tensor.h"
#include "data/byte_pair_encoding.h"
#include "data/vocabulary.h"
#include "model/transformer.h"

namespace plainformer {

struct ModelFolder {
  explicit ModelFolder(std::string folder) : path(std::move(folder)) {}

  std::string path;
  std::string weights() const { return path + "/model.safetensors"; }
  std::string codes() const { return path + "/bpe.codes"; }
  std::string vocabulary() const { return path + "/vocabulary.txt"; }
  std::string log() const { return path + "/log.jsonl"; }
  std::string run() const { return path + "/run.json"; }
  std::string checkpoints() const { return path + "/checkpoints"; }
  std::string training_state() const { return checkpoints() + "/training_state.safetensors"; }
  std::string checkpoint(Index step) const;  // weights only
};

struct LoadedModel {
  std::unique_ptr<Transformer> transformer;
  BytePairEncoding byte_pairs;
  Vocabulary vocabulary;

  // Text to ids and back; `line` may hold anything.
  std::vector<int> encode(const std::string& line);
  std::string decode(const std::vector<int>& ids) const;
};

// All as untrusted files: std::runtime_error naming the file.
LoadedModel load_model(const ModelFolder& folder);

// Checksums of byte pair encoding and vocabulary, kept in the metadata of the weights that were trained with
// them: a codes file that lost its last lines is still a codes file, but cuts words into other pieces.
Metadata text_checksums(const BytePairEncoding& byte_pairs, const Vocabulary& vocabulary);

// std::runtime_error naming the folder's file that does not have its checksum in the metadata. Weights of
// other programs have no checksums, and fit anything.
void check_text_files(const ModelFolder& folder, const BytePairEncoding& byte_pairs,
                      const Vocabulary& vocabulary, const Metadata& metadata);

// The files of the folder's step checkpoints, oldest first.
std::vector<std::string> step_checkpoints(const ModelFolder& folder);

// Writes the weights, the configuration and the checksums of the text files, whole or not at all.
void save_weights(Transformer& model, const Metadata& text_checksums, const std::string& path);

}  // namespace plainformer
