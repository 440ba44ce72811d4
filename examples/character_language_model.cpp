// Section 7, Conclusion (docs/7-conclusion.md)
//
// A decoder-only language model of characters: encoder layers with a causal mask, so that all positions learn
// at once to predict the next character. Its rival counts. The text comes from the built-in grammar.
//
//   cmake --preset toy && cmake --build build/toy --target character_language_model
//   build/toy/examples/character_language_model [seed]
#include <plainformer/data/toy/toy_grammar.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/reductions.h>
#include <plainformer/transformer/token_batch.h>
#include <plainformer/transformer/transformer.h>

#include <cmath>
#include <cstdio>
#include <unordered_map>

using namespace plainformer;
using Text = std::vector<std::string>;                     // sentences
constexpr Index kVocab = kSpecialSymbols + 'z' - ' ' + 1;  // the special symbols, then ASCII from ' ' to 'z'
constexpr Index kLongest = 120, kBatch = 8, kSteps = 2000;
constexpr Index kCounted = 7;  // the rival looks at most this many characters back

struct LanguageModel {
  ModelConfig config = {.d_model = 48, .d_ff = 192, .heads = 4, .encoder_layers = 3};
  Parameter embedding{Tensor::zeros({kVocab, config.d_model})};
  PositionalEncoding positions{kLongest, config.d_model};
  Encoder layers{config, 0};
  Encoder::Cache cache;

  Tensor forward(const TokenBatch& tokens) {  // -> [batch, len, d_model]
    const Tensor x = positions.forward(embedding_forward(tokens, embedding));
    return layers.forward(x, {.key_lengths = tokens.lengths, .causal = true}, DropoutState{}, cache);
  }
};

// A row for each sentence. The model reads target_input, <s> and the sentence, and predicts target_output.
TranslationBatch batch_of(const Text& sentences) {
  std::vector<std::vector<int>> ids(sentences.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (const char c : sentences[i]) ids[i].push_back(kSpecialSymbols + c - ' ');
  return TranslationBatch::from(ids, ids);
}

void train(LanguageModel& model, const Text& text, Random& random, std::uint64_t seed) {
  ParameterList parameters = {{"embedding", &model.embedding}};
  model.layers.append_parameters("layers", parameters);
  initialize(parameters, seed, {token_table(model.embedding)});
  Adam adam(parameters, {});
  for (Index step = 1; step <= kSteps; ++step) {
    Text sentences;
    while (std::ssize(sentences) < kBatch) sentences.push_back(random.any_of(text));
    const TranslationBatch batch = batch_of(sentences);

    zero_gradients(parameters);
    const Tensor output = model.forward(batch.target_input);
    Tensor grad;
    const CrossEntropy sums = projected_cross_entropy_forward_backward(
        Real(1) / batch.target_tokens(), output, model.embedding, batch.targets(), 0, grad);
    const Tensor grad_x = model.layers.backward(grad, model.cache);
    embedding_backward(grad_x, batch.target_input, model.embedding);
    adam.step(parameters, 0.005 * (1 - 1.0 * step / kSteps), 1);
    if (step % 200 == 0) std::fprintf(stderr, "step %4td   loss %.2f\n", step, sums.loss / sums.rows);
  }
}

// Draws a token from the probabilities exp(logits(row, id) - log_sum).
int draw(const Tensor& logits, Index row, double log_sum, Random& random) {
  double left = random.uniform();
  for (int id = 0; id < kVocab - 1; ++id) {
    left -= std::exp(logits(row, id) - log_sum);
    if (left < 0) return id;
  }
  return kVocab - 1;
}

// Draws one character after another from the model's probabilities.
std::string sample(LanguageModel& model, Random& random) {
  std::string sentence;
  while (std::ssize(sentence) < kLongest - 1) {
    const Tensor output = model.forward(batch_of({sentence}).target_input);
    const Tensor logits = output_projection_forward(output, model.embedding);
    const Index last = std::ssize(sentence);
    const int id = draw(logits, last, log_sum_exp(logits)(last), random);
    if (id < kSpecialSymbols) break;  // </s>
    sentence += static_cast<char>(' ' + id - kSpecialSymbols);
  }
  return sentence;
}

// The rival. P(c | the last n) = (count of c after them + P(c | the last n - 1)) / (count of them + 1).
std::vector<double> bits_by_counting(const Text& train_text, const Text& test_text) {
  std::unordered_map<std::string, int> contexts, continued;
  std::vector<double> bits(kCounted + 1);
  const auto read = [&](const std::string& sentence, bool is_test) {
    const std::string line = std::string(kCounted, '\n') + sentence + '\n';
    for (Index end = kCounted; end < std::ssize(line); ++end) {  // c is line[end]
      double p = 1.0 / kVocab;
      for (Index n = 0; n <= kCounted; ++n) {
        int& all = contexts[line.substr(end - n, n)];
        int& with_c = continued[line.substr(end - n, n + 1)];
        p = (with_c + p) / (all + 1);
        if (is_test) {
          bits[n] -= std::log2(p);
        } else {
          ++all;
          ++with_c;
        }
      }
    }
  };
  for (const std::string& sentence : train_text) read(sentence, false);
  for (const std::string& sentence : test_text) read(sentence, true);
  return bits;
}

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::stoull(argv[1]) : 1;
  const ToyCorpus corpus = generate_toy_corpus(seed, 10000, 0, 500);
  Text train_text, test_text;
  for (const ToyPair& pair : corpus.train) train_text.push_back(pair.source);
  for (const ToyPair& pair : corpus.test) test_text.push_back(pair.source);

  Random random(random_stream(seed, 0, 0));
  LanguageModel model;
  train(model, train_text, random, seed);

  const TranslationBatch batch = batch_of(test_text);
  const CrossEntropy sums =
      projected_cross_entropy_forward(model.forward(batch.target_input), model.embedding, batch.targets(), 0);
  const std::vector<double> counted = bits_by_counting(train_text, test_text);
  std::printf("bits per character of %td held-out sentences\n", std::ssize(test_text));
  for (Index n = 0; n <= kCounted; ++n)
    std::printf("  counting, %td characters back   %.3f\n", n, counted[n] / sums.rows);
  std::printf("  the model, the whole sentence  %.3f\n", sums.loss / sums.rows / std::log(2.0));
  for (int i = 0; i < 8; ++i) std::printf("the model writes: %s\n", sample(model, random).c_str());
}
