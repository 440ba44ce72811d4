// The header of a safetensors file: parsing it and formatting it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/named_tensor.h"
#include "core/shape.h"

namespace plainformer {

// The element types that can be read.
struct ElementType {
  std::string_view name;
  Index bytes;
};
inline constexpr ElementType kF32 = {"F32", 4};
inline constexpr ElementType kF64 = {"F64", 8};
inline constexpr ElementType kI64 = {"I64", 8};

struct TensorEntry {
  std::string name;
  const ElementType* type = nullptr;
  Shape shape;               // rank 0 in the file is [1] here
  Index begin = 0, end = 0;  // bytes, counted from the first element of the file
};

struct SafetensorsHeader {
  std::vector<TensorEntry> entries;  // in the order of their elements
  Metadata metadata;                 // without the checksum
  std::string checksum;              // empty if there is none
};

inline constexpr char kMetadataName[] = "__metadata__";
inline constexpr char kChecksumKey[] = "checksum";
inline constexpr std::string_view kChecksumScheme = "plainformer-1:";  // begins every checksum

// The hint for a file that breaks the format.
inline constexpr char kGetItAgain[] =
    "the file is damaged or was not written completely: copy or download it again";

// Parses the header. input_error about `path` unless it follows the format and its tensors fill `data_bytes`
// exactly.
SafetensorsHeader parse_safetensors_header(std::string text, Index data_bytes, const std::string& path);

// The header as text, padded with spaces to a multiple of 8 bytes, with the checksum among the metadata.
std::string format_safetensors_header(const SafetensorsHeader& header);

// A name from an untrusted file in quotes, escaped and shortened for one line of a terminal.
std::string quoted(const std::string& name);

}  // namespace plainformer
