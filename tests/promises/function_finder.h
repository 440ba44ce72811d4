// The functions of a source file, as far as text tells: of one that clang-format has formatted, and that defines no
// function by a macro.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {

struct Function {
  std::string name;                           // "softmax_forward", "Tensor", "operator+"
  std::size_t first_line = 0, last_line = 0;  // from 1; from its return type to its closing brace
  std::size_t parameters = 0;
  bool is_definition = false;
  std::string scope = {};  // "Tensor", of a member; in a class or before its name
  std::string text = {};   // from its name to its body, in one line

  std::size_t lines() const { return last_line - first_line + 1; }
};

using Functions = std::vector<Function>;

// Finds declarations and definitions in namespaces and classes. What stands inside a function is not looked at.
class FunctionFinder {
 public:
  static Functions in(const Lines& lines) { return FunctionFinder(lines).found_; }

  // The classes, structures and enumerations, likewise.
  static Functions types_in(const Lines& lines) { return FunctionFinder(lines).types_; }

 private:
  explicit FunctionFinder(const Lines& lines) : lines_(without_text(lines)) {
    while (line_ < lines_.size()) step();
  }

  // The lines without comments, preprocessor lines, and the contents of literals.
  static Lines without_text(const Lines& lines) {
    Lines code;
    std::string raw_end;  // of the raw literal that is open
    bool in_macro = false;
    for (std::string line : lines) {
      if (!raw_end.empty()) {
        const std::size_t end = line.find(raw_end);
        if (end == line.npos) {
          code.push_back("");
          continue;
        }
        line = line.substr(end + raw_end.size());
        raw_end.clear();
      }
      const std::size_t first = line.find_first_not_of(' ');
      const bool is_preprocessor = in_macro || (first != line.npos && line[first] == '#');
      in_macro = is_preprocessor && line.ends_with("\\");
      code.push_back(is_preprocessor ? "" : without_literals(line, raw_end));
    }
    return code;
  }

