#include "data/parallel_corpus.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "core/random.h"
#include "data/pair_file.h"
#include "data/text.h"
#include "data/vocabulary.h"

namespace plainformer {

namespace {

bool is_too_long(const SentencePair& pair, Index max_length) {
  return std::ssize(pair.source) > max_length || std::ssize(pair.target) > max_length;
}

std::vector<std::string> read_lines_of_corpus(const std::string& path) {
  std::vector<std::string> lines = read_lines(path);
  if (lines.empty()) throw input_error(path, "is empty", "write one sentence a line");
  return lines;
}

}  // namespace

void PairCount::add(const PairPlace& place) {
  constexpr std::size_t kPlaces = 3;
  if (first.size() < kPlaces) first.push_back(place);
  ++pairs;
}

ParallelCorpus ParallelCorpus::load(const CorpusFiles& files, const WordRule& words) {
  CHECK(files.source.size() == files.target.size(), files.source.size(), " and ", files.target.size(),
        " files");
  CHECK(!files.empty(), "no files");
  ParallelCorpus corpus;
  corpus.words_ = words;
  for (std::size_t i = 0; i < files.source.size(); ++i) corpus.add_files(files.source[i], files.target[i]);
  for (const std::string& path : files.pairs) corpus.add_pair_file(path, files.columns);
  corpus.finish_loading();
  return corpus;
}

ParallelCorpus ParallelCorpus::load(const std::string& source_path, const std::string& target_path,
                                    const WordRule& words) {
  return load(CorpusFiles{.source = {source_path}, .target = {target_path}, .pairs = {}}, words);
}

void ParallelCorpus::add_files(const std::string& source_path, const std::string& target_path) {
  std::vector<std::string> source = read_lines_of_corpus(source_path);
  std::vector<std::string> target = read_lines_of_corpus(target_path);
  if (source.size() != target.size()) {
    throw input_error(source_path,
                      "has " + std::to_string(source.size()) + " lines, but " + target_path + " has " +
                          std::to_string(target.size()),
                      "line i of one file must be the translation of line i of the other");
  }
  add_lines(std::move(source), std::move(target), source_path);
}

void ParallelCorpus::add_pair_file(const std::string& path, const PairColumns& columns) {
  const bool is_file = path != kStandardInput;
  PairLines lines = is_file ? read_pair_file(path, columns) : read_pairs_of_standard_input(columns);
  const std::string name = is_file ? path : kStandardInputName;
  for (const Index line : lines.open_quotes) report_.open_quotes.add({name, line});
  add_lines(std::move(lines.source), std::move(lines.target), name);
}

ParallelCorpus ParallelCorpus::from_lines(std::vector<std::string> source, std::vector<std::string> target,
                                          const std::string& name, const std::vector<Index>& lines) {
  CHECK(source.size() == target.size(), source.size(), " and ", target.size(), " lines");
  CHECK(lines.empty() || lines.size() == source.size(), lines.size(), " numbers of ", source.size(),
        " lines");
  ParallelCorpus corpus;
  corpus.add_lines(std::move(source), std::move(target), name, lines);
  corpus.finish_loading();
  return corpus;
}

void ParallelCorpus::add_lines(std::vector<std::string> source, std::vector<std::string> target,
                               const std::string& name, const std::vector<Index>& lines) {
  const Index file = std::ssize(files_);
  files_.push_back(name);
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Index line = lines.empty() ? static_cast<Index>(i) + 1 : lines[i];
    if (is_blank(source[i]) || is_blank(target[i])) {
      report_.empty.add({name, line});
    } else {
      pairs_.push_back({line, std::move(source[i]), std::move(target[i]), file});
    }
  }
}

void ParallelCorpus::finish_loading() {
  report_.kept = std::ssize(pairs_);
  if (pairs_.empty())
    throw input_error(name(), "has no line with text on both sides", "write a sentence and its translation");
}

ParallelCorpus ParallelCorpus::take_out(const std::vector<Index>& indices) {
  CHECK(std::ssize(indices) < std::ssize(pairs_), indices.size(), " of ", pairs_.size(), " pairs");
  ParallelCorpus taken;
  taken.files_ = files_;
  taken.words_ = words_;
  std::vector<LinePair> left;
  auto next = indices.begin();
  for (Index i = 0; i < std::ssize(pairs_); ++i) {
    const bool is_taken = next != indices.end() && *next == i;
    if (is_taken) ++next;
    (is_taken ? taken.pairs_ : left).push_back(std::move(pairs_[i]));
  }
  CHECK(next == indices.end(), "no pair has the index ", *next);
  pairs_ = std::move(left);
  report_.kept = std::ssize(pairs_);
  taken.report_.kept = std::ssize(taken.pairs_);
  return taken;
}

WordCounts ParallelCorpus::word_counts() const {
  WordCounts counts;
  for (const LinePair& pair : pairs_) {
    count_words(words_.cut(pair.source), counts);
    count_words(words_.cut(pair.target), counts);
  }
  return counts;
}

PairCount ParallelCorpus::pairs_with_long_words() const {
  const auto has_one = [&](const std::string& text) {
    if (std::ssize(text) <= kMaxLearnedWordBytes) return false;
    WordCounts counts;
    return count_words(words_.cut(text), counts) > 0;
  };
  PairCount count;
  for (const LinePair& pair : pairs_)
    if (has_one(pair.source) || has_one(pair.target)) count.add(place_of(pair));
  return count;
}

Vocabulary::TokenCounts ParallelCorpus::piece_counts(BytePairEncoding& encoding) const {
  Vocabulary::TokenCounts counts;
  for (const LinePair& pair : pairs_) {
    for (const std::string& piece : encoding.apply(words_.cut(pair.source))) ++counts[piece];
    for (const std::string& piece : encoding.apply(words_.cut(pair.target))) ++counts[piece];
  }
  return counts;
}

Vocabulary ParallelCorpus::build_vocabulary(BytePairEncoding& encoding) const {
  Vocabulary vocabulary = Vocabulary::from_counts(piece_counts(encoding));
  if (vocabulary.size() > Vocabulary::kMaxTokens) {
    throw input_error(name(),
                      "has " + std::to_string(vocabulary.size()) + " different pieces, more than " +
                          std::to_string(Vocabulary::kMaxTokens),
                      "is it text?");
  }
  return vocabulary;
}

std::vector<SentencePair> ParallelCorpus::encode(BytePairEncoding& encoding, const Vocabulary& vocabulary,
                                                 Index max_length, Report& report) const {
  const auto ids_of = [&](const std::string& text) {
    std::vector<std::string> pieces = encoding.apply(words_.cut(text));
    if (words_.cuts_unknown) pieces = cut_unknown_pieces(std::move(pieces), vocabulary);
    return vocabulary.encode(pieces);
  };
  std::vector<SentencePair> sentences;
  report = report_;
  for (const LinePair& pair : pairs_) {
    SentencePair sentence{.source = ids_of(pair.source), .target = ids_of(pair.target)};
    if (is_too_long(sentence, max_length)) {
      report.too_long.add(place_of(pair));
    } else {
      sentences.push_back(std::move(sentence));
    }
  }
  report.kept = std::ssize(sentences);
  if (sentences.empty()) {
    throw input_error(name(), "has no pair of at most " + std::to_string(max_length) + " tokens on each side",
                      "cut the text into sentences or raise the maximum length");
  }
  return sentences;
}

}  // namespace plainformer
