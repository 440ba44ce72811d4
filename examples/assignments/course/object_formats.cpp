#include "object_formats.h"

#include <cstdint>
#include <stdexcept>

#include "text.h"

namespace plainformer::course {

namespace {

// Takes numbers and names out of a file. The file may be a student's: out_of_range if it ends too early.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes, bool is_big_endian = false)
      : bytes_(bytes), is_big_endian_(is_big_endian) {}

  std::uint64_t number(std::uint64_t at, std::size_t size) const {
    const std::string_view part = piece(at, size);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
      number = number << 8 | static_cast<unsigned char>(part[is_big_endian_ ? i : size - 1 - i]);
    return number;
  }

  // Up to a zero, and to `most` bytes.
  std::string text(std::uint64_t at, std::size_t most = std::string_view::npos) const {
    const std::string_view rest = piece(at, 0, most);
    return std::string(rest.substr(0, rest.find('\0')));
  }

  bool begins_with(std::string_view magic) const { return bytes_.starts_with(magic); }

 private:
  std::string_view piece(std::uint64_t at, std::size_t least,
                         std::size_t most = std::string_view::npos) const {
    if (at > bytes_.size() || bytes_.size() - at < least) throw std::out_of_range("it ends too early");
    return bytes_.substr(static_cast<std::size_t>(at), least > 0 ? least : most);
  }

  std::string_view bytes_;
  bool is_big_endian_;
};

// --- ELF ---

// Where the members of its structures stand. Those of 64 bits are in another order.
struct ElfLayout {
  std::size_t address;                                    // bytes of an address
  std::size_t sections, section_count, section_names;     // of the file's header
  std::size_t section_bytes, offset, size, link;          // of a section's header; `info` follows the link
  std::size_t symbol_bytes, symbol_info, symbol_section;  // of a symbol
};
constexpr ElfLayout kElf32 = {4, 0x20, 0x30, 0x32, 40, 16, 20, 24, 16, 12, 14};
constexpr ElfLayout kElf64 = {8, 0x28, 0x3C, 0x3E, 64, 24, 32, 40, 24, 4, 6};

struct ElfSection {
  std::string name;
  std::uint64_t type, offset, size, link, info;
  std::uint64_t header;  // where its header is
};

std::vector<ElfSection> elf_sections(const Bytes& file, const ElfLayout& layout) {
  constexpr std::uint64_t kNamesElsewhere = 0xFFFF;
  const std::uint64_t first = file.number(layout.sections, layout.address);
  const auto member = [&](std::uint64_t index, std::size_t offset, std::size_t size) {
    return file.number(first + index * layout.section_bytes + offset, size);
  };
  // A file with very many sections keeps their number in the first one.
  std::uint64_t count = file.number(layout.section_count, 2), names = file.number(layout.section_names, 2);
  if (count == 0) count = member(0, layout.size, layout.address);
  if (names == kNamesElsewhere) names = member(0, layout.link, 4);
  const std::uint64_t names_offset = member(names, layout.offset, layout.address);
  std::vector<ElfSection> sections;
  for (std::uint64_t i = 0; i < count; ++i)
    sections.push_back({.name = file.text(names_offset + member(i, 0, 4)),
                        .type = member(i, 4, 4),
                        .offset = member(i, layout.offset, layout.address),
                        .size = member(i, layout.size, layout.address),
                        .link = member(i, layout.link, 4),
                        .info = member(i, layout.link + 4, 4),
                        .header = first + i * layout.section_bytes});
  return sections;
}

ObjectSymbol elf_symbol(const std::string& name, std::uint64_t info, std::uint64_t section) {
  constexpr std::uint64_t kLocal = 0, kGlobal = 1, kUndefinedSection = 0, kResolver = 10;
  const std::uint64_t binding = info >> 4;
  ObjectSymbol symbol = {.name = name, .binding = Binding::kWeak};  // weak, or unique in the whole program
  if (section == kUndefinedSection)
    symbol.binding = Binding::kUndefined;
  else if (binding == kLocal)
    symbol.binding = Binding::kLocal;
  else if (binding == kGlobal)
    symbol.binding = Binding::kDefined;
  symbol.is_resolver = (info & 15) == kResolver;
  return symbol;
}

constexpr std::uint64_t kElfSymbolTable = 2, kElfGroup = 17;  // types of sections

bool is_elf(std::string_view bytes) {
  return bytes.starts_with(
      "\x7F"
      "ELF");
}

bool is_big_endian_elf(std::string_view bytes) {
  return Bytes(bytes).number(5, 1) == 2;
}

const ElfLayout& elf_layout(std::string_view bytes) {
  return Bytes(bytes).number(4, 1) == 2 ? kElf64 : kElf32;
}

ObjectContent read_elf(std::string_view bytes) {
  constexpr std::uint64_t kSectionSymbol = 3, kFileSymbol = 4;
  const Bytes file(bytes, is_big_endian_elf(bytes));
  const ElfLayout& layout = elf_layout(bytes);
  const std::vector<ElfSection> sections = elf_sections(file, layout);
  ObjectContent content;
  for (const ElfSection& section : sections) {
    if (starts_with_one_of(section.name, {".init", ".preinit_array", ".ctors"}))
      content.initializers[section.name] += static_cast<long>(section.size);
    if (section.type != kElfSymbolTable) continue;
    const std::uint64_t names = sections.at(static_cast<std::size_t>(section.link)).offset;
    for (std::uint64_t at = 0; at < section.size; at += layout.symbol_bytes) {
      const std::uint64_t symbol = section.offset + at;
      const std::uint64_t info = file.number(symbol + layout.symbol_info, 1), type = info & 15;
      const std::string name = file.text(names + file.number(symbol, 4));
      if (name.empty() || type == kSectionSymbol || type == kFileSymbol) continue;
      content.symbols.push_back(elf_symbol(name, info, file.number(symbol + layout.symbol_section, 2)));
    }
  }
  return content;
}

// Gives symbols of an ELF object other names. The new names go to the end of the file, behind a copy of the old ones.
class ElfRenamer {
 public:
  explicit ElfRenamer(std::string_view bytes)
      : bytes_(bytes),
        is_big_endian_(is_big_endian_elf(bytes)),
        layout_(elf_layout(bytes)),
        file_(bytes, is_big_endian_),
        sections_(elf_sections(file_, layout_)) {}

