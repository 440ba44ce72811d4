#include "data/parallel_corpus.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "core/strings.h"
#include "data/odd_pairs.h"
#include "data/text.h"

namespace plainformer {

// ---- files of pairs

namespace {

// The input_error of a line that has fewer columns than asked for.
std::runtime_error lacks_column(const std::string& where, const std::string& line, std::size_t columns,
                                Index asked_for) {
  std::string hint = "a tab must stand between the sentences; --columns says which columns to read";
  struct Other {
    const char *sign, *hint;
  };
  constexpr Other kOthers[] = {
      {"#", "Anki's export begins with lines of its own: grep -v '^#' leaves them out"},
      {"<", "XML, such as TMX: convert it to a sentence, a tab and its translation"},
      {"{", "JSON lines: jq -r '[.source, .target] | @tsv' writes columns"},
      {"", "a tab must stand between the sentences: save the sheet again, as text with tabs"}};
  if (columns == 1 && line.find_first_of("#<{;,") != std::string::npos) {
    const auto looks_so = [&](const Other& other) { return line.starts_with(other.sign); };
    hint = std::find_if(std::begin(kOthers), std::end(kOthers), looks_so)->hint;
  }
  if ((line.starts_with('"') || line.ends_with('"')) && std::count(line.begin(), line.end(), '"') % 2 == 1)
    hint = "a quote opens here or in the line before, but quotes join no lines: write each pair on one line";
  return input_error(where,
                     "has " + std::to_string(columns) + (columns == 1 ? " column" : " columns") +
                         ", but column " + std::to_string(asked_for) + " is asked for",
                     hint);
}

PairLines read_pairs(LineReader reader, const PairColumns& columns) {
  CHECK(columns.source >= 1 && columns.target >= 1, columns.source, " and ", columns.target);
  const Index last = std::max(columns.source, columns.target);
  PairLines lines;
  for (std::string line; reader.next(line);) {
    if (line.find('\r') != std::string::npos) {
      throw input_error(reader.where(), "has a carriage return within the line",
                        "end each line with LF or CR LF; tr '\\r' '\\n' converts old line ends");
    }
    std::string& source = lines.source.emplace_back();
    std::string& target = lines.target.emplace_back();
    if (is_blank(line)) continue;
    const std::vector<std::string> fields = split_at('\t', line);
    if (std::ssize(fields) < last) throw lacks_column(reader.where(), line, fields.size(), last);
    source = fields[columns.source - 1];
    target = fields[columns.target - 1];
  }
  return lines;
}

}  // namespace

PairLines read_pair_file(const std::string& path, const PairColumns& columns) {
  PairLines lines;
  if (path == kStandardInput) {
    std::istringstream text(standard_input());
    lines = read_pairs(LineReader(text, kStandardInputName), columns);
  } else {
    std::ifstream file = open_text_file(path);
    lines = read_pairs(LineReader(file, path), columns);
  }
  if (!lines.source.empty()) return lines;
  if (path == kStandardInput)
    throw input_error(kStandardInputName, "is empty",
                      "pairs are read from it, by a resumed run once more: ... --pairs - < pairs.tsv");
  throw input_error(path, "is empty", "write a pair on each line, with a tab between the sentences");
}

// ---- the corpus

namespace {

std::vector<std::string> read_lines_of_corpus(const std::string& path) {
  std::vector<std::string> lines = read_lines(path);
  if (lines.empty()) throw input_error(path, "is empty", "write one sentence a line");
  return lines;
}

}  // namespace

void PairCount::add(const PairPlace& place) {
  constexpr std::size_t kPlaces = 50;
  if (first.size() < kPlaces) first.push_back(place);
  ++pairs;
}

ParallelCorpus ParallelCorpus::load(const CorpusFiles& files, const WordRule& words) {
  CHECK(files.source.size() == files.target.size(), files.source.size(), " and ", files.target.size(),
        " files");
  CHECK(!files.empty(), "no files");
  ParallelCorpus corpus;
  corpus.words_ = words;
  for (std::size_t i = 0; i < files.source.size(); ++i) {
    const std::string &source_path = files.source[i], &target_path = files.target[i];
    PairLines text = {read_lines_of_corpus(source_path), read_lines_of_corpus(target_path)};
    if (text.source.size() != text.target.size())
      require_same_length(
          source_path, text.source.size(), target_path, text.target.size(),
          "they seem to part at line " + std::to_string(line_where_texts_part(text.source, text.target)));
    corpus.add_lines(std::move(text), source_path);
  }
  for (const std::string& path : files.pairs)
    corpus.add_lines(read_pair_file(path, files.columns), name_of_input(path));
  corpus.finish_loading();
  return corpus;
}

ParallelCorpus ParallelCorpus::from_lines(std::vector<std::string> source, std::vector<std::string> target,
                                          const std::string& name, const std::vector<Index>& lines) {
  CHECK(source.size() == target.size(), source.size(), " and ", target.size(), " lines");
  CHECK(lines.empty() || lines.size() == source.size(), lines.size(), " numbers of ", source.size(),
        " lines");
  ParallelCorpus corpus;
  corpus.add_lines({std::move(source), std::move(target)}, name, lines);
  corpus.finish_loading();
  return corpus;
}

void ParallelCorpus::add_lines(PairLines text, const std::string& name, const std::vector<Index>& lines) {
  const Index file = std::ssize(files_);
  files_.push_back(name);
  for (Index i = 0; i < std::ssize(text.source); ++i) {
    const Index line = lines.empty() ? i + 1 : lines[i];
    if (is_blank(text.source[i]) || is_blank(text.target[i])) {
      empty_.add({name, line});
    } else {
      pairs_.push_back({line, std::move(text.source[i]), std::move(text.target[i]), file});
    }
  }
}

void ParallelCorpus::finish_loading() {
  if (pairs_.empty())
    throw input_error(name(), "has no line with text on both sides", "write a sentence and its translation");
}

ParallelCorpus ParallelCorpus::hold_out(Index count) {
  CHECK(count >= 0 && count < std::ssize(pairs_), count, " of ", pairs_.size(), " pairs");

  // Step 1. Count how often each sentence occurs.
  std::unordered_map<std::uint64_t, Index> sources, targets;
  for (const LinePair& pair : pairs_) {
    ++sources[sentence_key(pair.source)];
    ++targets[sentence_key(pair.target)];
  }

  // Step 2. Collect the pairs whose two sentences occur only there, each with a number that is as good as
  // random.
  std::vector<std::pair<std::uint64_t, std::size_t>> candidates;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const std::uint64_t source = sentence_key(pairs_[i].source), target = sentence_key(pairs_[i].target);
    if (sources[source] == 1 && targets[target] == 1) candidates.emplace_back(pair_key(source, target), i);
  }

