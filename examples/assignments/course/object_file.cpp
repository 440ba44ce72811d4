#include "object_file.h"

#include <cxxabi.h>

#include <cstdlib>
#include <mutex>

#include "core/input_error.h"
#include "io/atomic_file.h"
#include "text.h"

namespace plainformer::course {

namespace {

// A name of C, which has no mangling, is itself: the demangler would take a global called "i" for the type int.
std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z") && !name.starts_with("__Z")) return name;
  int failure = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failure), std::free);
  return failure == 0 ? text.get() : name;
}

// libc++ keeps all of std in an inner namespace.
std::string readable_name(const std::string& name) {
  const std::string inner = "std::__1::";
  std::string text = demangled(name);
  for (std::size_t at = text.find(inner); at != std::string::npos; at = text.find(inner, at))
    text.replace(at, inner.size(), "std::");
  return text;
}

std::runtime_error unreadable(const fs::path& file) {
  return input_error(text_of(file), "it is neither an object file nor a static library",
                     "does the compiler match the build?");
}

void add(const ObjectContent& content, bool with_local, Symbols& symbols) {
  for (const ObjectSymbol& symbol : content.symbols) {
    if (!with_local && symbol.binding == Binding::kLocal) continue;
    const auto [entry, is_new] = symbols.try_emplace(symbol.name);
    if (is_new)
      entry->second = {symbol, readable_name(symbol.name)};
    else if (symbol.binding > entry->second.binding)
      entry->second.binding = symbol.binding;
    entry->second.is_resolver |= symbol.is_resolver;
  }
}

Symbols read_symbols(const fs::path& file, bool with_local) {
  const std::string bytes = read_text(file);
  Symbols symbols;
  if (is_library(bytes)) {
    for (const std::string_view member : members_of_library(bytes))
      if (const auto content = read_object(member)) add(*content, with_local, symbols);
    return symbols;
  }
  const auto content = read_object(bytes);
  if (!content) throw unreadable(file);
  add(*content, with_local, symbols);
  return symbols;
}

}  // namespace

std::string Symbol::function() const {
  const std::string unnamed = "(anonymous namespace)";
  std::size_t end = 0;
  int depth = 0;
  for (; end < readable.size(); ++end) {
    if (readable.compare(end, unnamed.size(), unnamed) == 0) end += unnamed.size();
    if (readable[end] == '<') ++depth;
    if (readable[end] == '>') --depth;
    if (readable[end] == '(' && depth == 0) break;
  }
  return readable.substr(0, end);
}

Symbols symbols_of(const fs::path& file) {
  return read_symbols(file, true);
}

std::shared_ptr<const Symbols> global_symbols_of(const fs::path& file) {
  struct Known {
    fs::file_time_type time;
    std::shared_ptr<const Symbols> symbols;
  };
  static std::mutex mutex;
  static std::map<fs::path, Known> known_files;
  const std::lock_guard<std::mutex> lock(mutex);
  Known& known = known_files[file];
  const fs::file_time_type time = fs::last_write_time(file);
  if (!known.symbols || known.time != time)
    known = {time, std::make_shared<const Symbols>(read_symbols(file, false))};
  return known.symbols;
}

void keep_inline_functions_apart(const fs::path& object) {
  write_file_atomically(text_of(object), with_own_inline_functions(read_text(object)));
}

std::map<std::string, long> initializer_sections(const fs::path& object) {
  const auto content = read_object(read_text(object));
  if (!content) throw unreadable(object);
  return content->initializers;
}

}  // namespace plainformer::course
