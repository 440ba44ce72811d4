#include "data/vocabulary.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "core/special_symbols.h"
#include "core/strings.h"
#include "data/byte_pair_encoding.h"
#include "data/text.h"

namespace plainformer {

namespace {

constexpr std::uintmax_t kMaxVocabularyBytes = 8 << 20;
constexpr char kSymbolEscape = '\\';  // before a token of the text that would be read as a special symbol

// Is the token a special symbol's spelling after any number of escapes?
bool spells_special(std::string_view token) {
  token.remove_prefix(std::min(token.find_first_not_of(kSymbolEscape), token.size()));
  return std::find(kSpecialSpellings.begin(), kSpecialSpellings.end(), token) != kSpecialSpellings.end();
}

std::string unescaped(const std::string& token) {
  return token.front() == kSymbolEscape && spells_special(token) ? token.substr(1) : token;
}

}  // namespace

Vocabulary::Vocabulary() {
  for (const char* token : kSpecialSpellings) add(token);
}

Vocabulary Vocabulary::from_counts(const TokenCounts& counts) {
  std::vector<std::pair<std::string, Index>> by_count(counts.begin(), counts.end());
  std::sort(by_count.begin(), by_count.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  Vocabulary vocabulary;
  for (const auto& [token, count] : by_count) {
    CHECK(!token.empty() && token.find_first_of(" \r\n") == std::string::npos, "token \"", token, "\"");
    vocabulary.add(spells_special(token) ? kSymbolEscape + token : token);
  }
  return vocabulary;
}

Vocabulary Vocabulary::load(const std::string& path) {
  return parse(read_text_file(path, kMaxVocabularyBytes), path);
}

Vocabulary Vocabulary::parse(const std::string& text, const std::string& name) {
  std::istringstream input(text);
  LineReader reader(input, name);
  Vocabulary vocabulary;
  std::string token;
  for (const char* special : kSpecialSpellings) {
    if (!reader.next(token)) {
      throw input_error(name,
                        "ends after " + std::to_string(reader.line_number()) + " of the 4 special symbols",
                        "the file is empty or truncated: copy it again from where the model was trained");
    }
    if (token != special) {
      throw input_error(reader.where(), "expected the special symbol " + std::string(special),
                        "the first lines are <pad>, <s>, </s>, <unk>: is this a vocabulary.txt?");
    }
  }
  while (reader.next(token)) {
    if (token.empty()) throw input_error(reader.where(), "an empty line", "each line holds one token");
    if (token.find_first_of(" \r") != std::string::npos) {
      throw input_error(reader.where(), "white space in a token", "each line holds one token and no count");
    }
    if (!vocabulary.add(token)) {
      throw input_error(reader.where(), "repeats the token of an earlier line",
                        "remove one of the two; later ids will change");
    }
    if (vocabulary.size() > kMaxTokens) {
      throw input_error(reader.where(), "more than " + std::to_string(kMaxTokens) + " tokens",
                        "is this a vocabulary.txt?");
    }
  }
  return vocabulary;
}

std::string Vocabulary::to_text() const {
  std::string text;
  for (const std::string& token : tokens_) text += token + "\n";
  return text;
}

int Vocabulary::id(const std::string& token) const {
  const auto entry = ids_.find(token);
  return entry == ids_.end() ? kUnknownId : entry->second;
}

int Vocabulary::id_of_piece(const std::string& piece) const {
  return spells_special(piece) ? id(kSymbolEscape + piece) : id(piece);
}

const std::string& Vocabulary::token(int id) const {
  CHECK(id >= 0 && id < size(), "id ", id, " of ", size());
  return tokens_[id];
}

std::vector<int> Vocabulary::encode(const std::vector<std::string>& tokens) const {
  std::vector<int> ids;
  for (const std::string& token : tokens) ids.push_back(id_of_piece(token));
  return ids;
}

std::vector<std::string> Vocabulary::decode(const std::vector<int>& ids) const {
  std::vector<std::string> tokens;
  for (int id : ids) tokens.push_back(unescaped(token(id)));
  return tokens;
}

bool Vocabulary::add(const std::string& token) {
  if (!ids_.try_emplace(token, static_cast<int>(tokens_.size())).second) return false;
  tokens_.push_back(token);
  return true;
}

// ---- new words in known pieces

namespace {

constexpr std::string_view kContinues = "@@";
constexpr std::size_t kLongestTried = 128;  // bytes

bool has(const Vocabulary& vocabulary, const std::string& piece) {
  return vocabulary.id_of_piece(piece) != kUnknownId;
}

// The best way to cut the beginning of a text, up to some byte.
struct Beginning {
  std::size_t unknown = 0, pieces = 0;  // unknown characters; pieces, these included
  std::size_t last = 0;                 // the byte at which the last piece begins

  bool is_better_than(const Beginning& other) const {
    return unknown != other.unknown ? unknown < other.unknown : pieces < other.pieces;
  }
};

// Appends the pieces of a text. `ending` follows its last piece: "@@" if its word goes on.
void append_cut(const std::string& text, std::string_view ending, const Vocabulary& vocabulary,
                std::vector<std::string>& pieces) {
  const auto piece = [&](std::size_t begin, std::size_t end) {
    return text.substr(begin, end - begin) + std::string(end == text.size() ? ending : kContinues);
  };
  // Step 1. Find the best way to the end of each character. It consists of a last piece, and of the best way
  // to the place where that piece begins.
  std::vector<std::size_t> ends = {0};  // the empty beginning, too
  while (ends.back() < text.size()) ends.push_back(ends.back() + decode_utf8(text, ends.back()).bytes.size());
  std::vector<Beginning> best(ends.size());
  for (std::size_t i = 1; i < ends.size(); ++i) {
    best[i] = {.unknown = best[i - 1].unknown + 1, .pieces = best[i - 1].pieces + 1, .last = i - 1};
    for (std::size_t j = i; j-- > 0 && ends[i] - ends[j] <= kLongestTried;) {
      const Beginning way = {.unknown = best[j].unknown, .pieces = best[j].pieces + 1, .last = j};
      const bool is_as_good = !best[i].is_better_than(way);  // if they are equal, the longer last piece
      if (is_as_good && has(vocabulary, piece(ends[j], ends[i]))) best[i] = way;
    }
  }

  // Step 2. Follow it back from the end.
  const auto first = static_cast<std::ptrdiff_t>(pieces.size());
  for (std::size_t i = ends.size() - 1; i > 0; i = best[i].last)
    pieces.push_back(piece(ends[best[i].last], ends[i]));
  std::reverse(pieces.begin() + first, pieces.end());
}

}  // namespace

std::vector<std::string> cut_unknown_pieces(std::vector<std::string> pieces, const Vocabulary& vocabulary) {
  const auto is_known = [&](const std::string& piece) { return has(vocabulary, piece); };
  if (std::all_of(pieces.begin(), pieces.end(), is_known)) return pieces;
  std::vector<std::string> known;
  for (std::string& piece : pieces) {
    if (is_known(piece)) {
      known.push_back(std::move(piece));
      continue;
    }
    const std::string text = BytePairEncoding::join({piece});
    append_cut(text, text.size() < piece.size() ? kContinues : "", vocabulary, known);
  }
  return known;
}

}  // namespace plainformer
