// Section 5.1, Training Data and Batching (docs/5.1-training-data-and-batching.md)
//
// From a text of your own to its translator, in one program: trains on two files (line i of one translates
// line i of the other), then translates standard input line by line.
//
//   cmake --preset toy && cmake --build build/toy --target train_on_your_text && cd examples/your_text
//   ../../build/toy/examples/train_on_your_text sentences.de sentences.en < new_sentences.de
#include <plainformer/data/batching.h>
#include <plainformer/data/parallel_corpus.h>
#include <plainformer/model_folder/translator.h>
#include <plainformer/training/training_loop.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using namespace plainformer;
constexpr std::uint64_t kSeed = 1;            // of the weights, the order of the batches and dropout
constexpr WordRule kWords = {.marks = true};  // "schläft." is a word and a mark

LoadedModel train_on(const ParallelCorpus& corpus) {
  // Text to numbers: learn byte pair encoding, number the pieces, encode the pairs.
  BytePairEncoding byte_pairs = BytePairEncoding::learn(corpus.word_counts(), /*merges=*/200);
  const Vocabulary vocabulary = corpus.build_vocabulary(byte_pairs);
  PairCount too_long;  // the pairs that are left out
  const auto pairs = corpus.encode(byte_pairs, vocabulary, /*max_length=*/50, too_long);
  std::cerr << pairs.size() << " pairs, " << vocabulary.size() << " pieces\n";

  const ModelConfig config = {.d_model = 64,
                              .d_ff = 128,
                              .heads = 4,
                              .encoder_layers = 2,
                              .decoder_layers = 2,
                              .vocab = vocabulary.size()};
  LoadedModel model = {{byte_pairs, vocabulary, kWords}, std::make_unique<Transformer>(config, kSeed)};

  TrainingOptions options = {.seed = kSeed, .steps = 300};
  options.learning_rate = {.d_model = config.d_model, .warmup_steps = 100, .scale = 0.5};
  Adam adam(model.transformer->parameters(), options.adam);
  TrainingHooks hooks;
  hooks.after_step = [&](const StepReport& step) {
    if (adam.steps() % 50 == 0) std::cerr << "step " << adam.steps() << "  loss " << step.loss << "\n";
  };
  TrainingProgress progress;
  train(*model.transformer, adam, progress, options, batches_of(pairs, /*max_tokens=*/256, kSeed), hooks);
  return model;  // save_model(model, "folder") writes it, and load_model("folder") reads it
}

int main(int argument_count, char** arguments) {
  if (argument_count != 3) {
    std::cerr << "usage: train_on_your_text SOURCE TARGET < in > out\n";
    return 2;
  }
  try {
    const CorpusFiles files = {.source = {arguments[1]}, .target = {arguments[2]}};
    LoadedModel model = train_on(ParallelCorpus::load(files, kWords));
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    std::cout << translate(model, text);
  } catch (const std::exception& error) {
    std::cerr << "train_on_your_text: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
