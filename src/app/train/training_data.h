// From text to numbers: the corpora of a run, its byte pair encoding and its vocabulary.
#pragma once

#include <string>
#include <vector>

#include "app/model_folder/model_folder.h"
#include "app/train/train_settings.h"
#include "data/batching.h"
#include "data/parallel_corpus.h"
#include "data/toy/toy_grammar.h"
#include "transformer/translation_batch.h"

namespace plainformer {

struct TrainingText {
  ParallelCorpus train;
  ParallelCorpus valid;       // may be empty
  std::vector<ToyPair> test;  // held-out sentences of the built-in grammar, if that is trained on
};

// Reads the files that the settings name, or generates sentences.
TrainingText load_training_text(const TrainSettings& settings);

// Sentences to translate, for BLEU.
struct TranslationTask {
  std::vector<std::vector<int>> sources;  // cut to what the model can read, as `translate` does
  std::vector<std::string> references;    // as they were written
};

struct TrainingData {
  BytePairEncoding byte_pairs;
  Vocabulary vocabulary;
  std::vector<SentencePair> train, valid;
  TranslationTask valid_bleu;  // the first pairs of the validation text
};

// Learns byte pair encoding and vocabulary from the training text, or, when resuming, reads them from the
// folder; then encodes. What is left out is said on stderr.
TrainingData prepare_training_data(const TrainSettings& settings, const ModelFolder& folder,
                                   const TrainingText& text);

// The pairs of one batch (make_batches gives their numbers), padded.
TranslationBatch batch_of(const std::vector<SentencePair>& pairs, const std::vector<Index>& numbers);

}  // namespace plainformer
