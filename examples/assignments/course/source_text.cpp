#include "source_text.h"

#include <algorithm>
#include <cctype>

#include "text.h"

namespace plainformer::course {

namespace {

// Walks through a source, and appends its code to lines. As a compiler does, it first joins the lines that a
// backslash continues, even within a word, and takes the joining back in a raw string.
class Reader {
 public:
  explicit Reader(const std::string& source) : source_(source) {
    for (std::size_t i = 0; i < source.size(); ++i) {
      const std::size_t next = source[i] == '\\' ? source.find_first_not_of(" \t\r\f\v", i + 1) : i;
      if (next != i && next != std::string::npos && source[next] == '\n') {
        i = next;
      } else {
        text_ += source[i];
        origin_.push_back(i);
      }
    }
    origin_.push_back(source.size());
  }

  std::vector<CodeLine> read() {
    lines_ = {{.number = 1, .code = {}}};
    while (at_ < text_.size()) {
      if (is_at("//")) {
        skip_to("\n");
      } else if (is_at("/*")) {
        at_ += 2;
        skip_past("*/");
        code() += ' ';
      } else if (is_at("<") && names_a_header()) {
        skip_past(">");
        code() += "<>";
      } else if (is_at("\"") && is_raw()) {
        skip_raw_string();
      } else if (is_at("\"") || (is_at("'") && !separates_digits())) {
        skip_literal(text_[at_]);
      } else {
        append(text_[at_++]);
      }
    }
    return lines_;
  }

 private:
  std::string& code() { return lines_.back().code; }

  bool is_at(const char* text) const {
    return text_.compare(at_, std::char_traits<char>::length(text), text) == 0;
  }

  // The word at the end of the code so far.
  std::string last_word() const {
    const std::string& code = lines_.back().code;
    return std::string(std::find_if_not(code.rbegin(), code.rend(), is_word).base(), code.end());
  }

  bool is_raw() const {
    const std::string word = last_word();
    return word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
  }

  bool separates_digits() const {
    const std::string word = last_word();
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0]));
  }

  // After #include and __has_include, neither a quote nor the sign of a comment counts up to the ">".
  bool names_a_header() const {
    const std::string& code = lines_.back().code;
    const std::size_t first = code.find_first_not_of(" \t");
    if (first == std::string::npos || code[first] != '#') return false;
    const std::vector<std::string> names = identifiers(code);
    const bool is_include = !names.empty() && names.back().find("include") != std::string::npos;
    return is_include && text_.find('>', at_) < text_.find('\n', at_);
  }

  void append(char c) {  // the one before at_
    if (c != '\n') {
      code() += c;
      return;
    }
    const auto line_end = source_.begin() + static_cast<std::ptrdiff_t>(origin_[at_ - 1]) + 1;
    number_ += static_cast<int>(std::count(counted_, line_end, '\n'));
    counted_ = line_end;
    lines_.push_back({.number = number_, .code = {}});
  }

  void skip_to(const std::string& end) { at_ = std::min(text_.find(end, at_), text_.size()); }

  void skip_past(const std::string& end) {
    skip_to(end);
    at_ = std::min(at_ + end.size(), text_.size());
  }

  void skip_raw_string() {
    const std::size_t quote = origin_[at_];
    const std::size_t open = std::min(source_.find('(', quote), source_.size());
    const std::string end = ")" + source_.substr(quote + 1, open - quote - 1) + "\"";
    const std::size_t close = source_.find(end, open);
    const std::size_t past = close == std::string::npos ? source_.size() : close + end.size();
    at_ = static_cast<std::size_t>(std::lower_bound(origin_.begin(), origin_.end(), past) - origin_.begin());
    code() += "\"\"";
  }

  void skip_literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
    code() += std::string(2, quote);
  }

  const std::string& source_;
  std::string text_;                 // with joined lines
  std::vector<std::size_t> origin_;  // of each character of text_ in source_; ends with the source's size
  std::size_t at_ = 0;               // in text_
  int number_ = 1;
  std::string::const_iterator counted_ = source_.begin();  // number_ counts the lines up to here
  std::vector<CodeLine> lines_;
};

}  // namespace

std::vector<CodeLine> code_lines(const std::string& source) {
  return Reader(source).read();
}

std::vector<std::string> identifiers(const std::string& code) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < code.size();) {
    const auto end = std::find_if_not(code.begin() + at, code.end(), is_word);
    const std::size_t length = static_cast<std::size_t>(end - code.begin()) - at;
    if (length > 0 && !std::isdigit(static_cast<unsigned char>(code[at])))
      found.push_back(code.substr(at, length));
    at += std::max<std::size_t>(length, 1);
  }
  return found;
}

}  // namespace plainformer::course
