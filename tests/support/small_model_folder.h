// Small things for the whole program: text to train on, a short training run, and an untrained model.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "core/special_symbols.h"
#include "core/strings.h"
#include "data/parallel_corpus.h"
#include "data/toy/toy_grammar.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "model_folder/model_folder.h"
#include "model_folder/translator.h"
#include "model_folder/weights.h"
#include "support/program.h"

namespace plainformer {

// train.en, train.de, valid.en and valid.de: sentences of the built-in grammar.
inline void write_text(const TemporaryFolder& folder, std::uint64_t seed = 1) {
  const ToyCorpus corpus = generate_toy_corpus(seed, 80, 10, 0);
  const auto write = [&](const std::string& name, const std::vector<ToyPair>& pairs,
                         std::string ToyPair::*side) {
    std::string text;
    for (const ToyPair& pair : pairs) text += pair.*side + "\n";
    folder.write(name, text);
  };
  write("train.en", corpus.train, &ToyPair::source);
  write("train.de", corpus.train, &ToyPair::target);
  write("valid.en", corpus.valid, &ToyPair::source);
  write("valid.de", corpus.valid, &ToyPair::target);
}

// The usual options that `more` lacks, and those of `more`.
inline std::vector<std::string> with_usual(const std::vector<std::string>& usual,
                                           const std::vector<std::string>& more) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < usual.size(); i += 2)
    if (std::find(more.begin(), more.end(), usual[i]) == more.end())
      all.insert(all.end(), {usual[i], usual[i + 1]});
  return joined(all, more);
}

// Arguments of a short training run on that text. Options of `more` replace them.
inline std::vector<std::string> train_arguments(const TemporaryFolder& folder, const std::string& out,
                                                const std::vector<std::string>& more = {}) {
  const std::vector<std::string> usual = joined(
      {"--source", folder.path_of("train.en"), "--target", folder.path_of("train.de"), "--valid-source",
       folder.path_of("valid.en"), "--valid-target", folder.path_of("valid.de"), "--out",
       folder.path_of(out)},
      split_at(' ',
               "--words spaces --preset tiny --merges 200 --encoder-layers 1 --decoder-layers 1 --d-model 16 "
               "--d-ff 24 --heads 2 --max-length 64 --batch-tokens 128 --steps 6 --threads 1"));
  return joined({"train"}, with_usual(usual, more));
}

// A folder with that text, and training runs in it.
class TrainingOnText : public testing::Test {
 protected:
  TrainingOnText() { write_text(folder_); }

  ProgramResult train(const std::string& out, const std::vector<std::string>& more = {},
                      const ProgramSetup& setup = {}) const {
    return run_program(train_arguments(folder_, out, more), setup);
  }
  ProgramResult resume(const std::string& out, const std::vector<std::string>& more = {},
                       const ProgramSetup& setup = {}) const {
    return run_program(joined({"train", "--resume", "--out", folder_.path_of(out)}, more), setup);
  }

  const TemporaryFolder folder_;
};

// The records of a file of JSON lines.
inline std::vector<JsonValue> json_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<JsonValue> records;
  for (std::string line; std::getline(stream, line);) records.push_back(parse_json(line, "a record"));
  return records;
}

// Writes a model folder with the random weights before training. Each word of its text occurs twice, so that
// byte pair encoding makes it one piece, and the model's output encodes to the same ids again.
inline std::string write_model_of(const TemporaryFolder& folder, const std::string& text,
                                  const std::string& name, const std::string& positions = "sinusoidal",
                                  Index max_length = 64) {
  WordCounts counts;
  count_words(text, counts);
  count_words(text, counts);
  BytePairEncoding byte_pairs = BytePairEncoding::learn(counts, 1000);
  const Vocabulary vocabulary =
      ParallelCorpus::from_lines({text}, {text}, "text").build_vocabulary(byte_pairs);

  ModelConfig config;
  config.d_model = 16;
  config.d_ff = 24;
  config.heads = 2;
  config.encoder_layers = config.decoder_layers = 1;
  config.vocab = vocabulary.size();
  config.max_length = max_length;
  config.positions = positions_from(positions, "a test");
  Transformer model(config, /*seed=*/1);

  const ModelFolder model_folder(folder.path_of(name));
  std::filesystem::create_directory(model_folder.path);
  write_file_atomically(model_folder.codes(), byte_pairs.to_text());
  write_file_atomically(model_folder.vocabulary(), vocabulary.to_text());
  write_tensor_file(model_folder.weights(), weights_of(model),
                    metadata_of_weights(config, {byte_pairs, vocabulary}, /*parses=*/false));
  return model_folder.path;
}

inline std::string write_model(const TemporaryFolder& folder, const std::string& name = "model",
                               const std::string& positions = "sinusoidal", Index max_length = 64) {
  return write_model_of(folder, "the cat sleeps on a table die Katze schläft auf dem Tisch , not nicht", name,
                        positions, max_length);
}

// Lets the model of such a folder write <unk> instead of the most probable token, by giving <unk> a longer
// vector in the direction of that token's.
inline void let_write_unknown(const std::string& path) {
  const ModelFolder folder(path);
  LoadedModel model = load_model(folder);
  const std::vector<int> source = SourceReader(model).read("the").ids;
  const int likely = Translator(model).translate({source}, kGreedy).front().front().tokens.front();
  Tensor& embedding = model.transformer->embedding.value;
  const Index d_model = embedding.dim(1);
  for (Index i = 0; i < d_model; ++i)
    embedding.mutable_data()[kUnknownId * d_model + i] = 3 * embedding(likely, i);
  write_tensor_file(folder.weights(), weights_of(*model.transformer),
                    metadata_of_weights(model.transformer->config(), model, /*parses=*/false));
}

// A model folder whose model writes trees.
inline std::string write_parser(const TemporaryFolder& folder, const std::string& name = "parser") {
  const std::string path =
      write_model_of(folder, "the cat sleeps on a table (S (NP DT NN )NP (VP VBZ )VP )S", name);
  const LoadedModel model = load_model(ModelFolder(path));
  write_tensor_file(ModelFolder(path).weights(), weights_of(*model.transformer),
                    metadata_of_weights(model.transformer->config(), model, /*parses=*/true));
  return path;
}

// A --learning-rate-scale at which the floats soon overflow.
inline constexpr const char* kExplosive = "1e36";

// Every file below a folder, with its bytes.
inline std::vector<std::pair<std::string, std::string>> snapshot(const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files.emplace_back(to_text(entry.path()), std::string(std::istreambuf_iterator<char>(file), {}));
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Did two training runs leave the same weights, state and step checkpoints, byte for byte?
inline testing::AssertionResult same_files(const TemporaryFolder& folder, const std::string& out,
                                           const std::string& other) {
  if (folder.read(out + "/model.safetensors") != folder.read(other + "/model.safetensors"))
    return testing::AssertionFailure() << "the weights differ";
  const auto files = snapshot(folder.path_of(out + "/checkpoints")),
             others = snapshot(folder.path_of(other + "/checkpoints"));
  if (files.size() != others.size())
    return testing::AssertionFailure() << files.size() << " checkpoints, not " << others.size();
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i].second != others[i].second)
      return testing::AssertionFailure() << files[i].first << " differs from " << others[i].first;
  return testing::AssertionSuccess();
}

}  // namespace plainformer
