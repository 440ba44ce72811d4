// Named tensors in a file of the safetensors format. Files are read as hostile and written atomically.
//
//   8 bytes   N, little-endian
//   N bytes   JSON: {"__metadata__": {"heads": "8"},
//                    "embedding": {"dtype": "F32", "shape": [7, 5], "data_offsets": [0, 140]}}
//   the rest  the elements of all tensors, little-endian, row-major, without gaps
//
// Elements are F32; F64, as of a model that PyTorch trained in double, is read, too. The format allows any
// rank; here rank 0 becomes shape [1], and a rank over 4 is refused. The metadata key "checksum", which is
// added, verified and removed here, protects names, shapes, elements and metadata. Files of other programs
// have none, and are read without that protection.
//
// Source: https://github.com/huggingface/safetensors, README.md, section "Format".
#pragma once

#include <string>
#include <vector>

#include "core/parameter.h"

namespace plainformer {

struct TensorFile {
  std::string path;                  // for error messages
  std::vector<NamedTensor> tensors;  // in the order of their elements in the file; names are distinct
  Metadata metadata;                 // in the order of the file; keys are distinct

  const Tensor& at(const std::string& name) const;  // input_error if there is none
};

// Reads a file. input_error unless it is complete and follows the format. (White space around the header's
// JSON is accepted, though the format allows only spaces after it.) All sizes are compared with the real size
// of the file before anything is allocated. Reading takes at most twice that size (in the double build, three
// times) plus 64 MB of memory.
TensorFile read_tensor_file(const std::string& path);

// Writes a file. Equal tensors and metadata give equal bytes. No tensor is copied. Names and metadata are
// valid UTF-8 and distinct; no tensor is named "__metadata__", and no metadata "checksum". A failure leaves
// the old file as it was, unless only the sync of the folder fails (AtomicFile::commit).
void write_tensor_file(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const Metadata& metadata);

// A name from an untrusted file in quotes, escaped and shortened for one line of a terminal.
std::string quoted_name(const std::string& name);

}  // namespace plainformer