  // Step 3. Take those with the smallest numbers, in the order of the text.
  std::sort(candidates.begin(), candidates.end());
  if (count < std::ssize(candidates)) candidates.resize(count);
  std::vector<bool> is_taken(pairs_.size());
  for (const auto& [key, index] : candidates) is_taken[index] = true;
  ParallelCorpus held_out;
  held_out.files_ = files_;
  held_out.words_ = words_;
  std::vector<LinePair> left;
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    (is_taken[i] ? held_out.pairs_ : left).push_back(std::move(pairs_[i]));
  pairs_ = std::move(left);
  return held_out;
}

WordCounts ParallelCorpus::word_counts() const {
  WordCounts counts;
  for (const LinePair& pair : pairs_) {
    WordCounts of_pair;
    count_words(words_.cut(pair.source), of_pair);
    count_words(words_.cut(pair.target), of_pair);
    for (const auto& [word, count] : of_pair) {
      if (words_.marks && !digits_of(word).empty()) continue;
      counts[word] += words_.marks ? 1 : count;
    }
  }
  return counts;
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
                                                 Index max_length, PairCount& too_long) const {
  const auto ids_of = [&](const std::string& text) {
    std::vector<std::string> pieces = encoding.apply(words_.cut(text));
    if (words_.marks) pieces = cut_unknown_pieces(std::move(pieces), vocabulary);
    return vocabulary.encode(pieces);
  };
  std::vector<SentencePair> sentences;
  for (const LinePair& pair : pairs_) {
    SentencePair sentence{.source = ids_of(pair.source), .target = ids_of(pair.target)};
    if (std::max(std::ssize(sentence.source), std::ssize(sentence.target)) > max_length) {
      too_long.add(place_of(pair));
    } else {
      sentences.push_back(std::move(sentence));
    }
  }
  if (sentences.empty()) {
    throw input_error(name(), "has no pair of at most " + std::to_string(max_length) + " tokens on each side",
                      "cut the text into sentences or raise the maximum length");
  }
  return sentences;
}

// ---- keys

namespace {

std::uint64_t spread(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t sentence_key(std::string_view sentence) {
  std::uint64_t key = 0xcbf29ce484222325u;
  const auto add = [&](char c) { key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3u; };
  for (const std::string_view word : split_words(sentence)) {
    for (const char c : word) add(c);
    add('\n');  // ends a word; no word holds it
  }
  return spread(key);
}

std::uint64_t pair_key(std::uint64_t source, std::uint64_t target) {
  return spread(spread(source) + target);
}

Index usual_held_out_pairs(Index pairs) {
  constexpr Index kMostPairs = 1000;
  return pairs < kFewestToHoldOutOf ? 0 : std::min(pairs / 10, kMostPairs);
}

}  // namespace plainformer
