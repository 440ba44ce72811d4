// JSON (RFC 8259): read strictly, because a file may be hostile; written so that it reads back exactly.
//
// Numbers keep the digits of their text until the caller asks for a type, so that no size passes through a
// double. Objects keep their order. Nothing depends on the locale.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/real.h"

namespace plainformer {

class JsonValue;
using JsonArray = std::vector<JsonValue>;
// JsonObject{{"step", 17}, {"loss", 3.25}}
using JsonObject = std::vector<std::pair<std::string, JsonValue>>;

// A JSON value: null, true or false, a number, a string, an array or an object. The accessors of the types
// that it does not have return nullptr or nullopt.
class JsonValue {
  struct Number {
    std::string text;  // in JSON's own grammar
  };

 public:
  JsonValue() = default;  // null
  JsonValue(bool value) : value_(value) {}
  JsonValue(std::integral auto value) : value_(Number{std::to_string(value)}) {}
  JsonValue(double value);  // the shortest digits that read back as the same double; null if it is not finite
  JsonValue(const char* text) : value_(std::string(text)) {}
  JsonValue(std::string text) : value_(std::move(text)) {}
  JsonValue(std::string_view text) : value_(std::string(text)) {}
  JsonValue(JsonArray elements) : value_(std::move(elements)) {}
  JsonValue(const std::vector<std::string>& texts) : value_(JsonArray(texts.begin(), texts.end())) {}
  JsonValue(JsonObject members) : value_(std::move(members)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  const std::string* string() const { return std::get_if<std::string>(&value_); }
  const JsonArray* array() const { return std::get_if<JsonArray>(&value_); }
  const JsonObject* object() const { return std::get_if<JsonObject>(&value_); }

  // A number that was written as a plain non-negative integer (no sign, fraction or exponent) and that fits.
  std::optional<Index> size() const;
  // Any number that a double can hold.
  std::optional<double> number() const;
  // The value of a member; nullptr if no member has this name, or if this is not an object.
  const JsonValue* find(std::string_view name) const;

 private:
  friend class JsonParser;
  friend std::string to_json(const JsonValue& value);
  std::variant<std::monostate, bool, Number, std::string, JsonArray, JsonObject> value_;
};

// Limits, because two bytes of text can become a value of a hundred bytes.
inline constexpr int kMaxJsonDepth = 64;
inline constexpr Index kMaxJsonValues = 1'000'000;

// Reads one JSON document and nothing after it. Rejects invalid UTF-8, a name that occurs twice in one
// object, half a surrogate pair, nesting deeper than kMaxJsonDepth, and more than `max_values` values.
//   where   the source of the text, for errors: "where: byte 17: ..."
JsonValue parse_json(std::string_view text, const std::string& where, Index max_values = kMaxJsonValues);

// The value in one line of text: {"step": 17, "loss": 3.25}. Bytes that are not UTF-8 become U+FFFD.
std::string to_json(const JsonValue& value);

}  // namespace plainformer
