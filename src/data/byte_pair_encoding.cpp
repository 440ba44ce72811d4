#include "data/byte_pair_encoding.h"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>

#include "core/check.h"
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

std::uint64_t key_of(int first, int second) {
  return std::uint64_t{static_cast<std::uint32_t>(first)} << 32 | static_cast<std::uint32_t>(second);
}

// The pieces of a word that begin at these bytes.
std::vector<std::string> cut(std::string_view word, const std::vector<int>& begins) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const bool is_last = i + 1 == begins.size();
    const std::size_t begin = static_cast<std::size_t>(begins[i]);
    const std::size_t end = is_last ? word.size() : static_cast<std::size_t>(begins[i + 1]);
    pieces.emplace_back(word.substr(begin, end - begin));
    if (!is_last) pieces.back() += kSeparator;
  }
  return pieces;
}

}  // namespace

// A symbol of a word during encoding, in a doubly linked list. Its text ends where that of the next begins.
struct BytePairEncoding::Part {
  int symbol;          // -1: unknown, or merged into the part before it
  int begin;           // the byte in the word
  int previous, next;  // -1: none
};

BytePairEncoding BytePairEncoding::learn(const WordCounts& counts, Index merges,
                                         const LearningProgress& progress) {
  BytePairEncoding encoding;
  for (const Merge& merge : learn_merges(counts, merges, progress))
    encoding.add_merge(merge.first, merge.second);
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
    encoding.add_merge(line.substr(0, space), line.substr(space + 1));
  }
  return encoding;
}

std::string BytePairEncoding::to_text() const {
  std::vector<const std::string*> texts(symbols_.size());
  for (const auto& [text, symbol] : symbols_) texts[symbol] = &text;
  std::string codes = std::string(kHeader) + "\n";
  for (const auto& [first, second] : merges_) codes += *texts[first] + " " + *texts[second] + "\n";
  return codes;
}

void BytePairEncoding::add_merge(const std::string& first, const std::string& second) {
  const int a = intern(first);
  const int b = intern(second);
  rules_.try_emplace(key_of(a, b),
                     Rule{.rank = static_cast<int>(merges_.size()), .merged = intern(first + second)});
  merges_.emplace_back(a, b);
}

int BytePairEncoding::intern(const std::string& symbol) {
  return symbols_.try_emplace(symbol, static_cast<int>(symbols_.size())).first->second;
}

int BytePairEncoding::find_symbol(const std::string& text) const {
  const auto entry = symbols_.find(text);
  return entry == symbols_.end() ? -1 : entry->second;
}

const BytePairEncoding::Rule* BytePairEncoding::find_rule(int first, int second) const {
  if (first < 0 || second < 0) return nullptr;
  const auto entry = rules_.find(key_of(first, second));
  return entry == rules_.end() ? nullptr : &entry->second;
}

std::vector<std::string> BytePairEncoding::apply(std::string_view line) {
  return apply_to_words(split_words(line));
}

std::vector<std::string> BytePairEncoding::apply_to_words(const std::vector<std::string_view>& words) {
  std::vector<std::string> pieces;
  for (std::string_view word : words) {
    if (word.size() > kMaxKnownWordBytes) {
      std::vector<std::string> of_word = encode_word(word);
      std::move(of_word.begin(), of_word.end(), std::back_inserter(pieces));
      continue;
    }
    if (known_words_.size() >= kMaxKnownWords) known_words_.clear();
    const auto [entry, is_new] = known_words_.try_emplace(std::string(word));
    if (is_new) entry->second = encode_word(word);
    pieces.insert(pieces.end(), entry->second.begin(), entry->second.end());
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

std::vector<BytePairEncoding::Part> BytePairEncoding::split_into_characters(std::string_view word) const {
  CHECK(word.size() < static_cast<std::size_t>(std::numeric_limits<int>::max()), "a word of ", word.size(),
        " bytes");
  std::vector<Part> parts;
  for (std::size_t begin = 0; begin < word.size();) {
    const std::size_t length = decode_utf8(word, begin).bytes;
    const bool is_last = begin + length == word.size();
    const std::string text(word.substr(begin, length));
    const int index = static_cast<int>(parts.size());
    parts.push_back({.symbol = find_symbol(is_last ? text + std::string(kEndOfWord) : text),
                     .begin = static_cast<int>(begin),
                     .previous = index - 1,
                     .next = is_last ? -1 : index + 1});
    begin += length;
  }
  return parts;
}

// Repeats the merge of lowest rank that applies to the word, everywhere from left to right.
std::vector<std::string> BytePairEncoding::encode_word(std::string_view word) const {
  std::vector<Part> parts = split_into_characters(word);
  std::map<int, std::vector<int>> waiting;  // by rank: the parts that begin such a pair (or once began one)
  const auto rule_at = [&](int part) {
    const int next = parts[part].next;
    return next < 0 ? nullptr : find_rule(parts[part].symbol, parts[next].symbol);
  };
  const auto enqueue = [&](int part) {
    if (const Rule* rule = rule_at(part)) waiting[rule->rank].push_back(part);
  };

  for (int part = 0; part < std::ssize(parts); ++part) enqueue(part);
  while (!waiting.empty()) {
    const int rank = waiting.begin()->first;
    std::vector<int> places = std::move(waiting.begin()->second);
    waiting.erase(waiting.begin());
    std::sort(places.begin(), places.end());
    for (int part : places) {
      const Rule* rule = rule_at(part);
      if (rule == nullptr || rule->rank != rank) continue;  // an earlier merge has taken one of the two
      Part& right = parts[parts[part].next];
      parts[part].symbol = rule->merged;
      parts[part].next = right.next;
      right.symbol = -1;
      if (right.next >= 0) parts[right.next].previous = part;
      if (parts[part].previous >= 0) enqueue(parts[part].previous);
      enqueue(part);
    }
  }

  std::vector<int> begins;
  for (int part = 0; part >= 0; part = parts[part].next) begins.push_back(parts[part].begin);
  return cut(word, begins);
}

}  // namespace plainformer
