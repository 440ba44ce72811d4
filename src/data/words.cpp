#include "data/words.h"

#include <algorithm>
#include <vector>

#include "core/input_error.h"
#include "core/strings.h"
#include "data/unicode.h"

namespace plainformer {

// ---- the words and marks of a line

namespace {

using unicode::CharacterClass;

bool is_ascii_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Is it in the blocks for emoji, to which later versions of Unicode add characters?
bool is_emoji_block(char32_t c) {
  return c >= 0x1F000 && c <= 0x1FAFF;
}

CharacterKind kind_of(char32_t c) {
  constexpr char32_t kZeroWidthNonJoiner = 0x200C, kZeroWidthJoiner = 0x200D, kIdeographicSpace = 0x3000;
  if (is_ascii_space(c)) return CharacterKind::kBlank;
  if (c == kZeroWidthNonJoiner || c == kZeroWidthJoiner) return CharacterKind::kMark;
  if (c == kIdeographicSpace) return CharacterKind::kUnspaced;
  if (is_emoji_block(c)) return CharacterKind::kSymbol;
  const CharacterClass of_unicode = unicode::class_of(c);
  if (of_unicode == CharacterClass::kMark) return CharacterKind::kMark;
  if (of_unicode == CharacterClass::kUnspaced) return CharacterKind::kUnspaced;
  const bool is_letter = of_unicode == CharacterClass::kLetter || of_unicode == CharacterClass::kNumber;
  return is_letter ? CharacterKind::kLetter : CharacterKind::kSymbol;
}

bool is_ascii_letter_or_digit(char32_t c) {
  return c < 0x80 && kind_of(c) == CharacterKind::kLetter;
}

bool may_stand_in_word(char32_t c) {
  return c == '\'' || c == '-' || c == 0x2019 || c == 0x2010 || c == 0x2011;
}

bool is_number(char32_t c) {
  return unicode::class_of(c) == CharacterClass::kNumber;
}

bool may_stand_in_number(char32_t c) {
  return c == '.' || c == ',' || c == ':';
}

class Scanner {
 public:
  explicit Scanner(std::string_view line) : line_(line), characters_(characters_in(line)) {}

  std::vector<ScannedToken> scan() {
    std::vector<ScannedToken> tokens;
    bool follows_blank = true;
    for (std::size_t at = 0; at < characters_.size();) {
      const CharacterKind kind = kind_of(characters_[at].value);
      if (kind == CharacterKind::kBlank) {
        follows_blank = true;
        ++at;
        continue;
      }
      const bool is_word = kind == CharacterKind::kLetter || kind == CharacterKind::kMark;
      const std::size_t end = is_word ? end_of_word(at) : end_of_marks(at + 1);
      tokens.push_back(
          {.text = line_.substr(byte_of(at), byte_of(end) - byte_of(at)),
           .kind = is_word ? CharacterKind::kLetter : kind,
           .is_opening = !is_word && unicode::class_of(characters_[at].value) == CharacterClass::kOpening,
           .follows_blank = follows_blank});
      follows_blank = false;
      at = end;
    }
    return tokens;
  }

 private:
  std::size_t byte_of(std::size_t at) const {
    if (at == characters_.size()) return line_.size();
    return static_cast<std::size_t>(characters_[at].bytes.data() - line_.data());
  }
  // 0 beyond the end.
  char32_t value(std::size_t at) const { return at < characters_.size() ? characters_[at].value : 0; }
  bool is(std::size_t at, CharacterKind kind) const {
    return at < characters_.size() && kind_of(characters_[at].value) == kind;
  }
  bool is_word_character(std::size_t at) const {
    return is(at, CharacterKind::kLetter) || is(at, CharacterKind::kMark);
  }
  bool has(std::size_t at, std::string_view text) const {
    return line_.substr(byte_of(at)).starts_with(text);
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
    return may_stand_in_number(value(at)) && is_number(value(at - 1)) && is_number(value(at + 1));
  }

