// Text, as several files here need it.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace plainformer::course {

// Without their line breaks. A last line needs none.
std::vector<std::string> lines_of(const std::string& text);

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> prefixes);

// The bytes of a file; empty if it cannot be read.
std::string read_text(const std::filesystem::path& file);

// Paths in the project's texts are UTF-8, with slashes, on every system.
std::filesystem::path path_of(const std::string& text);
std::string text_of(const std::filesystem::path& path);

// The text with line breaks in the place of spaces, so that no line has more columns than that; a word that is longer
// is cut. (A number stays whole.) A column is a byte here, and no character is divided.
std::string wrapped(const std::string& text, std::size_t columns);

// Text as XML and HTML write it, in an attribute too: there a line break would become a space. What XML does not allow
// is replaced.
std::string escaped_for_xml(const std::string& text);

// What a failed build's log says of its error: the lines about the first one; without one, the last lines.
std::string error_of_log(const std::string& log);

// May it stand in an identifier?
bool is_word(char c);

}  // namespace plainformer::course