  std::string with_own_inline_functions() {
    for (const ElfSection& table : sections_)
      if (table.type == kElfSymbolTable) rename_in(table);
    return std::move(bytes_);
  }

 private:
  void rename_in(const ElfSection& table) {
    const ElfSection& names = sections_.at(static_cast<std::size_t>(table.link));
    std::string all_names =
        bytes_.substr(static_cast<std::size_t>(names.offset), static_cast<std::size_t>(names.size));
    for (std::uint64_t at = table.offset; at < table.offset + table.size; at += layout_.symbol_bytes)
      if (is_inline_function(at)) rename(at, names, all_names);
    for (const ElfSection& group : sections_)
      if (group.type == kElfGroup) {
        const std::uint64_t signature = table.offset + group.info * layout_.symbol_bytes;
        if (has_no_type(signature)) rename(signature, names, all_names);  // of a constructor's two forms
      }
    put(names.header + layout_.offset, layout_.address, bytes_.size());
    put(names.header + layout_.size, layout_.address, all_names.size());
    bytes_ += all_names;
  }

  bool is_inline_function(std::uint64_t symbol) const {
    constexpr std::uint64_t kWeak = 2, kFunction = 2;
    const std::uint64_t info = file_.number(symbol + layout_.symbol_info, 1);
    return info == (kWeak << 4 | kFunction) && file_.number(symbol + layout_.symbol_section, 2) != 0;
  }

  bool has_no_type(std::uint64_t symbol) const {
    return (file_.number(symbol + layout_.symbol_info, 1) & 15) == 0;
  }

  void rename(std::uint64_t symbol, const ElfSection& names, std::string& all_names) {
    const std::string name = file_.text(names.offset + file_.number(symbol, 4));
    if (!name.starts_with("_Z")) return;
    put(symbol, 4, all_names.size());
    all_names += name + ".student" + '\0';
  }

