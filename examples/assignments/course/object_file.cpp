#include "object_file.h"

#include <cxxabi.h>
#if __has_include(<elf.h>)
#include <elf.h>
#endif

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <sstream>

#include "core/input_error.h"
#include "text.h"

namespace plainformer::course {

namespace {

std::string demangled(const std::string& name) {
  int failure = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failure), std::free);
  return failure == 0 ? text.get() : name;
}

// The lines of `nm -P` are "name type value size". Those of an archive's members, "library.a[file.o]:", have
// one word.
Symbols read_symbols(const Toolchain& tools, const fs::path& file, const std::vector<std::string>& options) {
  constexpr long kMostBytes = 64L << 20;
  std::vector<std::string> command = {tools.settings().nm, "-P"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(file.string());
  const ProcessResult nm = run_process(command, "", {.seconds = 60, .output_bytes = kMostBytes});
  if (!nm.succeeded())
    throw input_error(file.string(), "nm cannot read it: " + nm.ending(),
                      "does the compiler match the build?");
  Symbols symbols;
  std::istringstream lines(nm.output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, type;
    if (!(words >> name >> type) || type.size() != 1) continue;
    const auto [entry, is_new] = symbols.try_emplace(name);
    Symbol& symbol = entry->second;
    if (is_new) symbol = {.name = name, .readable = demangled(name), .type = type[0]};
    if (symbol.is_undefined() || symbol.is_weak()) symbol.type = type[0];  // of an archive: the firmest wins
  }
  return symbols;
}

#if __has_include(<elf.h>)
template <typename Header>
bool read_header(const std::string& bytes, std::size_t position, Header& header) {
  if (position > bytes.size() || bytes.size() - position < sizeof header) return false;
  std::memcpy(&header, bytes.data() + position, sizeof header);
  return true;
}

bool runs_before_main(const std::string& section) {
  return section.starts_with(".init") || section.starts_with(".preinit_array") ||
         section.starts_with(".ctors");
}
#endif

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

Symbols symbols_of(const Toolchain& tools, const fs::path& file) {
  return read_symbols(tools, file, {});
}

std::shared_ptr<const Symbols> global_symbols_of(const Toolchain& tools, const fs::path& file) {
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
    known = {time, std::make_shared<const Symbols>(read_symbols(tools, file, {"-g"}))};
  return known.symbols;
}

std::map<std::string, long> initializer_sections([[maybe_unused]] const fs::path& object) {
  std::map<std::string, long> bytes_of;
#if __has_include(<elf.h>)
  const std::string bytes = read_text(object);
  Elf64_Ehdr header;
  if (!read_header(bytes, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return bytes_of;
  const auto section_at = [&](std::size_t index, Elf64_Shdr& section) {
    return read_header(bytes, header.e_shoff + index * sizeof section, section);
  };
  // A file with very many sections keeps their number in the first one.
  Elf64_Shdr section, names;
  if (!section_at(0, section)) return bytes_of;
  const std::size_t count = header.e_shnum != 0 ? header.e_shnum : section.sh_size;
  const std::size_t names_index = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : section.sh_link;
  if (!section_at(names_index, names)) return bytes_of;
  for (std::size_t i = 1; i < count && section_at(i, section); ++i) {
    const std::size_t position = names.sh_offset + section.sh_name;
    if (position >= bytes.size()) continue;
    const std::string name = bytes.c_str() + position;
    if (runs_before_main(name)) bytes_of[name] += static_cast<long>(section.sh_size);
  }
#endif
  return bytes_of;
}

}  // namespace plainformer::course
