#include "model_folder/model_folder.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "core/input_error.h"
#include "io/atomic_file.h"
#include "io/checksum.h"
#include "model_folder/weights.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

const char* const kTaskKey = "task";
const char* const kParsing = "parsing";
constexpr const char* kModelHint = "give the folder that 'plainformer train --out' wrote";

Metadata text_checksums(const TextEncoding& text) {
  return {{"bpe_checksum", Checksum().add(text.byte_pairs.to_text()).hex()},
          {"vocabulary_checksum", Checksum().add(text.vocabulary.to_text()).hex()}};
}

std::unique_ptr<Transformer> transformer_from(const TensorFile& file) {
  const ModelConfig config = config_from(file.metadata, file.path);
  std::int64_t elements = 0;
  for (const NamedTensor& t : file.tensors) elements += t.tensor.size();
  if (elements != count_weights(config)) {  // checked first: a model of the size in the metadata may be huge
    throw input_error(file.path,
                      "holds " + std::to_string(elements) + " weights, but its configuration needs " +
                          std::to_string(count_weights(config)),
                      "its configuration and its weights do not belong together");
  }
  auto model = std::make_unique<Transformer>(config);
  load_weights(*model, file.tensors, file.path);
  return model;
}

}  // namespace

ModelFolder::ModelFolder(const std::filesystem::path& folder) : path(to_text(folder)) {}

std::string ModelFolder::checkpoint(Index step) const {
  const std::string digits = std::to_string(step);
  const std::string zeros(digits.size() < 8 ? 8 - digits.size() : 0, '0');
  return checkpoints() + "/step_" + zeros + digits + ".safetensors";
}

std::string TextEncoding::decode(const std::vector<int>& ids) const {
  return words.join(BytePairEncoding::join(vocabulary.decode(ids)));
}

LoadedModel load_model(const ModelFolder& folder) {
  require_folder(folder);
  if (!std::filesystem::exists(to_path(folder.weights())))
    throw input_error(folder.weights(), "no such file", kModelHint);
  return assemble_model(read_tensor_file(folder.weights()), folder.text_files());
}

LoadedModel assemble_model(const TensorFile& weights, const TextFiles& files) {
  LoadedModel loaded;
  loaded.transformer = transformer_from(weights);
  loaded.byte_pairs = BytePairEncoding::load(files.codes);
  loaded.vocabulary = Vocabulary::load(files.vocabulary);
  loaded.words = word_rule_from(weights.metadata, weights.path);
  const std::string* task = find_text(weights.metadata, kTaskKey);
  loaded.parses = task && *task == kParsing;
  const Index vocab = loaded.transformer->config().vocab;
  if (loaded.vocabulary.size() != vocab) {
    throw input_error(
        files.vocabulary,
        std::to_string(loaded.vocabulary.size()) + " tokens, but the model knows " + std::to_string(vocab),
        "these are files of two different models");
  }
  check_text_files(files, loaded, weights.metadata);
  return loaded;
}

std::int64_t count_weights(const ModelConfig& config) {
  const std::int64_t d_model = config.d_model, d_ff = config.d_ff;
  const std::int64_t attention =
                         2 * d_model * config.heads * (std::int64_t{config.head_d_k()} + config.head_d_v()),
                     norm = 2 * d_model;
  const std::int64_t feed_forward = 2 * d_model * d_ff + d_ff + d_model;
  const std::int64_t positions = config.learns_positions() ? config.max_length * d_model : 0;
  return config.vocab * d_model + positions + config.encoder_layers * (attention + feed_forward + 2 * norm) +
         config.decoder_layers * (2 * attention + feed_forward + 3 * norm);
}

Metadata metadata_of_weights(const ModelConfig& config, const TextEncoding& text, bool parses) {
  Metadata metadata = metadata_of(config);
  for (const Metadata& more : {text_checksums(text), metadata_of(text.words)})
    metadata.insert(metadata.end(), more.begin(), more.end());
  if (parses) metadata.emplace_back(kTaskKey, kParsing);
  return metadata;
}

void check_text_files(const TextFiles& files, const TextEncoding& text, const Metadata& metadata) {
  for (const auto& [key, checksum] : text_checksums(text)) {
    const std::string* stored = find_text(metadata, key);
    if (!stored || *stored == checksum) continue;
    throw input_error(key == "bpe_checksum" ? files.codes : files.vocabulary,
                      "is not the file that the model was trained with",
                      "restore it: it was altered, or these are files of two different models");
  }
}

std::vector<std::string> step_checkpoints(const ModelFolder& folder) {
  std::vector<std::string> files;
  if (!std::filesystem::is_directory(to_path(folder.checkpoints()))) return files;
  for (const auto& entry : std::filesystem::directory_iterator(to_path(folder.checkpoints()))) {
    const std::string name = to_text(entry.path().filename());
    if (name.starts_with("step_") && name.ends_with(".safetensors"))
      files.push_back(folder.checkpoints() + "/" + name);
  }
  std::sort(files.begin(), files.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;  // step_100000000 after step_99999999
  });
  return files;
}

Metadata add_checkpoints(const std::vector<std::string>& files, CheckpointAverage& sums) {
  Metadata metadata;
  for (const std::string& path : files) {
    const TensorFile file = read_tensor_file(path);
    if (path == files.front()) metadata = file.metadata;
    if (file.metadata != metadata) {
      throw input_error(path, "belongs to another model than " + files.front(),
                        "average checkpoints of one run only");
    }
    sums.add(file.tensors, path);
  }
  return metadata;
}

void require_folder(const ModelFolder& folder) {
  if (std::filesystem::is_directory(to_path(folder.path))) return;
  throw input_error(folder.path,
                    std::filesystem::exists(to_path(folder.path)) ? "is not a folder" : "no such folder",
                    kModelHint);
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(to_path(path), error);
  if (!error) return;
  throw input_error(path, "cannot be made: " + error.default_error_condition().message(),
                    "choose another folder with --out; a file may be in the way");
}

bool holds_model(const ModelFolder& folder) {
  return std::filesystem::exists(to_path(folder.training_state())) ||
         std::filesystem::exists(to_path(folder.weights())) || !step_checkpoints(folder).empty();
}

void save_model(const LoadedModel& model, const ModelFolder& folder) {
  make_folder(folder.path);
  const FolderLock only_this_model(folder.path, "another training run");
  const auto exists = [](const std::string& file) { return std::filesystem::exists(to_path(file)); };
  if (holds_model(folder) || exists(folder.codes()) || exists(folder.vocabulary()))
    throw input_error(folder.path, "already holds files of a model", "choose another --out");
  // The large file comes first: if it fails, the folder has nothing that would be in the way of another try.
  write_tensor_file(folder.weights(), weights_of(*model.transformer),
                    metadata_of_weights(model.transformer->config(), model, model.parses));
  write_file_atomically(folder.codes(), model.byte_pairs.to_text());
  write_file_atomically(folder.vocabulary(), model.vocabulary.to_text());
}

}  // namespace plainformer