  void put(std::uint64_t at, std::size_t size, std::uint64_t number) {
    for (std::size_t i = 0; i < size; ++i, number >>= 8)
      bytes_.at(static_cast<std::size_t>(at) + (is_big_endian_ ? size - 1 - i : i)) =
          static_cast<char>(number & 0xFF);
  }

  std::string bytes_;
  const bool is_big_endian_;
  const ElfLayout& layout_;
  const Bytes file_;  // as it was
  const std::vector<ElfSection> sections_;
};

// --- Mach-O, of 64 bits ---

void read_mach_sections(const Bytes& file, std::uint64_t segment, ObjectContent& content) {
  constexpr std::uint64_t kSectionBytes = 80, kTypeMask = 0xFF, kInitializers = 9, kInitializerOffsets = 22;
  const std::uint64_t count = file.number(segment + 64, 4);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t section = segment + 72 + i * kSectionBytes;
    const std::uint64_t type = file.number(section + 64, 4) & kTypeMask;
    if (type == kInitializers || type == kInitializerOffsets)
      content.initializers[file.text(section, 16)] += static_cast<long>(file.number(section + 40, 8));
  }
}

void read_mach_symbols(const Bytes& file, std::uint64_t table, ObjectContent& content) {
  constexpr std::uint64_t kSymbolBytes = 16, kDebugging = 0xE0, kExternal = 1, kTypeMask = 0xE;
  constexpr std::uint64_t kWeakDefinition = 0x80, kResolver = 0x100;
  const std::uint64_t first = file.number(table + 8, 4), count = file.number(table + 12, 4),
                      names = file.number(table + 16, 4);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = first + i * kSymbolBytes, type = file.number(at + 4, 1),
                        description = file.number(at + 6, 2);
    std::string name = file.text(names + file.number(at, 4));
    if ((type & kDebugging) != 0 || name.empty()) continue;
    if (name.starts_with('_')) name.erase(0, 1);
    ObjectSymbol symbol = {.name = name, .binding = Binding::kDefined};
    const bool is_undefined = (type & kTypeMask) == 0 && file.number(at + 8, 8) == 0;
    if (is_undefined)
      symbol.binding = Binding::kUndefined;
    else if ((type & kExternal) == 0)
      symbol.binding = Binding::kLocal;
    else if ((description & kWeakDefinition) != 0)
      symbol.binding = Binding::kWeak;
    symbol.is_resolver = !is_undefined && (description & kResolver) != 0;
    content.symbols.push_back(symbol);
  }
}

ObjectContent read_mach(std::string_view bytes) {
  constexpr std::uint64_t kSymbolTable = 2, kSegment = 0x19, kHeaderBytes = 32;
  const Bytes file(bytes);
  ObjectContent content;
  const std::uint64_t count = file.number(16, 4);
  for (std::uint64_t i = 0, at = kHeaderBytes; i < count; ++i) {
    const std::uint64_t command = file.number(at, 4);
    if (command == kSegment) read_mach_sections(file, at, content);
    if (command == kSymbolTable) read_mach_symbols(file, at, content);
    at += file.number(at + 4, 4);
  }
  return content;
}

// --- COFF ---

constexpr std::uint64_t kCoffHeaderBytes = 20, kCoffSectionBytes = 40, kCoffSymbolBytes = 18;

struct CoffSection {
  std::string name;
  std::uint64_t size = 0;
  bool is_one_of_several = false;
};

std::vector<CoffSection> coff_sections(const Bytes& file, std::uint64_t names) {
  constexpr std::uint64_t kOneOfSeveral = 0x1000;
  std::vector<CoffSection> sections;
  const std::uint64_t count = file.number(2, 2);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = kCoffHeaderBytes + i * kCoffSectionBytes;
    std::string name = file.text(at, 8);  // or a slash and where it is among the long names
    if (name.size() > 1 && name[0] == '/') name = file.text(names + std::stoul(name.substr(1)));
    sections.push_back({.name = name,
                        .size = file.number(at + 16, 4),
                        .is_one_of_several = (file.number(at + 36, 4) & kOneOfSeveral) != 0});
  }
  return sections;
}