  static std::string without_literals(const std::string& line, std::string& raw_end) {
    std::string code;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line.compare(i, 2, "//") == 0) break;
      if (line.compare(i, 2, "R\"") == 0) {
        raw_end = ")" + line.substr(i + 2, line.find('(', i) - i - 2) + "\"";
        const std::size_t end = line.find(raw_end, i);
        if (end == line.npos) return code + '"';
        i = end + raw_end.size() - 1;
        raw_end.clear();
        code += "\"\"";
      } else if (line[i] == '"' || (line[i] == '\'' && !(i > 0 && std::isalnum(line[i - 1])))) {
        const char quote = line[i];
        for (++i; i < line.size() && line[i] != quote; ++i) i += line[i] == '\\' ? 1 : 0;
        code += std::string(2, quote);
      } else {
        code += line[i];
      }
    }
    return code;
  }

  // One character in a namespace or a class.
  void step() {
    const std::string& line = lines_[line_];
    if (column_ >= line.size()) {
      if (!statement_.empty()) statement_ += ' ';
      next_line();
      return;
    }
    const char c = line[column_++];
    if (statement_.empty() && c == '}') close_scope();
    if (statement_.empty() && (c == ' ' || c == '}')) return;
    if (statement_.empty()) first_line_ = line_;
    if (c == ';') {
      add(/*is_definition=*/false);
      statement_.clear();
    } else if (c == '{') {
      open_brace();
    } else if (c == ':' && (statement_ == "public" || statement_ == "private" || statement_ == "protected")) {
      statement_.clear();
    } else {
      statement_ += c;
    }
  }

  void open_brace() {
    static const Pattern scope(
        "^([A-Z_0-9]+ +)*(inline )?(namespace|extern|(template <[^{]*> )?(struct|class|union))\\b");
    static const Pattern enumeration("^enum\\b");
    static const Pattern initialized_member("\\) *:.*[A-Za-z0-9_]$");  // Name() : member{
    if (std::count(statement_.begin(), statement_.end(), '(') !=
        std::count(statement_.begin(), statement_.end(), ')')) {
      return skip_braces();  // of an argument, such as one by default
    }
    if (scope.is_in(statement_) && parenthesis(statement_) == std::string::npos) {
      open_scope();
      statement_.clear();  // and look inside
    } else if (enumeration.is_in(statement_)) {
      open_scope();
      skip_braces();
      close_scope();
    } else if (!is_function(statement_)) {
      skip_braces();
    } else if (initialized_member.is_in(statement_)) {
      skip_braces();
    } else {
      const std::string statement = statement_;
      skip_braces();
      statement_ = statement;
      add(/*is_definition=*/true);
      statement_.clear();
    }
  }

  // "struct A : B" and "enum class A : int" are named A. A namespace has no name here: no scope is told by it.
  void open_scope() {
    std::string head = statement_.substr(0, statement_.find(" : "));
    while (!head.empty() && head.back() == ' ') head.pop_back();
    if (head.ends_with(" final")) head.resize(head.size() - 6);
    const bool has_name = head.find("namespace") == head.npos && head.find("extern") == head.npos;
    const std::string name = has_name ? head.substr(head.rfind(' ') + 1) : "";
    scopes_.push_back(
        {.name = name, .first_line = first_line_ + 1, .is_definition = true, .scope = scope(), .text = name});
  }

  void close_scope() {
    if (scopes_.empty()) return;
    scopes_.back().last_line = line_ + 1;
    if (!scopes_.back().name.empty()) types_.push_back(scopes_.back());
    scopes_.pop_back();
  }

  std::string scope() const {
    std::string names;
    for (const Function& type : scopes_) {
      if (!type.name.empty()) names += (names.empty() ? "" : "::") + type.name;
    }
    return names;
  }

  // From behind an opening brace to behind its closing one.
  void skip_braces() {
    for (int depth = 1; depth > 0 && line_ < lines_.size();) {
      if (column_ >= lines_[line_].size()) {
        next_line();
        continue;
      }
      const char c = lines_[line_][column_++];
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
  }

  void next_line() {
    ++line_;
    column_ = 0;
  }

  // Where the parameters begin: the first parenthesis outside of angle brackets.
  static std::size_t parenthesis(const std::string& statement) {
    const std::size_t name = statement.find("operator");
    if (name != statement.npos)
      return statement.find('(', name + (statement.find("operator()") == name ? 10 : 8));
    int depth = 0;
    for (std::size_t i = 0; i < statement.size(); ++i) {
      depth += statement[i] == '<' ? 1 : statement[i] == '>' ? -1 : 0;
      if (statement[i] == '(' && depth == 0) return i;
    }
    return std::string::npos;
  }

  static bool is_function(const std::string& statement) {
    static const Pattern other("^(using|typedef|static_assert|friend class|return)\\b");
    const std::size_t begin = parenthesis(statement);
    const bool is_operator = statement.find("operator") != statement.npos;
    return begin != std::string::npos && begin > 0 && (is_operator || statement.find('=') > begin) &&
           !other.is_in(statement);
  }

  void add(bool is_definition) {
    if (!is_function(statement_)) return;
    static const Pattern name("(operator[^(]*(\\(\\))?|~?[A-Za-z_]\\w*) *$");
    const std::size_t begin = parenthesis(statement_);
    const std::string before = statement_.substr(0, begin);
    const auto match = name.first_in(before);
    if (!match) return;
    // Nothing before the name: a macro's call, or a constructor.
    if (before == match->groups[1] && !is_definition) return;
    // In `line_` stands the closing brace, or the semicolon.
    const std::string qualifier = qualifier_before(before, match->begin);
    found_.push_back({match->groups[1], first_line_ + 1, line_ + 1, parameters_from(begin), is_definition,
                      qualifier.empty() ? scope() : qualifier, statement_.substr(match->begin)});
  }

  // "Tensor::Shape" of "int Tensor::Shape::size".
  static std::string qualifier_before(const std::string& text, std::size_t name) {
    if (name < 2 || text.compare(name - 2, 2, "::") != 0) return "";
    const std::size_t begin = text.find_last_of(" *&", name - 2);
    return text.substr(begin + 1, name - 2 - (begin + 1));
  }

  std::size_t parameters_from(std::size_t begin) const {
    int depth = 0;
    std::size_t commas = 0;
    bool is_empty = true;
    for (std::size_t i = begin; i < statement_.size(); ++i) {
      const char c = statement_[i];
      if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
      if (c == ')' || c == '}' || c == ']' || (c == '>' && statement_[i - 1] != '-')) --depth;
      if (depth == 0) break;
      if (c == ',' && depth == 1) ++commas;
      if (i > begin && c != ' ') is_empty = false;
    }
    return is_empty ? 0 : commas + 1;
  }

  const Lines lines_;
  std::size_t line_ = 0, column_ = 0;
  std::string statement_;  // since the last one ended
  std::size_t first_line_ = 0;
  Functions scopes_;  // those that are open
  Functions found_, types_;
};

}  // namespace plainformer
