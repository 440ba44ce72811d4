// The checkout as text: its files, their lines, and the links of its pages.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/pattern.h"

namespace plainformer {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

inline const fs::path kRoot = PLAINFORMER_SOURCE_DIR;

inline Lines lines_of(const fs::path& path) {
  std::ifstream stream(path);
  Lines lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The files below a folder whose path matches, as paths from the root, sorted.
inline Lines files_under(const std::string& folder, const std::string& pattern) {
  const Pattern wanted(pattern);
  Lines files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const std::string path = fs::relative(entry.path(), kRoot).generic_string();
    if (entry.is_regular_file() && wanted.matches(path)) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The pages that a reader opens, as paths from the root.
inline Lines all_pages() {
  Lines pages = files_under("docs", ".*\\.md");
  pages.push_back("README.md");
  for (const std::string& page : files_under("examples", ".*\\.md")) pages.push_back(page);
  return pages;
}

// A line of a page without its formulas, $`...`$, which are no code.
inline std::string without_math(std::string line) {
  for (std::size_t begin = line.find("$`"); begin != line.npos; begin = line.find("$`", begin)) {
    const std::size_t end = line.find("`$", begin + 2);
    if (end == line.npos) break;
    line.erase(begin, end + 2 - begin);
  }
  return line;
}

// A line of a page without its formulas and its code, in which brackets are no links.
inline std::string without_code(const std::string& page_line) {
  std::string line = without_math(page_line);
  for (std::size_t begin = line.find('`'); begin != line.npos; begin = line.find('`', begin)) {
    const std::size_t end = line.find('`', begin + 1);
    if (end == line.npos) break;
    line.erase(begin, end + 1 - begin);
  }
  return line;
}

// The first group of each match.
inline Lines all_matches(const std::string& text, const Pattern& pattern) {
  Lines found;
  for (const Match& match : pattern.all_in(text)) found.push_back(match.groups[1]);
  return found;
}

inline Lines links_in(const std::string& text) {
  static const Pattern link("\\]\\(([^)]+)\\)");
  return all_matches(text, link);
}

inline bool contains(const Lines& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

inline void expect_none(const Lines& problems) {
  for (const std::string& problem : problems) ADD_FAILURE() << problem;
}

}  // namespace plainformer
