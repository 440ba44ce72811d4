// Blocks of a page whose content comes from elsewhere: a marker, which a reader does not see, and the fence below it.
//
//   <!-- code: src/ops/softmax.cpp softmax_forward -->
//   ```cpp
//   ...
//   ```
#pragma once

#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "promises/repository.h"

namespace plainformer {

struct MarkedBlock {
  std::string what = {};           // after "code: "
  std::string indent = {};         // of the marker and of each line below it, in a list
  std::size_t line = 0;            // of the marker, from 1
  std::size_t begin = 0, end = 0;  // the lines within the fence, from 0; 0: there is no fence
};

inline bool is_fence(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string::npos && line.compare(first, 3, "```") == 0;
}

// The blocks of a page with markers of this kind, "code" or "output". A marker within a fence is text.
inline std::vector<MarkedBlock> marked_blocks(const Lines& page, const std::string& kind) {
  const std::string open = "<!-- " + kind + ": ", close = " -->";
  std::vector<MarkedBlock> blocks;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (is_fence(page[i])) {
      while (++i < page.size() && !is_fence(page[i])) continue;
      continue;
    }
    const std::size_t depth = page[i].find(open);
    if (depth == std::string::npos || page[i].find_first_not_of(' ') != depth) continue;
    MarkedBlock block = {.indent = std::string(depth, ' '), .line = i + 1};
    block.what = page[i].substr(depth + open.size());
    if (block.what.ends_with(close)) block.what.resize(block.what.size() - close.size());
    if (i + 1 < page.size() && is_fence(page[i + 1])) {
      block.begin = block.end = i + 2;
      while (block.end < page.size() && !is_fence(page[block.end])) ++block.end;
    }
    blocks.push_back(block);
  }
  return blocks;
}

inline Lines content_of(const Lines& page, const MarkedBlock& block) {
  Lines content(page.begin() + block.begin, page.begin() + block.end);
  for (std::string& line : content)
    if (line.starts_with(block.indent)) line = line.substr(block.indent.size());
  return content;
}

// What a block should hold. Gets what it holds, since a command may stand above its output. Throws
// std::runtime_error where the source has nothing of that name.
using Source = std::function<Lines(const std::string& what, const Lines& content)>;

struct ComparedPage {
  Lines page;           // with the content that it should have
  Lines problems = {};  // line and reason, of each block that differs or cannot be made
  bool can_be_made = true;
};

// Compares the marked blocks of a page with their sources.
inline ComparedPage compare(const Lines& page, const std::string& kind, const Source& source) {
  ComparedPage compared = {.page = page};
  const std::vector<MarkedBlock> blocks = marked_blocks(page, kind);
  for (auto block = blocks.rbegin(); block != blocks.rend();
       ++block) {  // so that earlier lines keep their numbers
    const std::string where = std::to_string(block->line) + ": " + block->what + ": ";
    try {
      if (block->begin == 0) throw std::runtime_error("no fence in the next line");
      const Lines content = content_of(page, *block), wanted = source(block->what, content);
      if (content == wanted) continue;
      std::size_t same = 0;
      while (same < std::min(content.size(), wanted.size()) && content[same] == wanted[same]) ++same;
      compared.problems.push_back(where + "differs from line " + std::to_string(same + 1) +
                                  " of the fence on: \"" + (same < content.size() ? content[same] : "```") +
                                  "\", but the source has \"" +
                                  (same < wanted.size() ? wanted[same] : "```") + "\"");
      Lines& lines = compared.page;
      lines.erase(lines.begin() + block->begin, lines.begin() + block->end);
      for (std::size_t i = 0; i < wanted.size(); ++i)
        lines.insert(lines.begin() + block->begin + i, wanted[i].empty() ? "" : block->indent + wanted[i]);
    } catch (const std::runtime_error& error) {
      compared.problems.push_back(where + error.what());
      compared.can_be_made = false;
    }
  }
  return compared;
}

// Compares a page of the checkout; with PLAINFORMER_UPDATE_PAGES=1 in the environment, writes it again instead.
inline void expect_from_source(const std::string& path, const std::string& kind, const Source& source) {
  const ComparedPage compared = compare(lines_of(kRoot / path), kind, source);
  const bool update = std::getenv("PLAINFORMER_UPDATE_PAGES") != nullptr;
  if (update && compared.can_be_made && !compared.problems.empty()) {
    std::ofstream file(kRoot / path, std::ios::binary);
    for (const std::string& line : compared.page) file << line << '\n';
    return;
  }
  for (const std::string& problem : compared.problems)
    ADD_FAILURE()
        << path << ":" << problem
        << "\nIf the source is right: PLAINFORMER_UPDATE_PAGES=1 promises_tests --gtest_filter=InPages.*";
}

}  // namespace plainformer
