#include "io/safetensors.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "core/real.h"
#include "core/shape.h"
#include "core/strings.h"
#include "io/atomic_file.h"
#include "io/checksum.h"
#include "io/json.h"

namespace plainformer {

std::string quoted_name(const std::string& name) {
  constexpr std::size_t kLongest = 80;
  return to_json(name.size() <= kLongest ? name : name.substr(0, kLongest) + "...");
}

namespace {

constexpr Index kElementBytes = 4;  // of the F32 that is written

struct TensorEntry {
  std::string name;
  Shape shape;               // rank 0 in the file is [1] here
  Index begin = 0, end = 0;  // bytes, counted from the first element of the file
  bool is_double = false;

  Index element_bytes() const { return is_double ? 8 : kElementBytes; }
  const char* type() const { return is_double ? "F64" : "F32"; }
};

struct SafetensorsHeader {
  std::vector<TensorEntry> entries;  // in the order of their elements
  Metadata metadata;                 // without the checksum
  std::string checksum;              // empty if there is none
};

constexpr char kMetadataName[] = "__metadata__";
constexpr char kChecksumKey[] = "checksum";
constexpr std::string_view kChecksumScheme = "plainformer-1:";  // begins every checksum

// The hint for a file that breaks the format.
constexpr char kGetItAgain[] = "the file is damaged or was not written completely: copy or download it again";

constexpr Index kLengthBytes = 8;
constexpr Index kMaxHeaderBytes = 100'000'000;  // the format's own limit
constexpr Index kChunkBytes = 256 * 1024;       // stay in the cache on their way to or from the file

// The checksum of the contents, not of the header's bytes. So it stays valid if another program keeps tensors
// and metadata but orders or spaces them differently. Nothing is copied, because names and metadata may be
// huge.
class ContentChecksum {
 public:
  // A length before each field distinguishes ("ab", "c") from ("a", "bc").
  void add(std::initializer_list<std::string_view> fields) {
    Checksum checksum;
    for (std::string_view field : fields) checksum.add(std::to_string(field.size()) + ":").add(field);
    items_.push_back(checksum.hex());
  }

  void add_tensor(const TensorEntry& entry, const Checksum& elements) {
    add({"tensor", entry.name, entry.type(), entry.shape.to_string(), elements.hex()});
  }

  std::string finish(const Metadata& metadata) {
    for (const auto& [key, value] : metadata) add({"metadata", key, value});
    std::sort(items_.begin(), items_.end());
    Checksum checksum;
    for (const std::string& item : items_) checksum.add(item);
    return std::string(kChecksumScheme) + checksum.hex();
  }

