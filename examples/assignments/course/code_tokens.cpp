#include "code_tokens.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <string_view>

#include "text.h"

namespace plainformer::course {

namespace {

constexpr std::string_view kLongOperators[] = {
    "::", "->", "++", "--", "+=", "-=", "*=", "/=", "<=", ">=", "==", "!=", "&&", "||"};

// The types whose variables may stand for each other, by one name each.
const std::map<std::string, std::string> kTypes = {{"Index", "Index"},         {"Real", "Real"},
                                                   {"double", "Real"},         {"float", "Real"},
                                                   {"Tensor", "Tensor"},       {"WritableTensor", "Tensor"},
                                                   {"TensorWriter", "Tensor"}, {"int", "int"},
                                                   {"auto", "auto"},           {"Parameter", "Parameter"}};

std::vector<Token> split(const std::string& source) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < source.size();) {
    const char c = source[at];
    std::size_t end = at + 1;
    if (std::isspace(static_cast<unsigned char>(c))) {
      at = end;
      continue;
    }
    if (source.compare(at, 2, "//") == 0) {
      at = std::min(source.find('\n', at), source.size());
      continue;
    }
    if (c == '"' || c == '\'') {
      while (end < source.size() && source[end] != c) end += source[end] == '\\' ? 2 : 1;
      ++end;
    } else if (is_word(c)) {
      const bool is_number = std::isdigit(static_cast<unsigned char>(c));
      while (end < source.size() &&
             (is_word(source[end]) || (is_number && (source[end] == '.' || source[end] == '\''))))
        ++end;
    } else {
      for (const std::string_view text : kLongOperators)
        if (source.compare(at, text.size(), text) == 0) end = at + text.size();
    }
    tokens.push_back({source.substr(at, end - at), at, end});
    at = end;
  }
  return tokens;
}

}  // namespace

Code::Code(const std::string& parameters, const std::string& body) : body_(body) {
  read_variables(split(parameters), true);
  tokens_ = split(body_);
  pair_brackets();
  read_variables(tokens_, false);
  read_statements_within(0, tokens_.size(), -1);
}

bool Code::is_name(std::size_t token) const {
  const char c = token < tokens_.size() ? tokens_[token].text[0] : ' ';
  return is_word(c) && !std::isdigit(static_cast<unsigned char>(c));
}

bool Code::is_binary(std::size_t token) const {
  static constexpr std::string_view kBinary[] = {"+",  "-",  "*",  "/",  "<",  ">",
                                                 "<=", ">=", "==", "!=", "&&", "||"};
  const Token& t = tokens_[token];
  return std::find(std::begin(kBinary), std::end(kBinary), t.text) != std::end(kBinary) && t.begin > 0 &&
         std::isspace(static_cast<unsigned char>(body_[t.begin - 1])) && t.end < body_.size() &&
         std::isspace(static_cast<unsigned char>(body_[t.end]));
}

bool Code::is_member(std::size_t token) const {
  return token > 0 && (is(token - 1, ".") || is(token - 1, "->") || is(token - 1, "::"));
}

// A bracket without a partner is its own, so that whoever goes on behind the partner moves on.
void Code::pair_brackets() {
  partners_.resize(tokens_.size());
  std::iota(partners_.begin(), partners_.end(), std::size_t{0});
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::string& text = tokens_[i].text;
    const bool is_angle = text == "<" || text == ">";
    if (is_angle && is_binary(i)) continue;
    if (text == "(" || text == "[" || text == "{" || text == "<") open.push_back(i);
    if (text != ")" && text != "]" && text != "}" && text != ">") continue;
    while (!is_angle && !open.empty() && is(open.back(), "<")) open.pop_back();  // it was no bracket
    if (open.empty() || is_angle != is(open.back(), "<")) continue;
    partners_[i] = open.back();
    partners_[open.back()] = i;
    open.pop_back();
  }
}

std::size_t Code::operand_end(std::size_t first) const {
  std::size_t i = first;
  while (is(i, "-") || is(i, "!") || is(i, "*") || is(i, "&")) ++i;
  if (i >= tokens_.size()) return tokens_.size();
  i = is(i, "(") || is(i, "{") || is(i, "[") ? partners_[i] + 1 : i + 1;
  while (i < tokens_.size()) {
    if (is(i, "(") || is(i, "[") || (is(i, "<") && !is_binary(i)))
      i = partners_[i] + 1;
    else if (is(i, ".") || is(i, "->") || is(i, "::"))
      i += 2;
    else
      break;
  }
  return std::min(i, tokens_.size());
}

std::size_t Code::operand_begin(std::size_t last) const {
  std::size_t i = last;
  while (true) {
    const bool is_bracket = is(i, ")") || is(i, "]") || (is(i, ">") && !is_binary(i));
    if (is_bracket) i = partners_[i];
    const bool is_called = is_bracket && i > 0 && tokens_[i - 1].end == tokens_[i].begin &&
                           (is_name(i - 1) || is(i - 1, ")") || is(i - 1, "]") || is(i - 1, ">"));
    if (is_called)
      --i;
    else if (i >= 2 && is_member(i))
      i -= 2;
    else
      break;
  }
  if (i > 0 && (is(i - 1, "-") || is(i - 1, "!")) && !is_binary(i - 1)) --i;
  return i;
}

std::size_t Code::product_end(std::size_t first) const {
  std::size_t end = operand_end(first);
  while (end < tokens_.size() && is_binary(end) && (is(end, "*") || is(end, "/"))) end = operand_end(end + 1);
  return end;
}

