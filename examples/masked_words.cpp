// Section 7, Conclusion (docs/7-conclusion.md)
//
// A small BERT (Devlin et al. 2019): an encoder learns to guess words that were covered. It may look to both
// sides. A second model, whose causal mask shows it the left side only, learns the same task for comparison.
//
//   cmake --preset toy && cmake --build build/toy --target masked_words && build/toy/examples/masked_words
//   [seed]
#include <plainformer/data/toy/toy_grammar.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/reductions.h>
#include <plainformer/transformer/token_batch.h>
#include <plainformer/transformer/transformer.h>

#include <cstdio>
#include <map>
#include <sstream>
#include <utility>

using namespace plainformer;
constexpr Index kLongest = 20, kBatch = 64, kSteps = 1000;
constexpr int kCovered = kUnknownId;  // stands for a covered word
using Sentences = std::vector<std::vector<int>>;

struct Words {
  std::vector<std::string> spellings = {"<pad>", "<s>", "</s>", "?"};
  std::map<std::string, int> ids;

  std::vector<int> read(const std::string& sentence) {
    std::vector<int> tokens;
    std::istringstream text(sentence);
    for (std::string word; text >> word;) {
      const auto [entry, is_new] = ids.try_emplace(word, static_cast<int>(spellings.size()));
      if (is_new) spellings.push_back(word);
      tokens.push_back(entry->second);
    }
    return tokens;
  }
};

// Sentences with one word covered in each. That word is the only target of its sentence.
struct CoveredBatch {
  TokenBatch tokens;
  std::vector<int> words, targets;  // one for each sentence; one for each row, most of them kNoTarget

  CoveredBatch(Sentences sentences, Random& random) {
    std::vector<Index> places;
    for (std::vector<int>& sentence : sentences) {
      places.push_back(random.below(std::ssize(sentence)));
      words.push_back(std::exchange(sentence[places.back()], kCovered));
    }
    tokens = TokenBatch::from(sentences);
    targets.assign(tokens.batch * tokens.len, kNoTarget);
    for (std::size_t i = 0; i < words.size(); ++i) targets[i * tokens.len + places[i]] = words[i];
  }
};

struct MaskedModel {
  bool sees_both_sides;
  ModelConfig config = {.d_model = 48, .d_ff = 96, .heads = 4, .encoder_layers = 2};
  Parameter embedding;
  PositionalEncoding positions{kLongest, config.d_model};
  Encoder layers{config, 0};
  Encoder::Cache cache;

  MaskedModel(bool both_sides, std::size_t vocab)
      : sees_both_sides(both_sides), embedding(Tensor::zeros({static_cast<Index>(vocab), config.d_model})) {}

  Tensor forward(const TokenBatch& tokens) {  // -> [batch, len, d_model]
    const Tensor x = positions.forward(embedding_forward(tokens, embedding));
    return layers.forward(x, {.key_lengths = tokens.lengths, .causal = !sees_both_sides}, DropoutState{},
                          cache);
  }
};

void train(MaskedModel& model, const Sentences& text, std::uint64_t seed) {
  ParameterList parameters = {{"embedding", &model.embedding}};
  model.layers.append_parameters("layers", parameters);
  initialize(parameters, seed, {token_table(model.embedding)});
  Adam adam(parameters, {});
  Random random(random_stream(seed, 0, 0));
  for (Index step = 1; step <= kSteps; ++step) {
    Sentences sentences;
    while (std::ssize(sentences) < kBatch) sentences.push_back(random.any_of(text));
    const CoveredBatch batch(sentences, random);
    zero_gradients(parameters);
    const Tensor output = model.forward(batch.tokens);
    Tensor grad;
    const CrossEntropy sums = projected_cross_entropy_forward_backward(
        Real(1) / kBatch, output, model.embedding, batch.targets, 0, grad);
    embedding_backward(model.layers.backward(grad, model.cache), batch.tokens, model.embedding);
    adam.step(parameters, 0.004 * (1 - double(step) / kSteps), 1);
    if (step % 200 == 0) std::fprintf(stderr, "step %4td   loss %.2f\n", step, sums.loss / double(sums.rows));
  }
}

// The likeliest word for each row that has a target.
std::vector<int> guesses(MaskedModel& model, const CoveredBatch& batch) {
  const Tensor logits = output_projection_forward(model.forward(batch.tokens), model.embedding);
  const TopK likeliest = top_k(logits, 0, 1);
  std::vector<int> best;
  for (std::size_t row = 0; row < batch.targets.size(); ++row)
    if (batch.targets[row] != kNoTarget) best.push_back(likeliest.columns[row]);
  return best;
}

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::stoull(argv[1]) : 1;
  const ToyCorpus corpus = generate_toy_corpus(seed, 10000, 0, 500);
  Words words;
  Sentences train_text, test_text;
  for (const ToyPair& pair : corpus.train) train_text.push_back(words.read(pair.source));
  for (const ToyPair& pair : corpus.test) test_text.push_back(words.read(pair.source));
  Random random(random_stream(seed, 0, 1));
  const CoveredBatch test(test_text, random);

  std::puts("covered words of 500 held-out sentences, guessed rightly");
  std::vector<std::vector<int>> guessed;
  for (const bool both_sides : {false, true}) {
    MaskedModel model(both_sides, words.spellings.size());
    train(model, train_text, seed);
    guessed.push_back(guesses(model, test));
    int right = 0;
    for (std::size_t i = 0; i < test.words.size(); ++i) right += guessed.back()[i] == test.words[i];
    std::printf("  %-18s%5.1f %%\n", both_sides ? "by both sides" : "by the left side", right / 5.0);
  }
  std::puts("\nthe sentence, its covered word, and the guesses by the left side and by both");
  for (std::size_t i = 0; i < 6; ++i) {
    std::string line;
    for (Index j = 0; j < test.tokens.lengths[i]; ++j)
      line += words.spellings[test.tokens.ids[i * test.tokens.len + j]] + " ";
    std::printf("  %-62s%-10s%-10s%s\n", line.c_str(), words.spellings[test.words[i]].c_str(),
                words.spellings[guessed[0][i]].c_str(), words.spellings[guessed[1][i]].c_str());
  }
}
