#include "io/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "core/checked_arithmetic.h"
#include "core/input_error.h"
#include "io/json.h"

namespace plainformer {

namespace {

constexpr Index kMaxHeaderValues = 200'000;  // JSON values, 7 or 8 a tensor: limits memory to about 50 MB

const ElementType* find_element_type(const std::string& name) {
  for (const ElementType* type : {&kF32, &kF64, &kI64}) {
    if (name == type->name) return type;
  }
  return nullptr;
}

Shape shape_from(const std::vector<Index>& extents) {
  switch (extents.size()) {
    case 0:
      return {1};
    case 1:
      return {extents[0]};
    case 2:
      return {extents[0], extents[1]};
    case 3:
      return {extents[0], extents[1], extents[2]};
    default:
      return {extents[0], extents[1], extents[2], extents[3]};
  }
}

// Parses the fields of one tensor, {"dtype": "F32", "shape": [7, 5], "data_offsets": [0, 140]}, and checks
// each.
class EntryParser {
 public:
  EntryParser(const std::string& path, const std::string& name, const JsonValue& fields)
      : path_(path), name_(name), fields_(fields) {}

  TensorEntry parse() const {
    if (!fields_.object() || fields_.object()->size() != 3)
      fail("needs exactly dtype, shape and data_offsets");
    TensorEntry entry;
    entry.name = name_;
    entry.type = parse_type();
    try {
      entry.shape = parse_shape();
      std::tie(entry.begin, entry.end) = parse_offsets();
      if (checked_multiply(entry.shape.elements(), entry.type->bytes) == entry.end - entry.begin)
        return entry;
    } catch (const std::overflow_error&) {
      // No file is that long: the same error as for any other wrong length.
    }
    fail("has a shape that does not fit its data_offsets");
  }

 private:
  const ElementType* parse_type() const {
    const JsonValue* const field = fields_.find("dtype");
    if (!field || !field->string()) fail("has no dtype");
    const ElementType* const type = find_element_type(*field->string());
    if (!type)
      fail("has dtype " + quoted(*field->string()), "convert it to F32; F64 and I64 can be read as well");
    return type;
  }

  Shape parse_shape() const {
    const JsonValue* const field = fields_.find("shape");
    if (!field || !field->array()) fail("has no shape");
    const JsonArray& numbers = *field->array();
    if (numbers.size() > Shape::kMaxRank) {
      fail("has " + std::to_string(numbers.size()) + " dimensions", "at most 4 can be read");
    }
    std::vector<Index> extents;
    for (const JsonValue& number : numbers) {
      if (!number.size()) {
        fail("has an extent that is not a whole number from 0 to " +
             std::to_string(std::numeric_limits<Index>::max()));
      }
      extents.push_back(*number.size());
    }
    return shape_from(extents);
  }

  std::pair<Index, Index> parse_offsets() const {
    const JsonValue* const field = fields_.find("data_offsets");
    if (!field || !field->array() || field->array()->size() != 2) fail("does not have two data_offsets");
    const std::optional<Index> begin = field->array()->front().size();
    const std::optional<Index> end = field->array()->back().size();
    if (!begin || !end || *begin > *end) fail("has data_offsets that are not a range of bytes");
    return {*begin, *end};
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& hint = kGetItAgain) const {
    throw input_error(path_, "tensor " + quoted(name_) + " " + problem, hint);
  }

  const std::string& path_;
  const std::string& name_;
  const JsonValue& fields_;
};

// Separates the checksum from the metadata. If its key or its scheme occurs without the other, the file is
// damaged.
void parse_metadata(const JsonValue& value, const std::string& path, SafetensorsHeader& header) {
  if (!value.object()) throw input_error(path, "its __metadata__ is not an object", kGetItAgain);
  for (const auto& [key, member] : *value.object()) {
    const std::string* const text = member.string();
    if (!text) throw input_error(path, "metadata " + quoted(key) + " is not a string", kGetItAgain);
    const bool has_key = key == kChecksumKey;
    const bool has_scheme = text->rfind(kChecksumScheme, 0) == 0;
    if (has_key != has_scheme) {
      throw input_error(path, "metadata " + quoted(key) + " is not a checksum that can be verified",
                        "the file is damaged, or another program wrote this key: remove it");
    }
    if (has_key) {
      header.checksum = *text;
    } else {
      header.metadata.emplace_back(key, *text);
    }
  }
}

// Sorts the tensors by offset, and checks that each begins where the one before it ends, and the last ends
// with the file.
void check_tiling(std::vector<TensorEntry>& entries, Index data_bytes, const std::string& path) {
  std::stable_sort(entries.begin(), entries.end(), [](const TensorEntry& a, const TensorEntry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  Index position = 0;
  for (const TensorEntry& entry : entries) {
    if (entry.begin != position) {
      throw input_error(path, "tensor " + quoted(entry.name) + " does not begin where the one before it ends",
                        kGetItAgain);
    }
    position = entry.end;
  }
  if (position != data_bytes) {
    throw input_error(path,
                      "its tensors take " + std::to_string(position) + " bytes, but " +
                          std::to_string(data_bytes) + " follow the header",
                      kGetItAgain);
  }
}

JsonArray extents_of(const Shape& shape) {
  JsonArray extents;
  for (int axis = 0; axis < shape.rank(); ++axis) extents.push_back(shape[axis]);
  return extents;
}

}  // namespace

std::string quoted(const std::string& name) {
  constexpr std::size_t kLongest = 80;
  return to_json(name.size() <= kLongest ? name : name.substr(0, kLongest) + "...");
}

SafetensorsHeader parse_safetensors_header(std::string text, Index data_bytes, const std::string& path) {
  const JsonValue json = parse_json(text, path + ": header", kMaxHeaderValues);
  std::string().swap(text);  // frees its memory before names and metadata are copied
  if (!json.object()) throw input_error(path, "its header is not a JSON object", kGetItAgain);

  SafetensorsHeader header;
  for (const auto& [name, value] : *json.object()) {
    if (name == kMetadataName) {
      parse_metadata(value, path, header);
    } else {
      header.entries.push_back(EntryParser(path, name, value).parse());
    }
  }
  check_tiling(header.entries, data_bytes, path);
  return header;
}

std::string format_safetensors_header(const SafetensorsHeader& header) {
  JsonObject metadata(header.metadata.begin(), header.metadata.end());
  metadata.emplace_back(kChecksumKey, header.checksum);

  JsonObject json;
  json.emplace_back(kMetadataName, std::move(metadata));
  for (const TensorEntry& entry : header.entries) {
    json.emplace_back(entry.name, JsonObject{{"dtype", entry.type->name},
                                             {"shape", extents_of(entry.shape)},
                                             {"data_offsets", JsonArray{entry.begin, entry.end}}});
  }
  std::string text = to_json(json);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

}  // namespace plainformer
