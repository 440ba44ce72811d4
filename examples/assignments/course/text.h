// Text, as several files here need it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace plainformer::course {

// Without their line breaks. A last line needs none.
std::vector<std::string> lines_of(const std::string& text);

// The bytes of a file; empty if it cannot be read.
std::string read_text(const std::filesystem::path& file);

// Paths in the project's texts are UTF-8, with slashes, on every system.
std::filesystem::path path_of(const std::string& text);
std::string text_of(const std::filesystem::path& path);

// May it stand in an identifier?
bool is_word(char c);

}  // namespace plainformer::course
