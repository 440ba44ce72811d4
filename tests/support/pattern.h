// Regular expressions. <regex> takes seconds to compile, and it is slow where it is not optimized: one file
// includes it for all tests.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plainformer {

// A part of a text that a pattern matches.
struct Match {
  std::vector<std::string> groups;  // [0] is the whole part; a group that takes no part in the match is ""
  std::size_t begin = 0, end = 0;   // of the part, in the text
};

// A regular expression in the syntax of ECMAScript. An expression that is none throws std::regex_error.
class Pattern {
 public:
  enum class Case { kMatters, kIgnored };

  explicit Pattern(const std::string& expression, Case letters = Case::kMatters);

  // Is the whole text a match?
  bool matches(std::string_view text) const;
  std::optional<Match> match(std::string_view text) const;

  std::optional<Match> first_in(std::string_view text) const;
  std::vector<Match> all_in(std::string_view text) const;

  // The text with another in the place of each match, where $1 is its first group.
  std::string replaced_in(std::string_view text, const std::string& by) const;

  std::size_t groups() const;  // in the expression

 private:
  struct Regex;
  std::shared_ptr<const Regex> regex_;
};

}  // namespace plainformer
