// The symbols of an object file or a static library, and its parts that run before main.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "toolchain.h"

namespace plainformer::course {

struct Symbol {
  std::string name;  // as the linker sees it: "_ZN11plainformer15softmax_forwardE..."
  std::string
      readable;   // "plainformer::softmax_forward(plainformer::Tensor, ...)"; of a C function, the name
  char type = 0;  // nm's letter

  bool is_undefined() const { return type == 'U' || type == 'w' || type == 'v'; }
  bool is_local() const { return type >= 'a' && type <= 'z' && !is_undefined() && type != 'u'; }
  // One of several definitions may win: it is inline, a template's instance, or the compiler's.
  bool is_weak() const { return type == 'W' || type == 'V' || type == 'u'; }
  bool is_c() const { return !name.starts_with("_Z"); }
  // The qualified name without the parameters: "plainformer::softmax_forward".
  std::string function() const;
};

using Symbols = std::map<std::string, Symbol>;  // by name
Symbols symbols_of(const Toolchain& tools, const fs::path& file);

// The same without the local ones, and kept until the file changes: for files of ours. Several threads may
// call it.
std::shared_ptr<const Symbols> global_symbols_of(const Toolchain& tools, const fs::path& file);

// The bytes of each section of an ELF object whose functions run before main; empty for other formats.
std::map<std::string, long> initializer_sections(const fs::path& object);

}  // namespace plainformer::course
