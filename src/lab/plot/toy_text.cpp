#include "lab/plot/toy_text.h"

#include "data/parallel_corpus.h"
#include "data/toy/toy_grammar.h"
#include "runs/train_settings.h"

namespace plainformer {

ToyText toy_text(Index pairs) {
  const TrainSettings settings = preset_settings("toy");
  std::vector<std::string> sources, targets;
  for (ToyPair& pair : generate_toy_corpus(settings.training.seed, pairs, 0, 0).train) {
    sources.push_back(std::move(pair.source));
    targets.push_back(std::move(pair.target));
  }
  const ParallelCorpus corpus =
      ParallelCorpus::from_lines(std::move(sources), std::move(targets), "the built-in grammar");
  BytePairEncoding byte_pairs =
      BytePairEncoding::learn(corpus.word_counts(), settings.merges, [](Index, Index) {});
  const Vocabulary vocabulary = corpus.build_vocabulary(byte_pairs);
  ParallelCorpus::Report report;
  return {.pairs = corpus.encode(byte_pairs, vocabulary, settings.max_tokens, report),
          .vocab = vocabulary.size(),
          .codes = byte_pairs.to_text()};
}

}  // namespace plainformer