std::size_t Code::product_begin(std::size_t last) const {
  std::size_t begin = operand_begin(last);
  while (begin >= 2 && is_binary(begin - 1) && (is(begin - 1, "*") || is(begin - 1, "/")))
    begin = operand_begin(begin - 2);
  return begin;
}

std::string Code::text(std::size_t first, std::size_t last) const {
  return first >= last ? ""
                       : body_.substr(tokens_[first].begin, tokens_[last - 1].end - tokens_[first].begin);
}

// The statements within a block, or within the braces of lambdas.
void Code::read_statements_within(std::size_t first, std::size_t last, int loop) {
  while (first < last) first = read_statement(first, loop);
}

// "const std::vector<Index>& counts", but not "return counts": a name behind a type.
bool Code::begins_with_type(std::size_t first) const {
  std::size_t i = is(first, "const") ? first + 1 : first;
  if (!is_name(i) || is(i, "return") || is(i, "throw") || is(i, "delete")) return false;
  const bool may_bind = is(i, "auto");  // auto [x, y] = pair;
  for (++i; is(i, "::") || (is(i, "<") && !is_binary(i));) i = is(i, "::") ? i + 2 : partners_[i] + 1;
  while (is(i, "&") || is(i, "*")) ++i;
  return is_name(i) || (may_bind && is(i, "["));
}

std::size_t Code::read_statement(std::size_t first, int loop) {
  if (is(first, "{")) {
    read_statements_within(first + 1, partners_[first], loop);
    return partners_[first] + 1;
  }
  if (is(first, "}")) return first + 1;
  if (is(first, "else")) return read_statement(first + 1, loop);
  const bool is_for = is(first, "for");
  if ((is_for || is(first, "if") || is(first, "while")) && is(first + 1, "(")) {
    const StatementKind kind = is_for            ? StatementKind::kFor
                               : is(first, "if") ? StatementKind::kIf
                                                 : StatementKind::kWhile;
    const std::size_t body = partners_[first + 1] + 1;
    const std::size_t index = statements_.size();
    statements_.push_back({kind, first, body, body, loop});
    const std::size_t last = read_statement(body, is_for ? static_cast<int>(index) : loop);
    statements_[index].last = last;
    return last;
  }
  std::size_t last = first;
  while (last < tokens_.size() && !is(last, ";")) {
    const bool opens = is(last, "(") || is(last, "[") || is(last, "{");
    if (is(last, "{") && (is(last - 1, ")") || is(last - 1, "]")))  // of a lambda, not a list of values
      read_statements_within(last + 1, partners_[last], loop);
    if (is(last, "("))  // a lambda may be an argument
      for (std::size_t i = last + 1; i < partners_[last]; ++i)
        if (is(i, "{") && is(i - 1, ")")) {
          read_statements_within(i + 1, partners_[i], loop);
          i = partners_[i];
        }
    last = opens ? partners_[last] + 1 : last + 1;
  }
  last = std::min(last + 1, tokens_.size());
  const bool declares = begins_with_type(first) ||
                        std::any_of(variables_.begin(), variables_.end(), [&](const Variable& variable) {
                          return variable.token > first && variable.token < last;
                        });
  statements_.push_back(
      {declares ? StatementKind::kDeclaration : StatementKind::kPlain, first, last, last, loop});
  return last;
}

std::size_t Code::statement_at(std::size_t token) const {
  std::size_t best = statements_.size(), shortest = tokens_.size() + 1;
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    const Statement& s = statements_[i];
    const std::size_t length = s.body - s.first;
    if (s.first <= token && token < s.body && length < shortest) {
      best = i;
      shortest = length;
    }
  }
  return best;
}

// "const Index rows = row_count(x), d = x.dim(-1);" declares two, and "for (Index i = 0; ..." one that counts.
void Code::read_variables(const std::vector<Token>& tokens, bool parameters) {
  const auto is = [&](std::size_t i, const char* text) {
    return i < tokens.size() && tokens[i].text == text;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto type = kTypes.find(tokens[i].text);
    if (type == kTypes.end()) continue;
    std::size_t name = i + 1;
    while (is(name, "&") || is(name, "*")) ++name;
    if (type->second == "auto" && is(name, "[")) {  // what a function returns together: tensors, here
      for (++name; name < tokens.size() && !is(name, "]"); ++name)
        if (!is(name, ",")) variables_.push_back({tokens[name].text, "Tensor", name, false});
      continue;
    }
    if (name >= tokens.size() || !is_word(tokens[name].text[0]) || is(name + 1, "::")) continue;
    const bool counts = i > 1 && is(i - 1, "(") && is(i - 2, "for");
    while (true) {
      variables_.push_back({tokens[name].text, type->second, parameters ? 0 : name, counts});
      int depth = 0;
      std::size_t end = name + 1;
      for (; end < tokens.size() && depth >= 0; ++end) {
        if (is(end, "(") || is(end, "{") || is(end, "[")) ++depth;
        if (is(end, ")") || is(end, "}") || is(end, "]")) --depth;
        if (depth == 0 && (is(end, ",") || is(end, ";"))) break;
      }
      std::size_t next = end + 1;
      while (is(next, "&") || is(next, "*")) ++next;
      if (parameters || !is(end, ",") || next >= tokens.size() || kTypes.contains(tokens[next].text) ||
          !is_word(tokens[next].text[0]))
        break;
      name = next;
    }
  }
}

}  // namespace plainformer::course
