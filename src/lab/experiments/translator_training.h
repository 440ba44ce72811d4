// Paper: 1 Introduction, measured: the Transformer and the translators that it replaced, with and without attention,
// trained by the same loop on the same sentences of the built-in grammar.
#pragma once

#include <functional>
#include <variant>

#include "beyond/chain_translator.h"
#include "beyond/recurrent_translator.h"
#include "runs/corpora.h"
#include "runs/training_batches.h"
#include "transformer/transformer.h"

namespace plainformer {

enum class TranslatorKind { kTransformer, kRecurrent, kChain };
// In the order of the kinds.
using AnyTranslator = std::variant<Transformer, RecurrentTranslator, ChainTranslator>;

const char* name_of(TranslatorKind kind);  // "chain with attention"

struct TranslatorTextOptions {
  Index seed = 1;                       // of the text, the weights, the order of the batches and dropout
  double learning_rate = 0.003;         // the largest, after the warm-up
  Index pairs = 40000, held_out = 500;  // to train on, and to translate
};

// The built-in text for one seed.
struct TranslatorText {
  TrainSettings settings;  // of the preset toy
  Corpora text;
  EncodedCorpora corpora;
  TranslationTask test;
};

// Prints the progress of byte pair learning on stderr.
TranslatorText translator_text(const TranslatorTextOptions& options);

struct TranslatorResult {
  double bleu = 0;           // 0 to 100
  std::vector<bool> right;   // of each sentence of the test: is it the reference, word for word?
  double seconds = 0;        // of the processor, for training so far, without tests
  double multiply_adds = 0;  // of a training step, on average so far
};

class TranslatorTraining {
 public:
  // The model of preset toy, or a recurrent one with about as many weights. Keeps a reference to the text.
  TranslatorTraining(TranslatorKind kind, TranslatorText& text);

  // Goes on until so many steps are made. Calls after_step after each.
  void train_until(Index steps, const std::function<void()>& after_step);

  // Translates the test greedily.
  TranslatorResult test() const;

  Index weights();

 private:
  TranslatorText& text_;
  TrainingOptions options_;
  AnyTranslator model_;
  Adam adam_;
  TrainingProgress progress_ = {};
  TrainingBatches batches_;
  double seconds_ = 0, multiply_adds_ = 0;
};

// How many multiplying operations the forward pass of a pair makes, each of which waits for the one before it: a pair
// of sentences of `len` tokens, both with one special symbol. Parallel ones count, too (the three projections of
// attention, the two directions of the recurrent encoder), so the number says how it grows.
std::int64_t waiting_operations(TranslatorKind kind, Index len);

}  // namespace plainformer
