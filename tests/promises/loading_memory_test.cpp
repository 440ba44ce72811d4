// Loading a model takes at most twice its files and 64 MB.
#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "io/safetensors.h"
#include "support/sanitized.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

constexpr std::uintmax_t kMegabyte = 1 << 20;

class LoadingMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized || kPatience > 1) GTEST_SKIP() << "a sanitizer and an emulator take memory of their own";
    write_weights(config_);  // without checksums of text files, so that those may change
  }

  // The peak of a program that has loaded the model: it answers an empty line, and waits for the next one.
  void expect_at_most_twice(const std::string& file, std::uintmax_t megabytes_more = 64) {
    const TemporaryFolder here;
    Program program({"translate", "--model", model_.path},
                    {.input_follows = true, .stdout_path = here.path_of("answers")});
    program.write_input("\n");
    ASSERT_TRUE(wait_until([&] { return here.read("answers") == "\n"; }));
    const std::uintmax_t peak = program.peak_memory(), bytes = std::filesystem::file_size(file);
    EXPECT_GT(peak, bytes);
    EXPECT_LE(peak, 2 * bytes + megabytes_more * kMegabyte) << bytes << " bytes in the file";
  }

  // The folder, with weights as random as before any training.
  void write_weights(const ModelConfig& config, const Metadata& more = {}) {
    Transformer transformer(config, /*seed=*/1);
    Metadata metadata = metadata_of(config);
    metadata.insert(metadata.end(), more.begin(), more.end());
    write_tensor_file(model_.weights(), weights_of(transformer), metadata);
  }

  const TemporaryFolder folder_;
  const ModelFolder model_ = ModelFolder(write_model(folder_));
  ModelConfig config_ = load_model(model_).transformer->config();
};

TEST_F(LoadingMemory, OfWeights) {
  config_.d_model = 256;
  config_.d_ff = 20'480;
  write_weights(config_);
  ASSERT_GT(std::filesystem::file_size(model_.weights()), 80 * kMegabyte)
      << "too small to notice a third copy";
  expect_at_most_twice(model_.weights());
}

// As many tensors as a model may have, almost empty: less than a third of what a header may hold, so they may
// take a third of the memory.
TEST_F(LoadingMemory, OfManyTensors) {
  config_.d_model = config_.d_ff = config_.heads = 1;
  config_.encoder_layers = config_.decoder_layers = ModelConfig::kMaxLayers;
  write_weights(config_);
  expect_at_most_twice(model_.weights(), /*megabytes_more=*/21);
}

TEST_F(LoadingMemory, OfLongMetadata) {
  write_weights(config_, {{"note", std::string(60'000'000, 'x')}});
  expect_at_most_twice(model_.weights());
}

// As many merges as a file may have, and no two symbols alike.
TEST_F(LoadingMemory, OfCodes) {
  for (const std::size_t bytes : {6, 40}) {  // of a symbol
    std::string codes = "#version: 0.2\n";
    for (Index i = 0; i < BytePairEncoding::kMaxMerges; ++i) {
      const std::string number = std::to_string(i);
      const std::size_t rest = bytes - number.size();
      codes += number + std::string(rest, 'x') + " " + number + std::string(rest, 'y') + "\n";
    }
    folder_.write("model/bpe.codes", codes);
    expect_at_most_twice(model_.codes());
  }
}

// A single merge that fills the file.
TEST_F(LoadingMemory, OfALongMerge) {
  const std::string symbol(4'000'000, 'x');
  folder_.write("model/bpe.codes", "#version: 0.2\n" + symbol + " " + symbol + "\n");
  expect_at_most_twice(model_.codes());
}

// As many tokens as a file may have.
TEST_F(LoadingMemory, OfAVocabulary) {
  config_.d_model = config_.heads = 1;
  config_.vocab = Vocabulary::kMaxTokens;
  write_weights(config_);
  for (const std::size_t bytes : {6, 40}) {  // of a token
    std::string vocabulary = "<pad>\n<s>\n</s>\n<unk>\n";
    for (Index i = kSpecialSymbols; i < Vocabulary::kMaxTokens; ++i) {
      const std::string number = std::to_string(i);
      vocabulary += number + std::string(bytes - number.size(), 'x') + "\n";
    }
    folder_.write("model/vocabulary.txt", vocabulary);
    expect_at_most_twice(model_.vocabulary());
  }
}

}  // namespace
}  // namespace plainformer
