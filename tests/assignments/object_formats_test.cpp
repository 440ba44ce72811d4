// Object files as macOS and Windows have them, made here by hand. (Those of this system: see inspection_test.cpp.)
#include "object_formats.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace plainformer::course {
namespace {

class File {
 public:
  File& number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text_ += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
  File& name(std::string name, std::size_t bytes) {
    name.resize(bytes);
    text_ += name;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string summary(const ObjectContent& content) {
  std::string text;
  for (const ObjectSymbol& symbol : content.symbols)
    text += symbol.name + " " + "UtWT"[static_cast<int>(symbol.binding)] + (symbol.is_resolver ? "! " : " ");
  for (const auto& [section, bytes] : content.initializers)
    text += section + " " + std::to_string(bytes) + " ";
  return text;
}

void add_mach_section(File& file, const std::string& name, std::uint64_t size, std::uint64_t type) {
  file.name(name, 16).name("__DATA", 16).number(0, 8).number(size, 8);
  file.number(0, 4).number(0, 4).number(0, 4).number(0, 4).number(type, 4).name("", 12);
}

void add_mach_symbol(File& file, std::uint64_t name, std::uint64_t type, std::uint64_t description) {
  file.number(name, 4).number(type, 1).number(1, 1).number(description, 2).number(0, 8);
}

std::string mach_object() {
  const std::string names = std::string("\0_half\0_early\0__Z4weakv\0_malloc\0_pick\0", 37);
  constexpr std::uint64_t kSegmentBytes = 72 + 2 * 80, kTableBytes = 24, kSymbols = 5;
  const std::uint64_t symbols = 32 + kSegmentBytes + kTableBytes;
  File file;
  file.number(0xFEEDFACF, 4).name("", 12).number(2, 4).name("", 12);
  file.number(0x19, 4).number(kSegmentBytes, 4).name("", 56).number(2, 4).number(0, 4);
  add_mach_section(file, "__text", 100, 0);
  add_mach_section(file, "__mod_init_func", 16, 9);
  file.number(2, 4).number(kTableBytes, 4).number(symbols, 4).number(kSymbols, 4);
  file.number(symbols + 16 * kSymbols, 4).number(names.size(), 4);
  add_mach_symbol(file, 1, 0x0F, 0);
  add_mach_symbol(file, 7, 0x0E, 0);
  add_mach_symbol(file, 14, 0x0F, 0x80);
  add_mach_symbol(file, 24, 0x01, 0);
  add_mach_symbol(file, 32, 0x0F, 0x100);
  return file.text() + names;
}

TEST(ObjectFormats, ReadsMachO) {
  const auto content = read_object(mach_object());
  ASSERT_TRUE(content);
  EXPECT_EQ(summary(*content), "half T early t _Z4weakv W malloc U pick T! __mod_init_func 16 ");
}

void add_coff_section(File& file, const std::string& name, std::uint64_t size, std::uint64_t flags) {
  file.name(name, 8).number(0, 4).number(0, 4).number(size, 4).name("", 16).number(flags, 4);
}

void add_coff_symbol(File& file, const std::string& name, int section, int storage, int more_records) {
  file.name(name, 8).number(0, 4).number(static_cast<std::uint64_t>(section), 2).number(0, 2);
  file.number(static_cast<std::uint64_t>(storage), 1).number(static_cast<std::uint64_t>(more_records), 1);
}

std::string coff_object() {
  constexpr std::uint64_t kSections = 3, kSymbols = 7;
  const std::string long_name = "__imp_a_long_name";
  File file;
  file.number(0x8664, 2).number(kSections, 2).number(0, 4).number(20 + 40 * kSections, 4);
  file.number(kSymbols, 4).number(0, 2).number(0, 2);
  add_coff_section(file, ".text", 100, 0);
  add_coff_section(file, ".ctors", 8, 0);
  add_coff_section(file, "/22", 50, 0x1000);
  add_coff_symbol(file, ".file", -2, 103, 1);
  file.name("half.cpp", 18);
  add_coff_symbol(file, "half", 1, 2, 0);
  add_coff_symbol(file, "early", 1, 3, 0);
  add_coff_symbol(file, "_Z1wv", 3, 2, 0);
  add_coff_symbol(file, "malloc", 0, 2, 0);
  file.number(0, 4).number(4, 4).number(0, 4).number(0, 2).number(0, 2).number(2, 1).number(0, 1);
  return file.number(100, 4).name(long_name, long_name.size() + 1).name(".text$_Z1wv", 12).text();
}

TEST(ObjectFormats, ReadsCoff) {
  const auto content = read_object(coff_object());
  ASSERT_TRUE(content);
  EXPECT_EQ(summary(*content), "half T early t _Z1wv W malloc U a_long_name U .ctors 8 ");
}

TEST(ObjectFormats, RefusesWhatEndsTooEarly) {
  for (const std::string& object : {mach_object(), coff_object()})
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{3}, std::size_t{19}, object.size() / 2})
      EXPECT_FALSE(read_object(object.substr(0, bytes))) << bytes;
  EXPECT_FALSE(read_object("#include <cmath>\nint main() {}"));
}

// The members of a library for macOS have their names inside.
TEST(ObjectFormats, FindsTheMembersOfALibrary) {
  const auto header = [](const std::string& name, std::size_t bytes) {
    std::string text = name;
    text.resize(48, ' ');
    text += std::to_string(bytes);
    text.resize(58, ' ');
    return text + "`\n";
  };
  const std::string library =
      "!<arch>\n" + header("one.o/", 3) + "one\n" + header("#1/4", 7) + std::string("2.o\0two", 7);
  EXPECT_TRUE(is_library(library));
  EXPECT_FALSE(is_library("one"));
  EXPECT_EQ(members_of_library(library), (std::vector<std::string_view>{"one", "two"}));
}

}  // namespace
}  // namespace plainformer::course
