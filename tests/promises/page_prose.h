// The prose of a page: what a reader reads of it in sentences, tables and headings.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "promises/marked_block.h"

namespace plainformer {

// The text without each part between two marks, and without the marks.
inline std::string without_between(std::string text, const std::string& open, const std::string& close) {
  for (std::size_t begin = text.find(open); begin != text.npos; begin = text.find(open, begin)) {
    const std::size_t end = text.find(close, begin + open.size());
    if (end == text.npos) break;
    text.replace(begin, end + close.size() - begin, " ");
  }
  return text;
}

// The text without links, "[text](target)". With `keep_texts` the texts stay.
inline std::string without_links(const std::string& text, bool keep_texts) {
  std::string rest;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t middle = text[at] == '[' ? text.find("](", at) : text.npos;
    const std::size_t end = middle == text.npos ? text.npos : text.find(')', middle);
    const bool is_link = end != text.npos && text.find('[', at + 1) > middle;
    if (!is_link) {
      rest += text[at++];
      continue;
    }
    if (keep_texts) rest += text.substr(at + 1, middle - at - 1);
    at = end + 1;
  }
  return rest;
}

// The paragraphs, tables and headings of a page, each in one line: without fences, formulas, code and comments.
inline Lines prose_of(const Lines& page) {
  Lines prose;
  std::string text;
  const auto finish = [&] {
    const std::string plain = without_between(without_between(without_math(text), "`", "`"), "<!--", "-->");
    if (plain.find_first_not_of(' ') != plain.npos) prose.push_back(plain);
    text.clear();
  };
  for (std::size_t i = 0; i < page.size(); ++i) {
    const std::size_t first = page[i].find_first_not_of(' ');
    if (first == std::string::npos || is_fence(page[i]) || page[i][first] == '#') finish();
    if (first == std::string::npos) continue;
    if (is_fence(page[i])) {
      while (++i < page.size() && !is_fence(page[i])) continue;
    } else {
      text += (text.empty() ? "" : " ") + page[i].substr(first);
      if (page[i][first] == '#') finish();
    }
  }
  finish();
  return prose;
}

// The cells of a table's row, "| a | b |", without the blanks around them. Empty for another line.
inline Lines cells_of(const std::string& line) {
  Lines cells;
  for (std::size_t begin = 0; line.starts_with("|") && begin + 1 < line.size();) {
    const std::size_t end = std::min(line.find('|', begin + 1), line.size());
    const std::string cell = line.substr(begin + 1, end - begin - 1);
    const std::size_t first = std::min(cell.find_first_not_of(' '), cell.size());
    cells.push_back(cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    begin = end;
  }
  return cells;
}

}  // namespace plainformer
