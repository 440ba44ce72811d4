#include "data/parallel_corpus.h"

#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "core/random_streams.h"
#include "data/text.h"

namespace plainformer {

namespace {

void count_dropped(ParallelCorpus::Dropped& dropped, Index line) {
  if (dropped.pairs == 0) dropped.first = line;
  ++dropped.pairs;
}

bool is_too_long(const SentencePair& pair, Index max_length) {
  return std::ssize(pair.source) > max_length || std::ssize(pair.target) > max_length;
}

std::vector<std::string> read_lines_of_corpus(const std::string& path) {
  std::vector<std::string> lines = read_lines(path);
  if (lines.empty()) throw input_error(path, "is empty", "write one sentence a line");
  return lines;
}

}  // namespace

ParallelCorpus ParallelCorpus::load(const std::string& source_path, const std::string& target_path) {
  std::vector<std::string> source = read_lines_of_corpus(source_path);
  std::vector<std::string> target = read_lines_of_corpus(target_path);
  if (source.size() != target.size()) {
    throw input_error(source_path,
                      "has " + std::to_string(source.size()) + " lines, but " + target_path + " has " +
                          std::to_string(target.size()),
                      "line i of one file must be the translation of line i of the other");
  }
  return from_lines(std::move(source), std::move(target), source_path);
}

ParallelCorpus ParallelCorpus::from_lines(std::vector<std::string> source, std::vector<std::string> target,
                                          const std::string& name) {
  CHECK(source.size() == target.size(), source.size(), " and ", target.size(), " lines");
  ParallelCorpus corpus;
  corpus.name_ = name;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Index line = static_cast<Index>(i) + 1;
    if (is_blank(source[i]) || is_blank(target[i])) {
      count_dropped(corpus.report_.empty, line);
    } else {
      corpus.pairs_.push_back({line, std::move(source[i]), std::move(target[i])});
    }
  }
  corpus.report_.kept = std::ssize(corpus.pairs_);
  if (corpus.pairs_.empty()) {
    throw input_error(corpus.name_, "has no line with text on both sides",
                      "write one sentence a line in both files");
  }
  return corpus;
}

WordCounts ParallelCorpus::word_counts() const {
  WordCounts counts;
  for (const LinePair& pair : pairs_) {
    count_words(pair.source, counts);
    count_words(pair.target, counts);
  }
  return counts;
}

Vocabulary ParallelCorpus::build_vocabulary(BytePairEncoding& encoding) const {
  return vocabulary_of({}, encoding);
}

Vocabulary ParallelCorpus::build_vocabulary_for_sampling(BytePairEncoding& encoding) const {
  Vocabulary::TokenCounts counts;
  for (const std::string& piece : encoding.pieces()) counts[piece] = 0;
  return vocabulary_of(std::move(counts), encoding);
}

Vocabulary ParallelCorpus::vocabulary_of(Vocabulary::TokenCounts counts, BytePairEncoding& encoding) const {
  for (const LinePair& pair : pairs_) {
    for (const std::string& piece : encoding.apply(pair.source)) ++counts[piece];
    for (const std::string& piece : encoding.apply(pair.target)) ++counts[piece];
  }
  Vocabulary vocabulary = Vocabulary::from_counts(counts);
  if (vocabulary.size() > Vocabulary::kMaxTokens) {
    throw input_error(name_,
                      "has " + std::to_string(vocabulary.size()) + " different pieces, more than " +
                          std::to_string(Vocabulary::kMaxTokens),
                      "is it text?");
  }
  return vocabulary;
}

std::vector<SentencePair> ParallelCorpus::encode(BytePairEncoding& encoding, const Vocabulary& vocabulary,
                                                 Index max_length, Report& report) const {
  std::vector<SentencePair> sentences;
  report = report_;
  for (const LinePair& pair : pairs_) {
    SentencePair sentence{.source = vocabulary.encode(encoding.apply(pair.source)),
                          .target = vocabulary.encode(encoding.apply(pair.target))};
    if (is_too_long(sentence, max_length)) {
      count_dropped(report.too_long, pair.line);
    } else {
      sentences.push_back(std::move(sentence));
    }
  }
  report.kept = std::ssize(sentences);
  if (sentences.empty()) {
    throw input_error(name_, "has no pair of at most " + std::to_string(max_length) + " tokens on each side",
                      "cut the text into sentences or raise the maximum length");
  }
  return sentences;
}

std::vector<SentencePair> ParallelCorpus::sample(const BytePairEncoding& encoding,
                                                 const Vocabulary& vocabulary, Index max_length,
                                                 double dropout, std::uint64_t seed,
                                                 std::uint64_t epoch) const {
  std::vector<SentencePair> sentences;
  for (std::size_t place = 0; place < pairs_.size();
       ++place) {  // among the pairs: empty lines change nothing
    const LinePair& pair = pairs_[place];
    const auto cut = [&](double probability) -> SentencePair {
      Random random(random_stream(seed, epoch, random_site::kFirstSampledPair + place));
      std::vector<int> source = vocabulary.encode(encoding.sample(pair.source, probability, random));
      return {.source = std::move(source),
              .target = vocabulary.encode(encoding.sample(pair.target, probability, random))};
    };
    SentencePair sentence = cut(dropout);
    if (is_too_long(sentence, max_length)) sentence = cut(0);
    if (!is_too_long(sentence, max_length)) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace plainformer
