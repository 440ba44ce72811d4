#include "io/json.h"

#include <algorithm>
#include <cmath>

#include "core/number_text.h"
#include "core/utf8.h"

namespace plainformer {

JsonValue::JsonValue(long long value) : value_(Number{std::to_string(value)}) {}
JsonValue::JsonValue(unsigned long long value) : value_(Number{std::to_string(value)}) {}

JsonValue::JsonValue(double value) {
  if (std::isfinite(value)) value_ = Number{shortest_text(value)};
}

JsonValue::JsonValue(JsonArray elements) : value_(std::move(elements)) {}
JsonValue::JsonValue(JsonObject members) : value_(std::move(members)) {}

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

// ---- writing

class JsonWriter {
 public:
  void write(const JsonValue& value) {
    if (value.is_null()) out_ += "null";
    if (const bool* boolean = value.boolean()) out_ += *boolean ? "true" : "false";
    if (const auto* number = std::get_if<JsonValue::Number>(&value.value_)) out_ += number->text;
    if (const std::string* text = value.string()) write_string(*text);
    if (const JsonArray* elements = value.array()) write_array(*elements);
    if (const JsonObject* members = value.object()) write_object(*members);
  }

  std::string take() { return std::move(out_); }

 private:
  void write_array(const JsonArray& elements) {
    const char* separator = "[";
    for (const JsonValue& element : elements) {
      out_ += separator;
      write(element);
      separator = ", ";
    }
    out_ += elements.empty() ? "[]" : "]";
  }

  void write_object(const JsonObject& members) {
    const char* separator = "{";
    for (const auto& [name, value] : members) {
      out_ += separator;
      write_string(name);
      out_ += ": ";
      write(value);
      separator = ", ";
    }
    out_ += members.empty() ? "{}" : "}";
  }

  void write_string(std::string_view text) {
    out_ += '"';
    for (std::size_t position = 0; position < text.size();) {
      const CodePoint character = decode_utf8(text, position);
      if (character.value < 0x80) {
        write_ascii(text[position]);
      } else {
        append_utf8(out_, character.value);  // U+FFFD for a malformed byte
      }
      position += character.bytes;
    }
    out_ += '"';
  }

  void write_ascii(char c) {
    constexpr char kHexDigits[] = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (c == '\t') {
      out_ += "\\t";
    } else if (code < 0x20) {
      out_ += "\\u00";
      out_ += kHexDigits[code >> 4];
      out_ += kHexDigits[code & 15];
    } else {
      out_ += c;
    }
  }

  std::string out_;
};

std::string to_json(const JsonValue& value) {
  JsonWriter writer;
  writer.write(value);
  return writer.take();
}

}  // namespace plainformer
