// Reads the three formats of object files: ELF (Linux), Mach-O (macOS), COFF (Windows).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plainformer::course {

// In the order of their weight: a static library has a symbol in the firmest way that one of its members has it.
enum class Binding {
  kUndefined,
  kLocal,
  kWeak,  // one of several definitions may win: it is inline, a template's instance, or the compiler's
  kDefined
};

struct ObjectSymbol {
  std::string name;  // as on Linux: "malloc", "_ZN11plainformer15softmax_forwardE..."
  Binding binding = Binding::kUndefined;
  bool is_resolver = false;  // a function that runs before main, to choose another one
};

struct ObjectContent {
  std::vector<ObjectSymbol> symbols;
  std::map<std::string, long> initializers;  // the bytes of each section whose functions run before main
};

// Nothing if the bytes are not such a file, or end too early.
std::optional<ObjectContent> read_object(std::string_view bytes);

// The same object, in which each inline function and each instance of a template has a name of its own: "NAME.student".
// A linker keeps one function of each name, and would give a student's to the tests, or the tests' to the student. Inline
// variables stay shared. Only ELF: other formats are returned as they are.    std::logic_error if it is no such file
std::string with_own_inline_functions(std::string_view bytes);

// The members of a static library that are objects.
std::vector<std::string_view> members_of_library(std::string_view bytes);

bool is_library(std::string_view bytes);

}  // namespace plainformer::course
