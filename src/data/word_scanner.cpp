#include "data/word_scanner.h"

#include <algorithm>
#include <string>

#include "data/unicode.h"

namespace plainformer {

namespace {

struct ScannedCharacter {
  char32_t value;
  CharacterKind kind;
  std::size_t begin;  // its first byte
};
using ScannedCharacters = std::vector<ScannedCharacter>;

CharacterKind kind_of_ascii(char32_t c) {
  const bool is_blank = c == ' ' || (c >= '\t' && c <= '\r');
  const char32_t small = c | 0x20;
  const bool is_letter = (c >= '0' && c <= '9') || (small >= 'a' && small <= 'z');
  return is_blank ? CharacterKind::kBlank : is_letter ? CharacterKind::kLetter : CharacterKind::kSymbol;
}

bool is_ascii_letter_or_digit(char32_t c) {
  return c < 0x80 && kind_of_ascii(c) == CharacterKind::kLetter;
}

// Characters that Unicode adds to these blocks are emoji, whatever their number of today's Unicode.
bool is_emoji_block(char32_t c) {
  return c >= 0x1F000 && c <= 0x1FAFF;
}

bool may_stand_in_word(char32_t c) {
  return c == '\'' || c == '-' || c == 0x2019 || c == 0x2010 || c == 0x2011;
}

bool may_stand_in_number(char32_t c) {
  return c == '.' || c == ',' || c == ':';
}

class Scanner {
 public:
  explicit Scanner(std::string_view line) : line_(line) {
    for (std::size_t at = 0; at < line.size();) {
      const CodePoint point = decode_utf8(line, at);
      characters_.push_back({point.value, kind_of(point.value), at});
      at += point.bytes;
    }
  }

  std::vector<ScannedToken> scan() {
    std::vector<ScannedToken> tokens;
    bool follows_blank = true;
    for (std::size_t at = 0; at < characters_.size();) {
      const CharacterKind kind = characters_[at].kind;
      if (kind == CharacterKind::kBlank) {
        follows_blank = true;
        ++at;
        continue;
      }
      const bool is_word = kind == CharacterKind::kLetter || kind == CharacterKind::kMark;
      const std::size_t end = is_word ? end_of_word(at) : end_of_marks(at + 1);
      tokens.push_back({.text = line_.substr(byte_of(at), byte_of(end) - byte_of(at)),
                        .kind = is_word ? CharacterKind::kLetter : kind,
                        .is_opening = !is_word && unicode::is_opening(characters_[at].value),
                        .follows_blank = follows_blank});
      follows_blank = false;
      at = end;
    }
    return tokens;
  }

 private:
  std::size_t byte_of(std::size_t at) const {
    return at < characters_.size() ? characters_[at].begin : line_.size();
  }
  // 0 beyond the end.
  char32_t value(std::size_t at) const { return at < characters_.size() ? characters_[at].value : 0; }
  bool is(std::size_t at, CharacterKind kind) const {
    return at < characters_.size() && characters_[at].kind == kind;
  }
  bool is_word_character(std::size_t at) const {
    return is(at, CharacterKind::kLetter) || is(at, CharacterKind::kMark);
  }
  bool has(std::size_t at, std::u32string_view text) const {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (value(at + i) != text[i]) return false;
    return true;
  }

  std::size_t end_of_marks(std::size_t at) const {
    while (is(at, CharacterKind::kMark)) ++at;
    return at;
  }

  std::size_t end_of_word(std::size_t begin) {
    if (const std::size_t end = end_of_address(begin)) return end;
    std::size_t at = begin + 1;
    while (is_word_character(at) || joins_word(at)) ++at;
    return at;
  }

  // Does a mark at this place, after a letter or digit of a word, belong to the word?
  bool joins_word(std::size_t at) const {
    if (!is(at + 1, CharacterKind::kLetter)) return false;
    if (may_stand_in_word(value(at))) return true;
    return may_stand_in_number(value(at)) && unicode::is_number(value(at - 1)) &&
           unicode::is_number(value(at + 1));
  }

  // The end of the address that begins here, or 0. Where there was none, none is looked for in the same characters.
  std::size_t end_of_address(std::size_t begin) {
    if (begin < searched_) return 0;
    const auto is_name = [&](std::size_t at) {
      const char32_t c = value(at);
      return is_ascii_letter_or_digit(c) || c == '.' || c == '-' || c == '_' || c == '+' || c == '%';
    };
    std::size_t at = begin;
    while (is_name(at)) ++at;
    searched_ = at;
    if (at == begin) return 0;
    if (value(at) == '@') return end_of_mail_address(at + 1);
    if (has(at, U"://")) return end_of_web_address(at + 3);
    return has(begin, U"www.") ? end_of_web_address(begin + 4) : 0;
  }

  // A domain with at least one full stop inside.
  std::size_t end_of_mail_address(std::size_t begin) const {
    std::size_t at = begin, end = 0;
    for (bool has_stop = false;; has_stop = true) {
      const std::size_t first = at;
      while (is_ascii_letter_or_digit(value(at)) || (value(at) == '-' && at > first)) ++at;
      while (at > first && value(at - 1) == '-') --at;
      if (at == first) return end;
      if (has_stop) end = at;
      if (value(at) != '.') return end;
      ++at;
    }
  }

  // Up to a blank, a quote, an angle bracket or a character of another kind, without punctuation at its end.
  std::size_t end_of_web_address(std::size_t begin) const {
    const auto is_part = [&](std::size_t at) {
      const char32_t c = value(at);
      return is_word_character(at) || (c > 0x20 && c < 0x7F && c != '"' && c != '<' && c != '>');
    };
    std::size_t at = begin;
    while (is_part(at)) ++at;
    while (at > begin && !is_word_character(at - 1) && value(at - 1) != '/') --at;
    return at > begin ? at : 0;
  }

  std::string_view line_;
  ScannedCharacters characters_;
  std::size_t searched_ = 0;
};

}  // namespace

CharacterKind kind_of(char32_t c) {
  constexpr char32_t kZeroWidthNonJoiner = 0x200C, kZeroWidthJoiner = 0x200D, kIdeographicSpace = 0x3000;
  if (c < 0x80) return kind_of_ascii(c);
  if (unicode::is_mark(c) || c == kZeroWidthNonJoiner || c == kZeroWidthJoiner) return CharacterKind::kMark;
  if (unicode::is_unspaced(c) || c == kIdeographicSpace) return CharacterKind::kUnspaced;
  if (unicode::is_symbol(c) || unicode::is_invisible(c) || is_emoji_block(c)) return CharacterKind::kSymbol;
  return CharacterKind::kLetter;
}

std::vector<ScannedToken> scan_words(std::string_view line) {
  return Scanner(line).scan();
}

}  // namespace plainformer
