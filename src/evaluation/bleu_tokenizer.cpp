#include "evaluation/bleu_tokenizer.h"

#include "core/utf8.h"

namespace plainformer {

namespace {

bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}

// The characters that 13a separates everywhere: ASCII punctuation except ' , - . and also the space.
bool is_symbol(char c) {
  return std::string_view(" !\"#$%&()*+/:;<=>?@[\\]^_`{|}~").find(c) != std::string_view::npos;
}

bool is_stop(char c) {
  return c == '.' || c == ',';
}

bool is_unicode_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool is_ascii_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == ' ';
}

// The non-empty pieces between white space.
std::vector<std::string> split(std::string_view text, bool (*is_space)(char32_t)) {
  std::vector<std::string> tokens;
  std::size_t begin = 0;
  std::size_t at = 0;
  const auto end_token = [&] {
    if (at > begin) tokens.emplace_back(text.substr(begin, at - begin));
  };
  while (at < text.size()) {
    const CodePoint point = decode_utf8(text, at);
    if (is_space(point.value)) {
      end_token();
      begin = at + point.bytes;
    }
    at += point.bytes;
  }
  end_token();
  return tokens;
}

std::string_view without_trailing_space(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    at += point.bytes;
    if (!is_unicode_space(point.value)) end = at;
  }
  return text.substr(0, end);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
    result.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  text = result.append(text, begin);
}

std::string separate_symbols(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (is_symbol(c)) {
      result += {' ', c, ' '};
    } else {
      result += c;
    }
  }
  return result;
}

// Replaces each adjacent pair of bytes that `matches`, left to right without overlap, by before + first +
// between + second + after. The rules speak of pairs of characters, and one of the two may be any non-digit.
// To tell that a character is no digit, its nearest byte is enough.
struct PairRule {
  bool (*matches)(char first, char second);
  std::string_view before, between, after;
};

std::string insert_spaces(const PairRule& rule, std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && rule.matches(text[i], text[i + 1])) {
      (((result += rule.before) += text[i]) += rule.between) += text[i + 1];
      result += rule.after;
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

constexpr PairRule kStopNotAfterDigit = {[](char a, char b) { return !is_ascii_digit(a) && is_stop(b); }, "",
                                         " ", " "};
constexpr PairRule kStopNotBeforeDigit = {[](char a, char b) { return is_stop(a) && !is_ascii_digit(b); },
                                          " ", " ", ""};
constexpr PairRule kHyphenAfterDigit = {[](char a, char b) { return is_ascii_digit(a) && b == '-'; }, "", " ",
                                        " "};

// Splits each hyphen between two characters that are not spaces. Their nearest bytes tell whether they are.
std::string split_compounds(std::string_view text) {
  const auto is_word = [&](std::size_t i) {
    return i < text.size() && !is_ascii_space(static_cast<unsigned char>(text[i]));
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (!is_word(i) || !is_word(i + 2) || text[i + 1] != '-') continue;
    (result += " ##AT##-##AT## ") += text[i + 2];
    i += 2;
  }
  return result;
}

}  // namespace

std::vector<std::string> tokenize_13a(std::string_view segment) {
  // Undo markup. A line break is possible only in a segment that did not come from a file of lines.
  std::string text(without_trailing_space(segment));
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");

  // Put spaces around punctuation; each rule sees the output of the one before it.
  text = separate_symbols(" " + text + " ");
  for (const PairRule& rule : {kStopNotAfterDigit, kStopNotBeforeDigit, kHyphenAfterDigit})
    text = insert_spaces(rule, text);
  return split(text, is_unicode_space);
}

std::vector<std::string> tokenize_at_spaces(std::string_view segment) {
  return split(segment, is_ascii_space);
}

std::vector<std::string> tokenize_compounds(std::string_view segment) {
  return tokenize_at_spaces(split_compounds(segment));
}

}  // namespace plainformer