 private:
  std::vector<std::string> items_;
};

// ---- reading the header

constexpr Index kMaxHeaderValues = 200'000;  // JSON values, 7 or 8 a tensor: limits memory to about 50 MB

// The fields of one tensor, {"dtype": "F32", "shape": [7, 5], "data_offsets": [0, 140]}, each checked.
TensorEntry parse_entry(const std::string& path, const std::string& name, const JsonValue& fields) {
  const auto error = [&](const std::string& problem, const std::string& hint = kGetItAgain) {
    return input_error(path, "tensor " + quoted_name(name) + " " + problem, hint);
  };
  if (!fields.object() || fields.object()->size() != 3)
    throw error("needs exactly dtype, shape and data_offsets");
  const JsonValue *dtype = fields.find("dtype"), *shape = fields.find("shape"),
                  *offsets = fields.find("data_offsets");
  if (!dtype || !dtype->string()) throw error("has no dtype");
  const bool is_double = *dtype->string() == "F64";
  if (!is_double && *dtype->string() != "F32")
    throw error("has dtype " + quoted_name(*dtype->string()), "convert it to F32");

  if (!shape || !shape->array()) throw error("has no shape");
  std::vector<Index> extents;
  for (const JsonValue& extent : *shape->array()) {
    if (!extent.size())
      throw error("has an extent that is not a whole number from 0 to " +
                  std::to_string(std::numeric_limits<Index>::max()));
    extents.push_back(*extent.size());
  }
  if (extents.size() > Shape::kMaxRank)
    throw error("has " + std::to_string(extents.size()) + " dimensions", "at most 4 can be read");

  if (!offsets || !offsets->array() || offsets->array()->size() != 2)
    throw error("does not have two data_offsets");
  const std::optional<Index> begin = offsets->array()->front().size(), end = offsets->array()->back().size();
  if (!begin || !end || *begin > *end) throw error("has data_offsets that are not a range of bytes");
  try {
    const Shape in_memory = extents.empty() ? Shape{1} : Shape(extents);
    const TensorEntry entry = {name, in_memory, *begin, *end, is_double};
    if (checked_multiply(entry.shape.elements(), entry.element_bytes()) == *end - *begin) return entry;
  } catch (const std::overflow_error&) {
    // No file is that long: the same error as for any other wrong length.
  }
  throw error("has a shape that does not fit its data_offsets");
}

// Separates the checksum from the metadata. If its key or its scheme occurs without the other, the file is
// damaged.
void parse_metadata(const JsonValue& value, const std::string& path, SafetensorsHeader& header) {
  if (!value.object()) throw input_error(path, "its __metadata__ is not an object", kGetItAgain);
  for (const auto& [key, member] : *value.object()) {
    const std::string* const text = member.string();
    if (!text) throw input_error(path, "metadata " + quoted_name(key) + " is not a string", kGetItAgain);
    const bool has_key = key == kChecksumKey;
    const bool has_scheme = text->starts_with(kChecksumScheme);
    if (has_key != has_scheme) {
      throw input_error(path, "metadata " + quoted_name(key) + " is not a checksum that can be verified",
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
      throw input_error(path,
                        "tensor " + quoted_name(entry.name) + " does not begin where the one before it ends",
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

// The error for a file of another kind, which was saved under the name of a safetensors file.
std::runtime_error not_safetensors(const std::string& path, std::string_view beginning) {
  beginning.remove_prefix(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
  if (beginning.starts_with("<"))
    return input_error(path, "is a web page, not a safetensors file",
                       "the download returned an error page: open it in a browser to see why");
  if (beginning.starts_with("version https://git-lfs"))
    return input_error(path, "is a git-LFS pointer, not the file itself",
                       "run 'git lfs pull' in its repository");
  if (beginning.starts_with("PK\x03\x04") || beginning.starts_with("\x80\x02"))
    return input_error(path, "is a PyTorch file, not a safetensors file",
                       "convert it with Python's safetensors package");
  return input_error(path, "is not a safetensors file: its first 8 bytes are not the length of a header",
                     kGetItAgain);
}

SafetensorsHeader read_header(InputFile& file) {
  const std::string& path = file.path();
  const Index size = file.size();
  if (size == 0) throw input_error(path, "is empty", kGetItAgain);
  if (size < kLengthBytes) throw input_error(path, "ends within its first 8 bytes", kGetItAgain);
  std::string beginning(kLengthBytes, '\0');
  file.read(beginning.data(), kLengthBytes);
  const auto length = load<std::uint64_t>(beginning.data());

  if (length > static_cast<std::uint64_t>(kMaxHeaderBytes)) {
    beginning.resize(static_cast<std::size_t>(std::min<Index>(size, 64)));
    file.read(beginning.data() + kLengthBytes, static_cast<Index>(beginning.size()) - kLengthBytes);
    throw not_safetensors(path, beginning);
  }
  const auto header_bytes = static_cast<Index>(length);
  if (header_bytes > size - kLengthBytes)
    throw input_error(path, "ends within its header of " + std::to_string(length) + " bytes", kGetItAgain);
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(text.data(), header_bytes);
  const JsonValue json = parse_json(text, path + ": header", kMaxHeaderValues);
  std::string().swap(text);  // frees its memory before names and metadata are copied
  if (!json.object()) throw input_error(path, "its header is not a JSON object", kGetItAgain);

  SafetensorsHeader header;
  for (const auto& [name, value] : *json.object()) {
    if (name == kMetadataName)
      parse_metadata(value, path, header);
    else
      header.entries.push_back(parse_entry(path, name, value));
  }
  check_tiling(header.entries, size - kLengthBytes - header_bytes, path);
  return header;
}

Tensor read_elements(InputFile& file, const TensorEntry& entry, Checksum& checksum) {
  Tensor tensor(entry.shape);
  Real* out = tensor.mutable_data();
  std::string buffer(static_cast<std::size_t>(std::min(kChunkBytes, entry.end - entry.begin)), '\0');
  for (Index position = entry.begin; position < entry.end; position += kChunkBytes) {
    const Index bytes = std::min(kChunkBytes, entry.end - position);
    file.read(buffer.data(), bytes);
    checksum.add({buffer.data(), static_cast<std::size_t>(bytes)});
    for (Index i = 0; i < bytes; i += entry.element_bytes()) {
      const char* const element = buffer.data() + i;
      *out++ = static_cast<Real>(entry.is_double ? load<double>(element) : load<float>(element));
    }
  }
  return tensor;
}

// ---- writing

// The header as text, padded with spaces to a multiple of 8 bytes, with the checksum among the metadata.
std::string format_safetensors_header(const SafetensorsHeader& header) {
  JsonObject metadata(header.metadata.begin(), header.metadata.end());
  metadata.emplace_back(kChecksumKey, header.checksum);

  JsonObject json;
  json.emplace_back(kMetadataName, std::move(metadata));
  for (const TensorEntry& entry : header.entries) {
    JsonArray shape;
    for (int axis = 0; axis < entry.shape.rank(); ++axis) shape.push_back(entry.shape[axis]);
    json.emplace_back(entry.name, JsonObject{{"dtype", entry.type()},
                                             {"shape", std::move(shape)},
                                             {"data_offsets", JsonArray{entry.begin, entry.end}}});
  }
  std::string text = to_json(json);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

// Hands the elements as F32 to `sink`, chunk by chunk.
void encode_elements(const Tensor& tensor, const std::function<void(std::string_view)>& sink) {
  constexpr Index kChunk = kChunkBytes / kElementBytes;
  std::string buffer(static_cast<std::size_t>(std::min(kChunk, tensor.size()) * kElementBytes), '\0');
  for (Index first = 0; first < tensor.size(); first += kChunk) {
    const Index count = std::min(kChunk, tensor.size() - first);
    const Real* const values = tensor.data() + first;
    for (Index i = 0; i < count; ++i) {
      store(buffer.data() + kElementBytes * i, static_cast<float>(values[i]));
    }
    sink({buffer.data(), static_cast<std::size_t>(count * kElementBytes)});
  }
}

void check_writable(const std::vector<NamedTensor>& tensors, const Metadata& metadata) {
  std::set<std::string> names = {kMetadataName}, keys = {kChecksumKey};
  for (const auto& [name, tensor] : tensors)
    CHECK(is_valid_utf8(name) && names.insert(name).second && tensor.rank() > 0, "tensor ",
          quoted_name(name));
  for (const auto& [key, value] : metadata)
    CHECK(is_valid_utf8(key) && keys.insert(key).second && is_valid_utf8(value) &&
              !value.starts_with(kChecksumScheme),
          "metadata ", quoted_name(key));
}

// Lays the tensors out one after another, in the given order. The checksum takes a first pass over all
// elements.
SafetensorsHeader header_for(const std::vector<NamedTensor>& tensors, const Metadata& metadata) {
  SafetensorsHeader header;
  header.metadata = metadata;
  ContentChecksum contents;
  Index position = 0;
  for (const auto& [name, tensor] : tensors) {
    const Index end = checked_add(position, checked_multiply(tensor.size(), kElementBytes));
    header.entries.push_back({name, tensor.shape(), position, end});
    position = end;
    Checksum elements;
    encode_elements(tensor, [&](std::string_view bytes) { elements.add(bytes); });
    contents.add_tensor(header.entries.back(), elements);
  }
  header.checksum = contents.finish(metadata);
  return header;
}

}  // namespace

const Tensor& TensorFile::at(const std::string& name) const {
  for (const NamedTensor& named : tensors) {
    if (named.name == name) return named.tensor;
  }
  throw input_error(path, "has no tensor " + quoted_name(name), "is it the right file?");
}

TensorFile read_tensor_file(const std::string& path) {
  InputFile file(path);
  SafetensorsHeader header = read_header(file);

  TensorFile result;
  result.path = path;
  ContentChecksum contents;
  for (TensorEntry& entry : header.entries) {
    Checksum elements;
    Tensor tensor = read_elements(file, entry, elements);
    contents.add_tensor(entry, elements);
    result.tensors.push_back({std::move(entry.name), std::move(tensor)});
  }
  if (!header.checksum.empty() && header.checksum != contents.finish(header.metadata)) {
    throw input_error(path, "was altered or damaged: its contents do not match its checksum",
                      "copy it again; if you changed it on purpose, remove the metadata key \"checksum\"");
  }
  result.metadata = std::move(header.metadata);
  return result;
}

void write_tensor_file(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const Metadata& metadata) {
  check_writable(tensors, metadata);
  const std::string header = format_safetensors_header(header_for(tensors, metadata));
  std::string length(kLengthBytes, '\0');
  store(length.data(), std::uint64_t{header.size()});

  AtomicFile file(path);
  file.write(length);
  file.write(header);
  for (const NamedTensor& named : tensors) {
    encode_elements(named.tensor, [&](std::string_view bytes) { file.write(bytes); });
  }
  file.commit();
}

}  // namespace plainformer
