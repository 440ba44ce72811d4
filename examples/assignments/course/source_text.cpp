#include "source_text.h"

#include <algorithm>
#include <cctype>

namespace plainformer::course {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Walks through a source, and appends its code to lines.
class Reader {
 public:
  explicit Reader(const std::string& source) : source_(source) {}

  std::vector<CodeLine> read() {
    lines_ = {{.number = 1, .code = {}}};
    while (at_ < source_.size()) {
      if (is_at("\\\n")) {
        at_ += 2;
        ++number_;
      } else if (is_at("//")) {
        skip_to("\n");
      } else if (is_at("/*")) {
        at_ += 2;
        skip_past("*/");
        lines_.back().code += ' ';
      } else if (is_at("R\"") && !ends_in_word(lines_.back().code)) {
        skip_raw_string();
      } else if (is_at("\"") || (is_at("'") && !ends_in_word(lines_.back().code))) {
        skip_literal(source_[at_]);
      } else {
        append(source_[at_++]);
      }
    }
    return lines_;
  }

 private:
  bool is_at(const char* text) const {
    return source_.compare(at_, std::char_traits<char>::length(text), text) == 0;
  }

  static bool ends_in_word(const std::string& code) { return !code.empty() && is_word(code.back()); }

  void append(char c) {
    if (c == '\n')
      lines_.push_back({.number = ++number_, .code = {}});
    else
      lines_.back().code += c;
  }

  void skip_to(const std::string& end) {
    const std::size_t found = std::min(source_.find(end, at_), source_.size());
    number_ += static_cast<int>(std::count(source_.begin() + at_, source_.begin() + found, '\n'));
    at_ = found;
  }

  void skip_past(const std::string& end) {
    skip_to(end);
    at_ = std::min(at_ + end.size(), source_.size());
  }

  void skip_raw_string() {
    const std::size_t open = std::min(source_.find('(', at_), source_.size());
    const std::string end = ")" + source_.substr(at_ + 2, open - at_ - 2) + "\"";
    skip_past(end);
    lines_.back().code += "\"\"";
  }

  void skip_literal(char quote) {
    for (++at_; at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n'; ++at_)
      if (source_[at_] == '\\') ++at_;
    if (at_ < source_.size() && source_[at_] == quote) ++at_;
    lines_.back().code += std::string(2, quote);
  }

  const std::string& source_;
  std::size_t at_ = 0;
  int number_ = 1;
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

std::set<std::string> outer_names(const std::string& source) {
  std::set<std::string> names;
  for (const CodeLine& line : code_lines(source)) {
    if (line.code.empty() || !is_word(line.code[0])) continue;
    // What stands before the parameters, or after "class".
    const std::vector<std::string> words = identifiers(line.code.substr(0, line.code.find('(')));
    if (words.empty()) continue;
    const bool is_class = words[0] == "class" || words[0] == "struct";
    names.insert(is_class && words.size() > 1 ? words[1] : words.back());
  }
  return names;
}

}  // namespace plainformer::course
