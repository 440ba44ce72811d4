#include "data/byte_pair_encoding.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "core/input_error.h"
#include "core/strings.h"
#include "data/text.h"

namespace plainformer {

namespace {

constexpr std::string_view kHeader = "#version: 0.2";
constexpr std::string_view kSeparator = "@@", kEndOfWord = "</w>";
constexpr std::uintmax_t kMaxCodesBytes = 8 << 20;
constexpr std::size_t kMaxKnownWords = 100'000;
constexpr std::size_t kMaxKnownWordBytes = 128;

// A symbol of a word during encoding, in a doubly linked list: the bytes of the word from `begin` to `end`.
struct Part {
  std::size_t begin, end;
  Index previous, next;  // -1: none. A part that was merged into the one before it has no next one
};

}  // namespace

BytePairEncoding BytePairEncoding::learn(const WordCounts& counts, Index merges, Index fewest,
                                         const LearningProgress& progress) {
  BytePairEncoding encoding;
  for (const Merge& merge : learn_merges(counts, merges, fewest, progress))
    encoding.add_merge(merge.first + " " + merge.second);
  if (encoding.to_text().size() > kMaxCodesBytes) {
    throw input_error("the learned merges", "would fill a file of more than 8 MiB, which cannot be loaded",
                      "choose a smaller --merges; are the words very long?");
  }
  return encoding;
}

BytePairEncoding BytePairEncoding::load(const std::string& path) {
  return parse(read_text_file(path, kMaxCodesBytes), path);
}

BytePairEncoding BytePairEncoding::parse(const std::string& text, const std::string& name) {
  std::istringstream input(text);
  LineReader reader(input, name);
  std::string line;
  if (!reader.next(line))
    throw input_error(name, "is empty", "write it with bpe learn or subword-nmt learn-bpe");
  if (!line.starts_with("#version:")) {
    throw input_error(reader.where(), "does not begin with \"#version: 0.2\"",
                      "is this a codes file of bpe learn?");
  }
  if (line != kHeader)
    throw input_error(reader.where(), "unknown version of a codes file", "only 0.2 is known");

  BytePairEncoding encoding;
  while (reader.next(line)) {
    const std::size_t space = line.find(' ');
    const bool is_pair = space != std::string::npos && space > 0 && space + 1 < line.size() &&
                         line.find(' ', space + 1) == std::string::npos;
    if (!is_pair)
      throw input_error(reader.where(), "not a merge", "expected two symbols with one space between them");
    if (encoding.merges() == kMaxMerges) {
      throw input_error(reader.where(), "more than " + std::to_string(kMaxMerges) + " merges",
                        "is this a codes file of bpe learn?");
    }
    encoding.add_merge(line);
  }
  return encoding;
}

std::string BytePairEncoding::to_text() const {
  std::string codes = std::string(kHeader) + "\n";
  for (const std::string& merge : merges_) codes += merge + "\n";
  return codes;
}

void BytePairEncoding::add_merge(const std::string& line) {
  ranks_.try_emplace(line, static_cast<int>(merges_.size()));
  merges_.push_back(line);
}

std::vector<std::string> BytePairEncoding::apply(std::string_view line) {
  return apply_to_words(split_words(line));
}

std::vector<std::string> BytePairEncoding::apply_to_words(const std::vector<std::string_view>& words) {
  std::vector<std::string> pieces;
  for (std::string_view word : words) {
    if (known_words_.size() >= kMaxKnownWords) known_words_.clear();
    const auto [entry, is_new] = known_words_.try_emplace(std::string(word));
    if (is_new) entry->second = encode_word(word);
    pieces.insert(pieces.end(), entry->second.begin(), entry->second.end());
    if (word.size() > kMaxKnownWordBytes) known_words_.erase(entry);
  }
  return pieces;
}

std::string BytePairEncoding::apply_to_text(std::string_view line) {
  constexpr std::string_view kSpaces = " \r";
  const std::size_t begin = line.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return std::string(line);
  std::string text(line.substr(0, begin));
  for (const std::string& piece : apply_to_words(split_at_spaces(line))) text += piece + " ";
  text.pop_back();
  text += line.substr(line.find_last_not_of(kSpaces) + 1);
  return text;
}

std::string BytePairEncoding::join(const std::vector<std::string>& pieces) {
  std::string text;
  bool continues_word = true;
  for (const std::string& piece : pieces) {
    if (!continues_word) text += ' ';
    continues_word = piece.ends_with(kSeparator);
    text += continues_word ? std::string_view(piece).substr(0, piece.size() - kSeparator.size()) : piece;
  }
  return text;
}

// Repeats the merge of lowest rank that applies to the word, everywhere from left to right.
std::vector<std::string> BytePairEncoding::encode_word(std::string_view word) const {
  std::vector<Part> parts;
  for (std::size_t begin = 0; begin < word.size(); begin = parts.back().end) {
    const Index index = std::ssize(parts);
    parts.push_back({begin, begin + decode_utf8(word, begin).bytes.size(), index - 1, index + 1});
  }
  parts.back().next = -1;

  std::string pair;  // the part and the next one, as a line of the codes file
  const auto rank_at = [&](Index part) {
    const Part& first = parts[part];
    if (first.next < 0) return -1;
    const Part& second = parts[first.next];
    pair.assign(word, first.begin, first.end - first.begin).append(" ");
    pair.append(word, second.begin, second.end - second.begin);
    if (second.next < 0) pair += kEndOfWord;
    const auto entry = ranks_.find(pair);
    return entry == ranks_.end() ? -1 : entry->second;
  };
  std::map<int, std::vector<Index>> waiting;  // by rank: the parts that begin such a pair (or once began one)
  const auto enqueue = [&](Index part) {
    if (const int rank = rank_at(part); rank >= 0) waiting[rank].push_back(part);
  };

  for (Index part = 0; part < std::ssize(parts); ++part) enqueue(part);
  while (!waiting.empty()) {
    const int rank = waiting.begin()->first;
    std::vector<Index> places = std::move(waiting.begin()->second);
    waiting.erase(waiting.begin());
    std::sort(places.begin(), places.end());
    for (const Index part : places) {
      if (rank_at(part) != rank) continue;  // an earlier merge has taken one of the two
      Part& right = parts[parts[part].next];
      parts[part].end = right.end;
      parts[part].next = std::exchange(right.next, -1);
      if (parts[part].next >= 0) parts[parts[part].next].previous = part;
      if (parts[part].previous >= 0) enqueue(parts[part].previous);
      enqueue(part);
    }
  }

  std::vector<std::string> pieces;
  for (Index part = 0; part >= 0; part = parts[part].next) {
    pieces.emplace_back(word.substr(parts[part].begin, parts[part].end - parts[part].begin));
    if (parts[part].next >= 0) pieces.back() += kSeparator;
  }
  return pieces;
}

}  // namespace plainformer
