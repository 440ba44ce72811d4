// The symbols of an object file or a static library, and its parts that run before main.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "object_formats.h"

namespace plainformer::course {

namespace fs = std::filesystem;

struct Symbol : ObjectSymbol {
  // "plainformer::softmax_forward(plainformer::Tensor, ...)"; of a C function, the name
  std::string readable = {};

  bool is_undefined() const { return binding == Binding::kUndefined; }
  bool is_local() const { return binding == Binding::kLocal; }
  bool is_weak() const { return binding == Binding::kWeak; }
  bool is_c() const { return !name.starts_with("_Z"); }
  // The qualified name without the parameters: "plainformer::softmax_forward".
  std::string function() const;
};

using Symbols = std::map<std::string, Symbol>;  // by name

// std::runtime_error if the file is neither an object nor a static library
Symbols symbols_of(const fs::path& file);

// The same without the local ones, and kept until the file changes: for files of ours. Several threads may
// call it.
std::shared_ptr<const Symbols> global_symbols_of(const fs::path& file);

// Gives each inline function of an object a name of its own (object_formats.h), so that none of them replaces a function
// of the tests or of the library.
void keep_inline_functions_apart(const fs::path& object);

// The bytes of each section of an object whose functions run before main.
std::map<std::string, long> initializer_sections(const fs::path& object);

}  // namespace plainformer::course