  // The end of the address that begins here, or 0. Remembers failures, so that scanning stays linear.
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
    if (has(at, "://")) return end_of_web_address(at + 3);
    return has(begin, "www.") ? end_of_web_address(begin + 4) : 0;
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
  std::vector<Character> characters_;
  std::size_t searched_ = 0;
};

}  // namespace

std::vector<ScannedToken> scan_words(std::string_view line) {
  return Scanner(line).scan();
}

std::string digits_of(std::string_view word) {
  std::string digits;
  for (const Character& c : characters_in(word))
    if (is_number(c.value)) digits += c.bytes;
  return digits;
}

// ---- their spelling as tokens

namespace {

// On a side of a token it means: no blank on this side. Alone, it joins the tokens before and after it.
constexpr std::string_view kJoiner = "\uFFED";
constexpr char32_t kJoinerCharacter = 0xFFED;

// Begins a token that is not text, such as "%20", a blank between two characters that usually have none. (A
// percent sign of the text is a token by itself.)
constexpr char kEscape = '%';
constexpr std::string_view kHexDigits = "0123456789ABCDEF";

// Invisible characters, and the joiner itself, are written by their numbers: "%A0".
bool is_written_by_number(char32_t c) {
  return c == kJoinerCharacter ||
         (c != 0 && kind_of(c) != CharacterKind::kBlank && kind_of(c) != CharacterKind::kMark &&
          unicode::class_of(c) == CharacterClass::kInvisible);
}

std::string spelling_of(const ScannedToken& token) {
  if (token.kind == CharacterKind::kLetter) return std::string(token.text);
  const Character first = decode_utf8(token.text, 0);
  if (!is_written_by_number(first.value)) return std::string(token.text);
  std::string digits;
  for (char32_t rest = first.value; rest > 0; rest /= 16) digits.insert(0, 1, kHexDigits[rest % 16]);
  return kEscape + digits + std::string(token.text.substr(first.bytes.size()));
}

// The text of a token without joiners, and whether it is of a writing without spaces (Han, Thai).
struct Spelled {
  std::string text;
  bool is_unspaced;
};

Spelled text_of_spelling(std::string_view spelling) {
  if (spelling.starts_with(kEscape)) {
    const std::size_t end = std::min(spelling.find_first_not_of(kHexDigits, 1), spelling.size());
    const std::string_view digits = spelling.substr(1, std::min<std::size_t>(end - 1, 6));
    char32_t number = 0;
    for (const char digit : digits) number = number * 16 + static_cast<char32_t>(kHexDigits.find(digit));
    if (!digits.empty() && (number == ' ' || is_written_by_number(number))) {
      std::string text;
      append_utf8(text, number);
      text += spelling.substr(1 + digits.size());
      return {std::move(text), number == ' ' || kind_of(number) == CharacterKind::kUnspaced};
    }
  }
  const bool is_unspaced =
      !spelling.empty() && kind_of(decode_utf8(spelling, 0).value) == CharacterKind::kUnspaced;
  return {std::string(spelling), is_unspaced};
}

// What separates two tokens: a blank, and a sign if the spacing of the text is not the usual one. The sign is
// a joiner on one of the tokens, or a token of its own.
std::string_view between(const ScannedToken& a, const ScannedToken& b) {
  const bool a_is_symbol = a.kind == CharacterKind::kSymbol, b_is_symbol = b.kind == CharacterKind::kSymbol;
  if (a.kind == CharacterKind::kUnspaced && b.kind == CharacterKind::kUnspaced)
    return b.follows_blank ? " %20 " : " ";
  if (b.follows_blank) return " ";
  if (a_is_symbol && (a.is_opening || !b_is_symbol || b.is_opening)) return "\uFFED ";
  return b_is_symbol ? " \uFFED" : " \uFFED ";
}

}  // namespace

std::string WordRule::cut(std::string_view line) const {
  if (!marks) return std::string(line);
  const std::vector<ScannedToken> tokens = scan_words(line);
  std::string words;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0) words += between(tokens[i - 1], tokens[i]);
    words += spelling_of(tokens[i]);
  }
  return words;
}

std::string WordRule::join(std::string_view words) const {
  if (!marks) return std::string(words);
  std::string line;
  bool is_attached = true, after_unspaced = false;  // at the line's beginning there is no blank
  for (std::string& spelling : split_at(' ', words)) {
    const bool joins_left = spelling.starts_with(kJoiner), joins_right = spelling.ends_with(kJoiner);
    // A model may write it inside a token, too, where nothing is left to join.
    for (std::size_t at; (at = spelling.find(kJoiner)) != spelling.npos;) spelling.erase(at, kJoiner.size());
    if (spelling.empty()) {
      is_attached = is_attached || joins_left;
      continue;
    }
    const Spelled spelled = text_of_spelling(spelling);
    if (!is_attached && !joins_left && !(after_unspaced && spelled.is_unspaced)) line += ' ';
    line += spelled.text;
    is_attached = joins_right;
    after_unspaced = spelled.is_unspaced;
  }
  return line;
}

Metadata metadata_of(const WordRule& rule) {
  if (!rule.marks) return {};
  return {{"words", "marks"}, {"unknown_pieces", "cut"}};  // runs of earlier versions have both
}

WordRule word_rule_from(const Metadata& metadata, const std::string& where) {
  const auto is_chosen = [&](const std::string& key, const std::string& no, const std::string& yes) {
    const std::string* value = find_text(metadata, key);
    if (value && *value != no && *value != yes)
      throw input_error(where, "its \"" + key + "\" is \"" + *value + "\", which is unknown",
                        "it can be " + no + " or " + yes);
    return value && *value == yes;
  };
  const std::string* of_case = find_text(metadata, "case");
  if (of_case && *of_case != "as-is")
    throw input_error(where, "its text has marks of case, which this version does not read",
                      "train the model again");
  const WordRule rule = {.marks = is_chosen("words", "spaces", "marks")};
  if (is_chosen("unknown_pieces", "unk", "cut") && !rule.marks)
    throw input_error(where, "it cuts unknown pieces of words that end at blanks, as this version does not",
                      "train the model again, with --words marks");
  return rule;
}

}  // namespace plainformer
