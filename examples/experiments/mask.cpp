// Section 3.2.3, Applications of Attention in our Model (docs/3.2.3-applications-of-attention.md)
//
// "We need to prevent leftward information flow in the decoder to preserve the auto-regressive property." The model
// learns to write words backwards, with the causal mask and without it, and then writes words that it has not seen,
// again with the mask and without it. Training without the mask has the better loss and learns to copy the answer.
// Writing without it goes wrong from two layers on: the second reads what the first has made of later positions.
//
//   cmake --preset toy && cmake --build build/toy --target mask && build/toy/examples/experiments/mask
#include <plainformer/core/random.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/reductions.h>
#include <plainformer/report/command_line.h>
#include <plainformer/transformer/transformer.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

using namespace plainformer;
using Word = std::vector<int>;  // token ids: 26 letters follow the special symbols

constexpr Index kShortest = 4, kLongest = 8, kLetters = 26, kModel = 32;

Word random_word(Random& random) {
  Word word(kShortest + random.below(kLongest - kShortest + 1));
  for (int& token : word) token = kSpecialSymbols + int(random.below(kLetters));
  return word;
}

Word reversed(const Word& word) {
  return {word.rbegin(), word.rend()};
}

// The decoder's output, with the causal mask or without it. Transformer::forward always has it, so this calls the parts.
struct Passes {
  Transformer& model;
  bool causal;
  Transformer::InputCache source_input = {}, target_input = {};
  Encoder::Cache encoder = {};
  Decoder::Cache decoder = {};

  Tensor forward(const TokenBatch& source, const TokenBatch& target) {
    const AttentionMask source_mask = {.key_lengths = source.lengths, .causal = false};
    const AttentionMask target_mask = {.key_lengths = target.lengths, .causal = causal};
    const DropoutState none;
    const Tensor x = model.input_forward(source, random_site::kSourceInput, none, source_input);
    const Tensor memory = model.encoder.forward(x, source_mask, none, encoder);
    const Tensor y = model.input_forward(target, random_site::kTargetInput, none, target_input);
    return model.decoder.forward(y, memory, target_mask, source_mask, none, decoder);
  }

  void backward(const Tensor& grad_output) {
    const auto grad = model.decoder.backward(grad_output, decoder);
    model.input_backward(grad.x, random_site::kTargetInput, target_input);
    model.input_backward(model.encoder.backward(grad.memory, encoder), random_site::kSourceInput,
                         source_input);
  }
};

// Trains with or without the mask. Returns the mean loss of the last 50 steps, per letter.
double train(Transformer& model, bool causal, const std::set<Word>& held_out, Index steps,
             std::uint64_t seed) {
  const ParameterList parameters = model.parameters();
  Adam adam(parameters, {});
  Random random(random_stream(seed, 1, 0));
  double last = 0;
  for (Index step = 0; step < steps; ++step) {
    std::vector<Word> words, answers;
    while (std::ssize(words) < 64) {
      const Word word = random_word(random);
      if (held_out.contains(word)) continue;
      words.push_back(word);
      answers.push_back(reversed(word));
    }
    const TranslationBatch batch = TranslationBatch::from(words, answers);
    zero_gradients(parameters);
    Passes passes = {.model = model, .causal = causal};
    Tensor grad, output = passes.forward(batch.source, batch.target_input);
    const CrossEntropy loss =
        model.loss_forward_backward(Real(1) / batch.target_tokens(), output, batch, /*smoothing=*/0, grad);
    passes.backward(grad);
    adam.step(parameters, 0.004 * std::min({1.0, (step + 1) / 100.0, 2 - 2.0 * step / steps}),
              /*grad_scale=*/1);
    if (step >= steps - 50) last += loss.loss / loss.rows / 50;
  }
  return last;
}

// The share of words that greedy search writes rightly. All positions are computed again for each new letter.
double right_answers(Transformer& model, bool causal, const std::set<Word>& words) {
  const std::vector<Word> sources = with_end({words.begin(), words.end()});
  std::vector<Word> written(sources.size(), Word{kStartId});
  for (Index length = 0; length <= kLongest; ++length) {
    Passes passes = {.model = model, .causal = causal};
    const Tensor output = passes.forward(TokenBatch::from(sources), TokenBatch::from(written));
    const Tensor logits = output_projection_forward(output, model.embedding);  // [words, length + 1, vocab]
    const TopK likeliest = top_k(logits, 0, 1);
    for (Index w = 0; w < std::ssize(written); ++w)
      written[w].push_back(likeliest.columns[w * (length + 1) + length]);
  }
  double right = 0;
  auto word = words.begin();
  for (Word& each : written) {
    each.erase(std::find(each.begin(), each.end(), kEndId), each.end());
    right += Word(each.begin() + 1, each.end()) == reversed(*word++);
  }
  return 100 * right / words.size();
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 3};
  if (const auto exit_code = options.read("mask", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  std::puts(csv ? "trained,decoder_layers,loss,right_with,right_without"
                : "trained  decoder layers   loss  written with the mask  without it");
  for (const bool causal : {true, false})
    for (Index layers = 1; layers <= (quick ? 2 : 3); ++layers) {
      double loss = 0, with = 0, without = 0;  // the means of the seeds
      for (Index seed = 1; seed <= seeds; ++seed) {
        Random random(random_stream(seed, 0, 1));
        std::set<Word> held_out;
        while (std::ssize(held_out) < 500) held_out.insert(random_word(random));
        Transformer model({.d_model = kModel,
                           .d_ff = 2 * kModel,
                           .heads = 4,
                           .encoder_layers = 1,
                           .decoder_layers = layers,
                           .vocab = kSpecialSymbols + kLetters,
                           .max_length = kLongest + 2},
                          seed);
        loss += train(model, causal, held_out, quick ? 500 : 1000, seed) / seeds;
        with += right_answers(model, true, held_out) / seeds;
        without += right_answers(model, false, held_out) / seeds;
        std::fprintf(stderr, "%s the mask, %td layers, seed %td: done\n", causal ? "with" : "without", layers,
                     seed);
      }
      std::printf(csv ? "%s,%td,%.4f,%.2f,%.2f\n" : "%-8s%15td%7.3f%21.1f %%%10.1f %%\n",
                  causal ? "with" : "without", layers, loss, with, without);
    }
}
