// The text of a training run, what is odd about it, and its sentences as token ids.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "data/batching.h"
#include "data/odd_pairs.h"
#include "data/parallel_corpus.h"
#include "data/toy/toy_grammar.h"
#include "decoding/beam.h"
#include "evaluation/bleu.h"
#include "model_folder/model_folder.h"
#include "train/settings.h"

namespace plainformer {

struct Corpora {
  ParallelCorpus train;
  ParallelCorpus valid;       // may be empty
  std::vector<ToyPair> test;  // held-out pairs of the built-in grammar; empty for other text
};

// Reads the files that the settings name, or generates sentences of the built-in grammar. Without validation
// text, holds pairs of the training text out for it (settings.pairs_to_hold_out).
Corpora load_corpora(const Settings& settings);

// std::runtime_error, which names file and line, if words end at blanks alone and one of them cannot come
// back from the model, because it ends as a piece of byte pair encoding does.
void require_whole_words(const Settings& settings, const Corpora& corpora);

// Prints how many pairs are left out because one side is empty, if any are.
void report_empty_pairs(std::ostream& out, const std::string& name, const ParallelCorpus& corpus);

// Prints a line for each finding, with its first lines; in full: with up to fifty, and below it the two sides
// of its first pair. Returns how many findings there are.
Index report_findings(std::ostream& out, const std::string& name, const std::vector<Finding>& findings,
                      bool in_full = false);

// Prints a line about the pairs that are held out for validation, or about the lack of validation text; and
// the findings in the files. Prints nothing about the built-in grammar and about trees.
void report_text(const Settings& settings, const Corpora& corpora);

// Sentences to translate.
struct TranslationTask {
  std::vector<std::string> texts, references;  // as they were written
  std::vector<std::vector<int>> sources;  // cut to the longest that the model can read, as `translate` does
  BleuTokenization tokens = BleuTokenization::k13a;  // that BLEU counts
  SearchLimits limits = {};                          // linear trees are longer than translations (6.3)
};

struct EncodedCorpora : TextEncoding {
  std::vector<SentencePair> train, valid;
  // The first pairs of the validation text: settings.valid_bleu of them for BLEU, settings.samples to print.
  TranslationTask valid_task;
};

// The first pairs of a text, at most `pairs`. Where the references are written without blanks between words,
// as Chinese is, BLEU counts their characters.
TranslationTask translation_task(const Settings& settings, const ParallelCorpus& corpus, Index pairs,
                                 TextEncoding& encoding);

// Learns byte pair encoding with a progress bar on stderr, and says there if it finds fewer merges than
// asked.
BytePairEncoding learn_byte_pairs(const WordCounts& counts, Index merges, Index fewest = 2);

// Learns byte pair encoding and vocabulary from the training text; for a resumed run, or one that goes on
// from a model, reads them from its folder. A model to go on from must know most of the text. Then encodes
// the text, and reports on stderr the pairs that it leaves out.
EncodedCorpora encode_corpora(const Settings& settings, const ModelFolder& folder, const Corpora& corpora);

}  // namespace plainformer
