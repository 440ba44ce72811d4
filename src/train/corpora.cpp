#include "train/corpora.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "core/input_error.h"
#include "core/special_symbols.h"
#include "core/strings.h"
#include "data/unicode.h"
#include "decoding/beam_search.h"
#include "model_folder/translator.h"
#include "parsing/linear_tree.h"
#include "parsing/tree.h"
#include "platform/platform.h"
#include "report/numbers.h"
#include "report/progress_bar.h"
#include "report/terminal.h"
#include "train/text_report.h"

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

// Sentences, and the linear forms of their trees.
ParallelCorpus corpus_of_trees(const std::string& path) {
  std::ifstream file = open_text_file(path);
  TreeReader reader(file, path);
  std::vector<std::string> source, target;
  std::vector<Index> lines;
  bool has_words = false;
  for (Tree tree; reader.next(tree);) {
    lines.push_back(reader.first_line());
    tree = without_traces_and_function_tags(tree);
    source.push_back(sentence_of(tree));
    target.push_back(source.back().empty() ? "" : linearize(tree));
    has_words = has_words || !source.back().empty();
  }
  if (!has_words) throw input_error(path, "there are no trees with words", "is this a treebank?");
  return ParallelCorpus::from_lines(std::move(source), std::move(target), path, lines);
}

std::vector<SentencePair> encode(const ParallelCorpus& corpus, const char* name, Index max_tokens,
                                 EncodedCorpora& encoded) {
  if (corpus.pairs().empty()) return {};
  ParallelCorpus::Report report;
  std::vector<SentencePair> pairs = corpus.encode(encoded.byte_pairs, encoded.vocabulary, max_tokens, report);
  warn_of_left_out(name, report.empty, "one side is empty");
  warn_of_left_out(name, report.too_long, "one side has more than " + std::to_string(max_tokens) + " tokens");
  return pairs;
}

// 13a, or char where most characters are of a writing system that puts no blank between words: for 13a each
// of its sentences would be one word.
BleuTokenization tokens_to_count(const std::vector<std::string>& references) {
  Index characters = 0, unspaced = 0;
  for (const std::string& line : references) {
    for (const Character& c : characters_in(line)) {
      ++characters;
      if (unicode::class_of(c.value) == unicode::CharacterClass::kUnspaced) ++unspaced;
    }
  }
  return 2 * unspaced > characters ? BleuTokenization::kChar : BleuTokenization::k13a;
}

}  // namespace

Corpora load_corpora(const Settings& settings) {
  if (settings.uses_toy_grammar()) {
    ToyCorpus toy = generate_toy_corpus(settings.training.seed, settings.toy_pairs, settings.toy_held_out,
                                        settings.toy_held_out);
    return {.train = corpus_of(toy.train), .valid = corpus_of(toy.valid), .test = std::move(toy.test)};
  }
  Corpora corpora;
  if (!settings.treebank.empty()) {
    corpora.train = corpus_of_trees(settings.treebank);
    if (!settings.valid_treebank.empty()) corpora.valid = corpus_of_trees(settings.valid_treebank);
    return corpora;
  }
  corpora.train = ParallelCorpus::load(settings.text, settings.word_rule());
  if (!settings.valid_text.empty())
    corpora.valid = ParallelCorpus::load(settings.valid_text, settings.word_rule());
  const Index pairs = std::ssize(corpora.train.pairs()), held_out = settings.pairs_to_hold_out(pairs);
  if (held_out >= pairs) {
    throw input_error("--hold-out",
                      std::to_string(held_out) + " of " + count_of(pairs, "pair") + " leaves none",
                      "train on most of them");
  }
  if (held_out > 0) corpora.valid = corpora.train.hold_out(held_out);
  return corpora;
}

TranslationTask translation_task(const Settings& settings, const ParallelCorpus& corpus, Index pairs,
                                 BytePairEncoding& byte_pairs, const Vocabulary& vocabulary) {
  SourceReader reader(byte_pairs, vocabulary, settings.word_rule(), longest_source(settings.model));
  TranslationTask task;
  task.words = settings.word_rule();
  if (!settings.treebank.empty()) task.limits = {.extra_length = kLinearTreeExtraLength};
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    if (std::ssize(task.sources) >= pairs) break;
    task.texts.push_back(pair.source);
    task.references.push_back(pair.target);
    task.sources.push_back(reader.read(pair.source).ids);
  }
  task.tokens = tokens_to_count(task.references);
  return task;
}

Index longest_in_training(const Settings& settings) {
  return std::min(settings.max_tokens, longest_source(settings.model));
}

BytePairEncoding learn_byte_pairs(const WordCounts& counts, Index merges) {
  ProgressBar bar(std::cerr, understands_escapes(2), merges, {.unit = "merge"});
  BytePairEncoding learned =
      BytePairEncoding::learn(counts, merges, [&](Index done, Index) { bar.update(done); });
  bar.finish();
  if (learned.merges() == 0)
    std::cerr << "no merges: every piece is a single character"
              << (merges > 0 ? ", because no two neighbors occur twice" : "") << "\n";
  else if (learned.merges() < merges)
    std::cerr << learned.merges() << " of " << merges
              << " merges were found, because no other pair occurs twice\n";
  return learned;
}

EncodedCorpora encode_corpora(const Settings& settings, const ModelFolder& folder, const Corpora& corpora) {
  EncodedCorpora encoded;
  encoded.words = settings.word_rule();
  if (settings.resume || !settings.from.empty()) {
    const ModelFolder model = settings.resume ? folder : ModelFolder(settings.from);
    encoded.byte_pairs = BytePairEncoding::load(model.codes());
    encoded.vocabulary = Vocabulary::load(model.vocabulary());
    if (!settings.resume)
      check_known_pieces(corpora.train, settings.from, encoded.byte_pairs, encoded.vocabulary);
  } else {
    encoded.byte_pairs = learn_byte_pairs(corpora.train.word_counts(), settings.merges);
    encoded.vocabulary = corpora.train.build_vocabulary(encoded.byte_pairs);
  }
  encoded.train = encode(corpora.train, "training text", longest_in_training(settings), encoded);
  encoded.valid = encode(corpora.valid, "validation text", longest_source(settings.model), encoded);
  encoded.valid_task =
      translation_task(settings, corpora.valid, std::max(settings.valid_bleu, settings.samples),
                       encoded.byte_pairs, encoded.vocabulary);
  return encoded;
}

}  // namespace plainformer
