#include "app/model_folder.h"

#include <algorithm>
#include <filesystem>

#include "core/check.h"
#include "data/text.h"
#include "io/safetensors.h"
#include "training/checkpoint.h"

namespace plainformer {

std::string ModelFolder::checkpoint(Index step) const {
  const std::string digits = std::to_string(step);
  const std::string zeros(digits.size() < 8 ? 8 - digits.size() : 0, '0');
  return checkpoints() + "/step_" + zeros + digits + ".safetensors";
}

std::vector<int> LoadedModel::encode(const std::string& line) {
  return vocabulary.encode(byte_pairs.apply(sanitize_line(line)));
}

std::string LoadedModel::decode(const std::vector<int>& ids) const {
  return BytePairEncoding::join(vocabulary.decode(ids));
}

std::unique_ptr<Transformer> load_transformer(const std::string& weights_file) {
  const TensorFile file = read_tensor_file(weights_file);
  const ModelConfig config = ModelConfig::from_metadata(file.metadata, weights_file);
  auto model = std::make_unique<Transformer>(config, /*seed=*/0);
  load_weights(*model, file.tensors, weights_file);
  return model;
}

LoadedModel load_model(const ModelFolder& folder) {
  if (!std::filesystem::is_directory(folder.path)) {
    throw input_error(folder.path, "no such folder", "give the folder that 'plainformer train --out' wrote");
  }
  LoadedModel loaded = {.transformer = load_transformer(folder.weights()),
                        .byte_pairs = BytePairEncoding::load(folder.codes()),
                        .vocabulary = Vocabulary::load(folder.vocabulary())};
  const Index vocab = loaded.transformer->config().vocab;
  if (loaded.vocabulary.size() != vocab) {
    throw input_error(
        folder.vocabulary(),
        std::to_string(loaded.vocabulary.size()) + " tokens, but the model knows " + std::to_string(vocab),
        "the folder mixes files of two models");
  }
  return loaded;
}

std::vector<std::string> step_checkpoints(const ModelFolder& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.checkpoints())) {
    const std::string name = entry.path().filename();
    if (name.rfind("step_", 0) == 0 && name.ends_with(".safetensors")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void save_weights(Transformer& model, const std::string& path) {
  write_tensor_file(path, weights_of(model), model.config().to_metadata());
}

}  // namespace plainformer
