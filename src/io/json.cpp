#include "io/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/strings.h"

namespace plainformer {

JsonValue::JsonValue(double value) {
  if (std::isfinite(value)) value_ = Number{shortest_text(value)};
}

std::optional<Index> JsonValue::size() const {
  const auto* number = std::get_if<Number>(&value_);
  if (!number || number->text.front() == '-') return std::nullopt;
  return parse_number<Index>(number->text);
}

std::optional<double> JsonValue::number() const {
  const auto* number = std::get_if<Number>(&value_);
  if (!number) return std::nullopt;
  return parse_number<double>(number->text);
}

const JsonValue* JsonValue::find(std::string_view name) const {
  if (!object()) return nullptr;
  for (const auto& [member_name, value] : *object()) {
    if (member_name == name) return &value;
  }
  return nullptr;
}

// ---- reading

// A recursive descent parser: one function for each rule of the grammar.
class JsonParser {
 public:
  JsonParser(std::string_view text, const std::string& where, Index max_values)
      : text_(text), where_(where), values_left_(max_values) {}

  JsonValue parse_document() {
    JsonValue value = parse_value(0);
    skip_space();
    if (position_ < text_.size()) fail_expecting("the end of the text");
    return value;
  }

 private:
  JsonValue parse_value(int depth) {
    skip_space();
    if (depth > kMaxJsonDepth) fail("nested more than " + std::to_string(kMaxJsonDepth) + " deep");
    if (values_left_-- == 0) fail("too many values");
    const char c = peek();
    if (c == '{') return parse_object(depth);
    if (c == '[') return parse_array(depth);
    if (c == '"') return parse_string();
    if (c == '-' || kDigits.find(c) != kDigits.npos) return parse_number();
    if (accept("true")) return true;
    if (accept("false")) return false;
    if (accept("null")) return JsonValue();
    fail_expecting("a value");
  }

  JsonValue parse_object(int depth) {
    JsonObject members;
    expect("{");
    skip_space();
    if (accept("}")) return members;
    do {
      skip_space();
      std::string name = parse_string();
      skip_space();
      expect(":");
      members.emplace_back(std::move(name), parse_value(depth + 1));
      skip_space();
    } while (accept(","));
    expect("}");
    reject_duplicates(members);
    return members;
  }

  JsonValue parse_array(int depth) {
    JsonArray elements;
    expect("[");
    skip_space();
    if (accept("]")) return elements;
    do {
      elements.push_back(parse_value(depth + 1));
      skip_space();
    } while (accept(","));
    expect("]");
    return elements;
  }

  std::string parse_string() {
    std::string out;
    expect("\"");
    out.reserve(bytes_to_closing_quote());
    while (!accept("\"")) {
      if (accept("\\")) {
        append_utf8(out, parse_escape());
        continue;
      }
      if (position_ == text_.size()) fail("a string does not end");
      if (static_cast<unsigned char>(peek()) < 0x20) fail("a control character in a string must be escaped");
      const Character character = decode_utf8(text_, position_);
      if (character.is_malformed()) fail("not valid UTF-8");
      out += character.bytes;
      position_ += character.bytes.size();
    }
    return out;
  }

  // At least the length of the string. With that much reserved, a huge string is not copied as it grows.
  std::size_t bytes_to_closing_quote() const {
    std::size_t end = position_;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    return end - position_;
  }

  // Parses an escape after its backslash. Characters past U+FFFF take two escapes, a surrogate pair.
  char32_t parse_escape() {
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t found = kEscapes.find(peek());
    if (found != std::string_view::npos) {
      ++position_;
      return static_cast<char32_t>(kMeanings[found]);
    }
    if (!accept("u")) fail("unknown escape");
    const char32_t high = parse_four_hex_digits();
    if (high < 0xD800 || high > 0xDFFF) return high;
    const char32_t low = high < 0xDC00 && accept("\\u") ? parse_four_hex_digits() : 0;
    if (low < 0xDC00 || low > 0xDFFF) fail("half a surrogate pair");
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }

  char32_t parse_four_hex_digits() {
    const std::string_view digits = text_.substr(position_, 4);
    std::uint32_t value = 0;
    const char* const end = digits.data() + digits.size();
    if (digits.size() < 4 || std::from_chars(digits.data(), end, value, 16).ptr != end)
      fail_expecting("four hex digits");
    position_ += 4;
    return value;
  }

  // [-] 0 or digits without a leading 0 [. digits] [e [+-] digits]
  JsonValue parse_number() {
    const std::size_t begin = position_;
    accept("-");
    if (!accept("0")) skip_digits();
    if (accept(".")) skip_digits();
    if (accept("e") || accept("E")) {
      if (!accept("+")) accept("-");
      skip_digits();
    }
    JsonValue value;
    value.value_ = JsonValue::Number{std::string(text_.substr(begin, position_ - begin))};
    return value;
  }

  void skip_digits() {
    if (kDigits.find(peek()) == kDigits.npos) fail_expecting("a digit");
    position_ = std::min(text_.find_first_not_of(kDigits, position_), text_.size());
  }

  void skip_space() { position_ = std::min(text_.find_first_not_of(" \t\n\r", position_), text_.size()); }

  void reject_duplicates(const JsonObject& members) const {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : members) names.push_back(name);
    std::sort(names.begin(), names.end());
    if (std::adjacent_find(names.begin(), names.end()) != names.end())
      fail("a name occurs twice in one object");
  }

  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

  bool accept(std::string_view token) {
    if (text_.compare(position_, token.size(), token) != 0) return false;
    position_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail_expecting(std::string(token));
  }

  [[noreturn]] void fail_expecting(const std::string& token) const {
    fail(position_ < text_.size() ? "expected " + token : "the text ends where " + token + " should be");
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw input_error(where_, "byte " + std::to_string(position_) + ": " + problem,
                      "this must be JSON; the file may be damaged or of another kind");
  }

  static constexpr std::string_view kDigits = "0123456789";

  const std::string_view text_;
  const std::string& where_;
  std::size_t position_ = 0;
  Index values_left_;
};

JsonValue parse_json(std::string_view text, const std::string& where, Index max_values) {
  return JsonParser(text, where, max_values).parse_document();
}

// ---- writing

namespace {

std::string quoted_text(std::string_view text) {
  constexpr char kHexDigits[] = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, bytes] = decode_utf8(text, at);
    if (value == '"' || value == '\\')
      out.append(1, '\\').append(bytes);
    else if (value == '\n')
      out += "\\n";
    else if (value == '\t')
      out += "\\t";
    else if (value < 0x20)
      out.append("\\u00").append(1, kHexDigits[value >> 4]).append(1, kHexDigits[value & 15]);
    else
      append_utf8(out, value);  // U+FFFD for a malformed byte
    at += bytes.size();
  }
  return out + '"';
}

}  // namespace

std::string to_json(const JsonValue& value) {
  if (value.is_null()) return "null";
  if (const bool* boolean = value.boolean()) return *boolean ? "true" : "false";
  if (const auto* number = std::get_if<JsonValue::Number>(&value.value_)) return number->text;
  if (const std::string* string = value.string()) return quoted_text(*string);
  std::string text;
  if (const JsonArray* elements = value.array()) {
    for (const JsonValue& element : *elements) text += (text.empty() ? "" : ", ") + to_json(element);
    return "[" + text + "]";
  }
  for (const auto& [name, member] : *value.object())
    text += (text.empty() ? "" : ", ") + quoted_text(name) + ": " + to_json(member);
  return "{" + text + "}";
}

}  // namespace plainformer
