#include "app/train/training_data.h"

#include <algorithm>
#include <iostream>

#include "decoding/encoded_sources.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

ParallelCorpus corpus_of(const std::vector<ToyPair>& pairs) {
  std::vector<std::string> source, target;
  for (const ToyPair& pair : pairs) {
    source.push_back(pair.source);
    target.push_back(pair.target);
  }
  return ParallelCorpus::from_lines(std::move(source), std::move(target), "the built-in grammar");
}

void warn(const char* name, const ParallelCorpus::Dropped& dropped, const std::string& reason) {
  if (dropped.pairs == 0) return;
  std::cerr << name << ": " << dropped.pairs << (dropped.pairs == 1 ? " pair is" : " pairs are")
            << " left out, " << reason << " (the first in line " << dropped.first_line << ")\n";
}

BytePairEncoding learn_byte_pairs(const ParallelCorpus& corpus, Index merges) {
  ProgressBar bar(std::cerr, is_terminal(2), merges, {.unit = "merge", .color = color_allowed(2)});
  return BytePairEncoding::learn(corpus.word_counts(), merges, [&](Index done, Index) { bar.update(done); });
}

std::vector<SentencePair> encode(const ParallelCorpus& corpus, const char* name, Index max_tokens,
                                 TrainingData& data) {
  if (corpus.pairs().empty()) return {};
  ParallelCorpus::Report report;
  std::vector<SentencePair> pairs = corpus.encode(data.byte_pairs, data.vocabulary, max_tokens, report);
  warn(name, report.empty, "one side is empty");
  warn(name, report.too_long, "one side has more than " + std::to_string(max_tokens) + " tokens");
  return pairs;
}

TranslationTask translation_task(const ParallelCorpus& corpus, Index pairs, Index longest,
                                 TrainingData& data) {
  TranslationTask task;
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    if (std::ssize(task.sources) >= pairs) break;
    task.sources.push_back(data.vocabulary.encode(data.byte_pairs.apply(pair.source)));
    if (std::ssize(task.sources.back()) > longest) task.sources.back().resize(longest);
    task.references.push_back(pair.target);
  }
  return task;
}

}  // namespace

TrainingText load_training_text(const TrainSettings& settings) {
  if (settings.uses_toy_grammar()) {
    ToyCorpus corpus =
        generate_toy_corpus(settings.training.seed, settings.toy_pairs, kToyHeldOut, kToyHeldOut);
    return {
        .train = corpus_of(corpus.train), .valid = corpus_of(corpus.valid), .test = std::move(corpus.test)};
  }
  TrainingText text;
  text.train = ParallelCorpus::load(settings.source, settings.target);
  if (!settings.valid_source.empty()) {
    text.valid = ParallelCorpus::load(settings.valid_source, settings.valid_target);
  }
  return text;
}

TrainingData prepare_training_data(const TrainSettings& settings, const ModelFolder& folder,
                                   const TrainingText& text) {
  TrainingData data;
  if (settings.resume) {
    data.byte_pairs = BytePairEncoding::load(folder.codes());
    data.vocabulary = Vocabulary::load(folder.vocabulary());
  } else {
    data.byte_pairs = learn_byte_pairs(text.train, settings.merges);
    data.vocabulary = text.train.build_vocabulary(data.byte_pairs);
  }
  const Index longest = longest_source(settings.model);
  data.train = encode(text.train, "training text", std::min(settings.max_tokens, longest), data);
  data.valid = encode(text.valid, "validation text", longest, data);
  data.valid_bleu = translation_task(text.valid, settings.valid_bleu, longest, data);
  return data;
}

TranslationBatch batch_of(const std::vector<SentencePair>& pairs, const std::vector<Index>& numbers) {
  std::vector<std::vector<int>> sources, targets;
  for (const Index number : numbers) {
    sources.push_back(pairs[number].source);
    targets.push_back(pairs[number].target);
  }
  return TranslationBatch::from(sources, targets);
}

}  // namespace plainformer
