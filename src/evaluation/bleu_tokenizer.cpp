#include "evaluation/bleu_tokenizer.h"

#include <algorithm>

#include "core/check.h"
#include "core/strings.h"

namespace plainformer {

namespace {

bool is_ascii_digit(char32_t c) {
  return c >= '0' && c <= '9';
}

// The characters that 13a separates everywhere: ASCII punctuation except ' , - . and also the space.
bool is_13a_symbol(char32_t c) {
  constexpr std::u32string_view kSymbols = U" !\"#$%&()*+/:;<=>?@[\\]^_`{|}~";
  return kSymbols.find(c) != std::u32string_view::npos;
}

bool is_stop(char32_t c) {
  return c == '.' || c == ',';
}

bool is_ascii_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == ' ';
}

// Python's str.isspace(), which counts the four separators of ASCII.
bool is_space(char32_t c) {
  return is_white_space(c) || (c >= 0x1C && c <= 0x1F);
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
    if (!is_space(point.value)) end = at;
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

// Puts a space on both sides of each character of a class.
std::string separate(bool (*is_apart)(char32_t), std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    const std::string_view character = text.substr(at, point.bytes);
    if (is_apart(point.value))
      ((result += ' ') += character) += ' ';
    else
      result += character;
    at += point.bytes;
  }
  return result;
}

// Replaces each adjacent pair of characters that `matches`, left to right without overlap, by before + first
// + between + second + after.
struct PairRule {
  bool (*matches)(char32_t first, char32_t second);
  std::string_view before, between, after;
};

std::string insert_spaces(const PairRule& rule, std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint first = decode_utf8(text, at);
    const std::size_t next = at + first.bytes;
    if (next < text.size() && rule.matches(first.value, decode_utf8(text, next).value)) {
      const std::size_t second_bytes = decode_utf8(text, next).bytes;
      ((result += rule.before) += text.substr(at, first.bytes)) += rule.between;
      (result += text.substr(next, second_bytes)) += rule.after;
      at = next + second_bytes;
    } else {
      result += text.substr(at, first.bytes);
      at = next;
    }
  }
  return result;
}

constexpr PairRule kRulesOf13a[] = {
    {[](char32_t a, char32_t b) { return !is_ascii_digit(a) && is_stop(b); }, "", " ", " "},
    {[](char32_t a, char32_t b) { return is_stop(a) && !is_ascii_digit(b); }, " ", " ", ""},
    {[](char32_t a, char32_t b) { return is_ascii_digit(a) && b == '-'; }, "", " ", " "},
};

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

  // Split punctuation off. Each rule sees the output of the one before it.
  text = separate(is_13a_symbol, " " + text + " ");
  for (const PairRule& rule : kRulesOf13a) text = insert_spaces(rule, text);
  return split(text, is_space);
}

std::vector<std::string> tokenize_none(std::string_view segment) {
  return split(segment, is_space);
}

std::vector<std::string> tokenize_char(std::string_view segment) {
  return split(separate([](char32_t) { return true; }, segment), is_space);
}

std::vector<std::string> tokenize_at_spaces(std::string_view segment) {
  return split(segment, is_ascii_space);
}

std::vector<std::string> tokenize_compounds(std::string_view segment) {
  return tokenize_at_spaces(split_compounds(segment));
}

struct Tokenizer {
  BleuTokenization tokenization;
  std::string_view name;
  std::vector<std::string> (*tokens_of)(std::string_view segment);
};

constexpr Tokenizer kTokenizers[] = {
    {BleuTokenization::k13a, "13a", tokenize_13a},
    {BleuTokenization::kNone, "none", tokenize_none},
    {BleuTokenization::kChar, "char", tokenize_char},
    {BleuTokenization::kAtSpaces, "spaces", tokenize_at_spaces},
    {BleuTokenization::kCompounds, "spaces+compounds", tokenize_compounds},
};

const Tokenizer& find(BleuTokenization tokenization) {
  const auto found = std::find_if(std::begin(kTokenizers), std::end(kTokenizers),
                                  [&](const Tokenizer& t) { return t.tokenization == tokenization; });
  CHECK(found != std::end(kTokenizers), "unknown tokenization ", static_cast<int>(tokenization));
  return *found;
}

}  // namespace

std::vector<std::string> tokenize(BleuTokenization tokenization, std::string_view segment) {
  return find(tokenization).tokens_of(segment);
}

std::string name_of(BleuTokenization tokenization) {
  return std::string(find(tokenization).name);
}

}  // namespace plainformer
