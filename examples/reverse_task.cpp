// Section 5, Training (docs/5-training.md)
//
// A Transformer learns to write words backwards, trained by the library's own loop. The words are random
// letters, so the model cannot memorize them: the decoder must look up each letter in the source.
//
//   cmake --preset toy && cmake --build build/toy --target reverse_task && build/toy/examples/reverse_task
//   [seed]
#include <plainformer/decoding/cached_decoder.h>
#include <plainformer/training/training_loop.h>

#include <cstdio>
#include <set>
#include <string>

using namespace plainformer;
using Word = std::vector<int>;  // token ids: the letters follow the special symbols <pad>, <s>, </s>, <unk>

constexpr Index kShortest = 4, kLongest = 8, kLetters = 26;
constexpr Index kBatch = 64, kSteps = 1000, kHeldOut = 1000;

Word random_word(Random& random) {
  Word word(kShortest + random.below(kLongest - kShortest + 1));
  for (int& token : word) token = kSpecialSymbols + static_cast<int>(random.below(kLetters));
  return word;
}

Word reversed(const Word& word) {
  return {word.rbegin(), word.rend()};
}

std::string letters(const Word& word) {
  std::string text;
  for (const int token : word) text += static_cast<char>('a' + token - kSpecialSymbols);
  return text;
}

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::stoull(argv[1]) : 1;
  Random random(random_stream(seed, 0, 0));
  std::set<Word> held_out;  // for the test: training never sees them
  while (std::ssize(held_out) < kHeldOut) held_out.insert(random_word(random));

  Transformer model({.d_model = 32,
                     .d_ff = 64,
                     .heads = 4,
                     .encoder_layers = 2,
                     .decoder_layers = 2,
                     .vocab = kSpecialSymbols + kLetters,
                     .max_length = kLongest + 1},
                    seed);
  const TrainingOptions options = {
      .dropout = 0, .learning_rate = {.d_model = 32, .warmup_steps = 100, .scale = 0.25}, .steps = kSteps};
  Adam adam(model.parameters(), options.adam);
  TrainingProgress progress;

  BatchSource source;
  source.begin_epoch = [](Index) { return kSteps; };  // one epoch, in which each batch is new
  source.batch = [&](Index) {
    std::vector<Word> words, answers;
    while (std::ssize(words) < kBatch) {
      const Word word = random_word(random);
      if (held_out.contains(word)) continue;
      words.push_back(word);
      answers.push_back(reversed(word));
    }
    return TranslationBatch::from(words, answers);
  };

  TrainingHooks hooks;
  hooks.after_step = [&](const StepReport& step) {
    if (adam.steps() % 100 == 0)
      std::fprintf(stderr, "step %4td   log p %.3f\n", adam.steps(), step.log_probability);
  };
  train(model, adam, progress, options, source, hooks);

  const std::vector<Word> words(held_out.begin(), held_out.end());
  const std::vector<Hypothesis> answers = greedy_search(model, words, SearchLimits{});
  std::printf("word      the model writes\n");
  Index right = 0;
  for (Index i = 0; i < kHeldOut; ++i) {
    const bool is_right = answers[i].tokens == reversed(words[i]);
    right += is_right;
    if (i % 100 == 0)
      std::printf("%-8s  %-8s  %s\n", letters(words[i]).c_str(), letters(answers[i].tokens).c_str(),
                  is_right ? "right" : "wrong");
  }
  std::printf("exact match on %td held-out words: %.1f %%\n", kHeldOut, 100.0 * right / kHeldOut);
}
