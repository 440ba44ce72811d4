// The checkout as text: its files and their lines.
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

}  // namespace plainformer
