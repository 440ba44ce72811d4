// Section 3.5, Positional Encoding (docs/3.5-positional-encoding.md)
//
// "We chose the sinusoidal version because it may allow the model to extrapolate to sequence lengths longer than the
// ones encountered during training." The toy is trained on sentences of at most 10 words, with sines and with learned
// positions, and then asked for up to 14. A sentence is right if the most probable word is the right one at each of its
// positions: greedy search would then find it, too.
//
//   cmake --preset toy && cmake --build build/toy --target positions && build/toy/examples/experiments/positions
#include <plainformer/data/batching.h>
#include <plainformer/data/toy/toy_grammar.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/reductions.h>
#include <plainformer/report/command_line.h>
#include <plainformer/transformer/transformer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

using namespace plainformer;

constexpr Index kTrained = 10, kLongest = 14;  // words

struct Size {
  ModelConfig model;
  Index steps, batch_tokens, test_pairs;
};

struct Text {
  std::map<std::string, int> ids;  // each word is a token
  std::vector<SentencePair> train, test;

  std::vector<int> encode(const std::string& sentence) {
    std::vector<int> tokens;
    std::istringstream words(sentence);
    for (std::string word; words >> word;)
      tokens.push_back(ids.try_emplace(word, kSpecialSymbols + int(ids.size())).first->second);
    return tokens;
  }
};

// The words of the longer side.
Index length(const SentencePair& pair) {
  return std::ssize(pair.source.size() > pair.target.size() ? pair.source : pair.target);
}

Text toy_text(std::uint64_t seed, Index test_pairs) {
  Text text;
  const ToyCorpus toy = generate_toy_corpus(seed, /*train_pairs=*/40000, /*valid_pairs=*/0, test_pairs);
  for (const ToyPair& pair : toy.train)
    text.train.push_back({text.encode(pair.source), text.encode(pair.target)});
  for (const ToyPair& pair : toy.test)
    text.test.push_back({text.encode(pair.source), text.encode(pair.target)});
  std::erase_if(text.train, [](const SentencePair& pair) { return length(pair) > kTrained; });
  return text;
}

Transformer train(const Text& text, Positions positions, const Size& size, std::uint64_t seed) {
  ModelConfig config = size.model;
  config.positions = positions;
  config.vocab = kSpecialSymbols + std::ssize(text.ids);
  config.max_length = kLongest + 2;
  Transformer model(config, seed);
  const ParameterList parameters = model.parameters();
  Adam adam(parameters, {});
  std::vector<std::vector<Index>> batches;
  for (Index step = 1; step <= size.steps; ++step) {
    if (batches.empty()) batches = make_batches(text.train, size.batch_tokens, seed, /*epoch=*/step);
    const TranslationBatch batch = batch_of(text.train, batches.back());
    batches.pop_back();

    zero_gradients(parameters);
    Transformer::Cache cache;
    const DropoutState dropout = {.probability = Real(0.1), .seed = seed, .attempt = step};
    const Tensor output = model.forward(batch.source, batch.target_input, dropout, cache);
    Tensor grad_output;
    const CrossEntropy loss = model.loss_forward_backward(Real(1) / batch.target_tokens(), output, batch,
                                                          /*smoothing=*/0.1, grad_output);
    model.backward(grad_output, cache);
    const double warmup = 0.6 * size.steps;
    adam.step(parameters, 0.003 * std::min(step / warmup, std::sqrt(warmup / step)), /*grad_scale=*/1);
    if (step % 50 == 0)
      std::fprintf(stderr, "%s, seed %d, step %td: loss %.3f\n",
                   config.learns_positions() ? "learned" : "sines", int(seed), step, loss.loss / loss.rows);
  }
  return model;
}

// Sums over sentences of one length.
struct Score {
  double sentences = 0, right = 0, words = 0, loss = 0;
};
using Scores = std::array<Score, kLongest + 1>;

void test(const Transformer& model, const std::vector<SentencePair>& pairs, Scores& scores) {
  for (const SentencePair& pair : pairs) {
    const TranslationBatch batch = TranslationBatch::from({pair.source}, {pair.target});
    Transformer::Cache cache;
    const Tensor output = model.forward(batch.source, batch.target_input, DropoutState{}, cache);
    const Tensor logits = output_projection_forward(output, model.embedding);  // [1, len, vocab]
    const std::vector<int> targets = batch.targets();
    const CrossEntropy loss = cross_entropy_forward(logits, targets, /*smoothing=*/0);
    Score& score = scores[length(pair)];
    score.sentences += 1;
    score.right += top_k(logits, 0, 1).columns == targets;
    score.words += loss.rows;
    score.loss += loss.loss;
  }
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 3};
  if (const auto exit_code = options.read("positions", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  Size size = {.model = {.d_model = 128, .d_ff = 256, .heads = 4, .encoder_layers = 2, .decoder_layers = 2},
               .steps = 500,
               .batch_tokens = 2048,
               .test_pairs = 2000};
  if (quick)
    size = {.model = {.d_model = 64, .d_ff = 64, .heads = 4, .encoder_layers = 1, .decoder_layers = 1},
            .steps = 400,
            .batch_tokens = 1024,
            .test_pairs = 500};
  std::array<Scores, 2> scores = {};  // of sines and of learned positions
  for (Index seed = 1; seed <= seeds; ++seed) {
    const Text text = toy_text(seed, size.test_pairs);
    for (const Positions positions : {Positions::kSinusoidal, Positions::kLearned})
      test(train(text, positions, size, seed), text.test, scores[positions == Positions::kLearned]);
  }
  std::puts(csv ? "words,sentences,sines_right,sines_loss,learned_right,learned_loss"
                : "                    sines           learned\n"
                  "words  sentences  right %    loss  right %    loss");
  for (Index words = 8; words <= kLongest; ++words) {
    std::printf(csv ? "%td,%.0f" : "%5td%11.0f", words, scores[0][words].sentences);
    for (const Scores& each : scores)
      std::printf(csv ? ",%.2f,%.3f" : "%9.1f%8.2f", 100 * each[words].right / each[words].sentences,
                  each[words].loss / each[words].words);
    std::puts("");
  }
}
