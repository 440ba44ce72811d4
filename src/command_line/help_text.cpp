#include "command_line/help_text.h"

#include <algorithm>

#include "platform/platform.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr int kStdout = 1;
constexpr int kMostColumns = 100;
constexpr int kFewestColumnsOfText = 24;

bool begins_a_part(const std::string& word) {
  return word.starts_with('[') || word.starts_with('(') || word.starts_with('-') || word.starts_with('<') ||
         word.starts_with('>');
}

}  // namespace

int help_width() {
  if (!is_terminal(kStdout)) return kMostColumns;
  return std::min(kMostColumns, terminal_width(kStdout));
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space && !in_word) words.emplace_back();
    if (!is_space) words.back() += c;
    in_word = !is_space;
  }
  return words;
}

std::vector<std::string> parts_of_usage(std::string_view usage) {
  std::vector<std::string> parts;
  for (const std::string& word : words_of(usage)) {
    if (parts.empty() || begins_a_part(word))
      parts.push_back(word);
    else
      parts.back() += " " + word;
  }
  return parts;
}

std::string wrapped(const std::vector<std::string>& words, int column, int indent, int width) {
  std::string text;
  bool is_first = true;  // of its line
  for (const std::string& word : words) {
    const int word_width = display_width(word);
    if (!is_first && column + 1 + word_width > width) {
      text += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
      is_first = true;
    }
    if (!is_first) {
      text += " ";
      column += 1;
    }
    text += word;
    column += word_width;
    is_first = false;
  }
  return text;
}

std::string help_row(const std::string& name, std::string_view text, int name_width, int width) {
  const int text_column = 2 + name_width + 2;
  const int text_end = std::max(width, text_column + kFewestColumnsOfText);
  const std::string lines = wrapped(words_of(text), text_column, text_column, text_end);
  return "  " + pad_right(name, name_width) + "  " + lines + "\n";
}

}  // namespace plainformer
