// What a marker of a page selects from a source file or from an output.
//
// <!-- code: PATH SELECTOR, SELECTOR ... -->            <!-- output: COMMAND; SELECTOR, SELECTOR ... -->
//   name                      a function, class or enumeration with its comment; a definition before a declaration
//   Class::name               a member
//   name(words)               the overload with these words among its parameters
//   name "words"              one step: the comment that starts with these words, and what it says, up to the next
//                             comment of the same depth
//   name "words" to "words"   from one step to the end of another
//   name until "words"        from the beginning to the step
//   name from "words"         from the step to the end
//   "words"                   of an output: the paragraph whose first line starts with these words; "to" as above
//   "words" without "words"   of an output: the paragraph without the column under this piece of its first line
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace plainformer {

struct Selector {
  std::string name, parameters;              // "Class::name", and the words between its parentheses
  std::string at, to, until, from, without;  // words between quotes
};

// Reads selectors. Throws std::runtime_error with what it cannot read.
class SelectorReader {
 public:
  static std::vector<Selector> read(const std::string& text) {
    SelectorReader reader(text);
    std::vector<Selector> selectors = {reader.selector()};
    while (reader.passes(',')) selectors.push_back(reader.selector());
    if (!reader.is_at_end()) throw std::runtime_error("no selector: " + text);
    return selectors;
  }

 private:
  explicit SelectorReader(const std::string& text) : text_(text) {}

  Selector selector() {
    Selector selector;
    if (next() != '"') selector.name = name();
    if (passes('(')) selector.parameters = up_to(')');
    if (next() == '"') selector.at = quoted();
    for (std::string word = keyword(); !word.empty(); word = keyword())
      words_after(word, selector) = quoted();
    if (selector.name.empty() && selector.at.empty()) throw std::runtime_error("no selector: " + text_);
    return selector;
  }

  std::string& words_after(const std::string& keyword, Selector& selector) const {
    if (keyword == "to") return selector.to;
    if (keyword == "until") return selector.until;
    if (keyword == "from") return selector.from;
    if (keyword == "without") return selector.without;
    throw std::runtime_error("not to, until, from or without: " + keyword);
  }

  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool is_at_end() { return next() == '\0'; }
  bool passes(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  std::string name() { return up_to_one_of(" ,(\""); }
  std::string keyword() {
    const char c = next();
    return c >= 'a' && c <= 'z' ? up_to_one_of(" ,\"") : "";
  }
  std::string quoted() {
    if (!passes('"')) throw std::runtime_error("quotes are missing: " + text_);
    return up_to('"');
  }

  std::string up_to(char end) {
    const std::string words = up_to_one_of(std::string(1, end));
    if (at_ == text_.size()) throw std::runtime_error(std::string("no ") + end + ": " + text_);
    ++at_;
    return words;
  }
  std::string up_to_one_of(const std::string& ends) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(ends, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  const std::string text_;
  std::size_t at_ = 0;
};

}  // namespace plainformer