Binding coff_binding(std::uint64_t storage, std::uint64_t section, std::uint64_t value,
                     const std::vector<CoffSection>& sections) {
  constexpr std::uint64_t kExternal = 2, kWeak = 105;
  if (storage == kWeak) return Binding::kWeak;
  if (storage != kExternal) return Binding::kLocal;
  if (section == 0) return value == 0 ? Binding::kUndefined : Binding::kDefined;
  const bool is_weak =
      section <= sections.size() && sections[static_cast<std::size_t>(section - 1)].is_one_of_several;
  return is_weak ? Binding::kWeak : Binding::kDefined;
}

ObjectContent read_coff(std::string_view bytes) {
  constexpr std::uint64_t kFile = 103;
  const std::string_view imported = "__imp_";
  const Bytes file(bytes);
  const std::uint64_t first = file.number(8, 4), count = file.number(12, 4);
  const std::uint64_t names = first + count * kCoffSymbolBytes;
  const std::vector<CoffSection> sections = coff_sections(file, names);
  ObjectContent content;
  for (const CoffSection& section : sections)
    if (starts_with_one_of(section.name, {".ctors", ".init", ".CRT$"}))
      content.initializers[section.name] += static_cast<long>(section.size);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = first + i * kCoffSymbolBytes, storage = file.number(at + 16, 1);
    const bool has_long_name = file.number(at, 4) == 0;
    std::string name = has_long_name ? file.text(names + file.number(at + 4, 4)) : file.text(at, 8);
    if (name.starts_with(imported)) name.erase(0, imported.size());
    const std::uint64_t section = file.number(at + 12, 2);
    i += file.number(at + 17, 1);  // records that belong to this one
    if (storage == kFile || name.empty()) continue;
    const Binding binding = coff_binding(storage, section, file.number(at + 8, 4), sections);
    content.symbols.push_back({.name = name, .binding = binding});
  }
  return content;
}

bool is_coff(const Bytes& file) {
  constexpr std::uint64_t kX86 = 0x14C, kX86_64 = 0x8664, kArm64 = 0xAA64;
  const std::uint64_t machine = file.number(0, 2);
  return (machine == kX86 || machine == kX86_64 || machine == kArm64) && file.number(16, 2) == 0;
}

}  // namespace

std::optional<ObjectContent> read_object(std::string_view bytes) {
  try {
    const Bytes file(bytes);
    if (is_elf(bytes)) return read_elf(bytes);
    if (file.begins_with("\xCF\xFA\xED\xFE")) return read_mach(bytes);
    if (is_coff(file)) return read_coff(bytes);
  } catch (const std::logic_error&) {  // out_of_range, or a number that is none
  }
  return std::nullopt;
}

std::string with_own_inline_functions(std::string_view bytes) {
  if (!is_elf(bytes)) return std::string(bytes);
  return ElfRenamer(bytes).with_own_inline_functions();
}

bool is_library(std::string_view bytes) {
  return bytes.starts_with("!<arch>\n");
}

std::vector<std::string_view> members_of_library(std::string_view bytes) {
  constexpr std::size_t kMagicBytes = 8, kHeaderBytes = 60, kSizeAt = 48, kSizeBytes = 10;
  std::vector<std::string_view> members;
  std::size_t at = kMagicBytes;
  while (at + kHeaderBytes <= bytes.size()) {
    const std::string_view header = bytes.substr(at, kHeaderBytes);
    const std::size_t size = std::stoul(std::string(header.substr(kSizeAt, kSizeBytes)));
    // On macOS, a long name stands before the content: "#1/20" says that it has 20 bytes.
    const bool has_name_inside = header.starts_with("#1/");
    const std::size_t name = has_name_inside ? std::stoul(std::string(header.substr(3, 13))) : 0;
    const std::string_view member = bytes.substr(at + kHeaderBytes, size);
    if (name <= member.size()) members.push_back(member.substr(name));
    at += kHeaderBytes + size + size % 2;
  }
  return members;
}

}  // namespace plainformer::course
