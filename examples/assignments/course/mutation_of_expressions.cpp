#include <algorithm>
#include <map>

#include "core/number_text.h"
#include "mutator.h"

namespace plainformer::course {

namespace {

std::string quoted(const std::string& code) {
  return "`" + code + "`";
}

std::string stands_for(const std::string& now, const std::string& before) {
  return "where " + quoted(now) + " stands for " + quoted(before);
}

}  // namespace

void Mutator::change_sum(std::size_t sign) {
  const bool is_difference = is(sign, "-");
  const std::string now = is_difference ? "+" : "-", before = is_difference ? "-" : "+";
  const std::size_t left = code_.product_begin(sign - 1), right = code_.product_end(sign + 1);
  const std::string a = text(left, sign), b = text(sign + 1, right);
  replace(sign, sign + 1, now, "where the sign of a term is wrong");
  replace(sign, right, "", "where a term is missing");
  replace(sign + 1, right, "2 * " + b, "where a term counts twice");
  const bool is_first = left == 0 || !(code_.is_binary(left - 1) && (is(left - 1, "+") || is(left - 1, "-")));
  if (!is_first) return;
  replace(left, sign + 1, is_difference ? "-" : "", "where a term is missing");
  replace(left, right, "2 * " + a + " " + before + " " + b, "where a term counts twice");
  if (is_difference) replace(left, right, b + " - " + a, "where the difference is turned around");
}

void Mutator::change_product(std::size_t sign) {
  const bool divides = is(sign, "/");
  const std::string kind = divides ? "where a division is missing" : "where a factor is missing";
  const std::size_t begin = code_.product_begin(sign - 1), end = code_.operand_end(sign + 1);
  const std::string a = text(begin, sign), b = text(sign + 1, end);
  replace(sign, sign + 1, divides ? "*" : "/", divides ? stands_for("*", "/") : stands_for("/", "*"));
  replace(sign, end, "", kind);
  const bool is_first = code_.operand_begin(sign - 1) == begin;
  if (is_first && !divides) replace(begin, sign + 1, "", kind);
  if (is_first && divides) replace(begin, end, b + " / " + a, "where the fraction is turned around");
  if (is_first && divides) replace(begin, sign, "1", "where the numerator is missing");
  if (is_first) replace(begin, sign, a + " * " + a, "where a factor is squared");
  replace(sign + 1, end, "(" + b + " * " + b + ")",
          divides ? "where the divisor is squared" : "where a factor is squared");
  if (divides)
    replace(sign + 1, end, "std::sqrt(" + b + ")", "where the divisor is the root of the right one");
  if (divides) replace(sign + 1, end, "(" + b + " - 1)", "where the divisor is one too small");
  if (divides) replace(sign + 1, end, "(" + b + " + 1)", "where the divisor is one too large");
}

void Mutator::change_comparison(std::size_t sign) {
  static const std::multimap<std::string, std::string> kOthers = {
      {"<", "<="}, {"<", ">"},  {"<", ">="}, {"<=", "<"}, {"<=", ">"},  {"<=", ">="}, {">", ">="},
      {">", "<"},  {">", "<="}, {">=", ">"}, {">=", "<"}, {"==", "!="}, {"!=", "=="}};
  const std::string before = code_.tokens()[sign].text;
  const auto [first, last] = kOthers.equal_range(before);
  for (auto other = first; other != last; ++other)
    replace(sign, sign + 1, other->second, stands_for(other->second, before));
}

// a && b: to the brackets, or to the ends of the statement.
void Mutator::change_condition(std::size_t sign) {
  const std::string before = code_.tokens()[sign].text, now = before == "&&" ? "||" : "&&";
  replace(sign, sign + 1, now, stands_for(now, before));
  std::size_t begin = sign, end = sign + 1;
  while (begin > 0 && !is(begin - 1, "(") && !is(begin - 1, ";") && !is(begin - 1, "=") &&
         !is(begin - 1, "return"))
    begin = is(begin - 1, ")") || is(begin - 1, "]") ? code_.partner(begin - 1) : begin - 1;
  while (end < code_.tokens().size() && !is(end, ")") && !is(end, ";"))
    end = is(end, "(") || is(end, "[") ? code_.partner(end) + 1 : end + 1;
  replace(begin, sign + 1, "", "where a condition is missing");
  replace(sign, end, "", "where a condition is missing");
}

void Mutator::change_number(std::size_t token) {
  const std::string before = code_.tokens()[token].text;
  const auto number = parse_number<double>(before);
  if (!number) return;
  for (const double other : {*number + 1, *number - 1, 0.0, 1.0, 2.0}) {
    std::string now = shortest_text(other);
    if (before.find('.') != std::string::npos && now.find('.') == std::string::npos) now += ".0";
    if (now != before) replace(token, token + 1, now, stands_for(now, before));
  }
}

void Mutator::change_function(std::size_t token) {
  static const std::multimap<std::string, std::string> kOthers = {{"max", "min"},
                                                                  {"min", "max"},
                                                                  {"exp", "exp2"},
                                                                  {"log", "log2"},
                                                                  {"log", "log10"},
                                                                  {"sin", "cos"},
                                                                  {"cos", "sin"},
                                                                  {"upper_bound", "lower_bound"},
                                                                  {"sqrt", "cbrt"},
                                                                  {"ceil", "floor"},
                                                                  {"lower_bound", "upper_bound"},
                                                                  {"sqrt", "abs"},
                                                                  {"sort", "stable_sort"}};
  if (!is(token + 1, "(") || token < 2 || !is(token - 1, "::") || !is(token - 2, "std")) {
    // "-std::numeric_limits<Real>::infinity()", from which a largest one is looked for.
    if (is(token, "infinity")) {
      const std::size_t begin = code_.operand_begin(token + 2);
      replace(begin, token + 3, "0", "where the search begins at 0");
    }
    return;
  }
  const std::string before = code_.tokens()[token].text;
  const std::size_t end = code_.partner(token + 1) + 1;
  const auto [first, last] = kOthers.equal_range(before);
  for (auto other = first; other != last; ++other)
    replace(token, token + 1, other->second, stands_for(other->second, before));
  replace(token - 2, token + 1, "", "where " + quoted(before) + " is missing");
  if (before == "sqrt") {
    const std::string inside = text(token + 1, end);
    replace(token - 2, end, "(" + inside + " * " + inside + ")", "where a square stands for the root");
  }
  if (before == "pow") {
    const std::size_t comma_end = code_.partner(token + 1);
    std::size_t comma = token + 2;
    while (comma < comma_end && !is(comma, ","))
      comma = is(comma, "(") ? code_.partner(comma) + 1 : comma + 1;
    const std::string base = text(token + 2, comma), power = text(comma + 1, comma_end);
    replace(token - 2, end, "((" + base + ") * (" + power + "))", "where a product stands for the power");
    replace(token - 2, end, "(" + base + ")", "where the power is missing");
  }
}

void Mutator::exchange_arguments(std::size_t open) {
  std::vector<std::pair<std::size_t, std::size_t>> arguments;
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i <= code_.partner(open); ++i) {
    if (is(i, "(") || is(i, "[") || is(i, "{")) i = code_.partner(i) + 1;
    if (is(i, ";")) return;  // the header of a loop
    if (!is(i, ",") && i != code_.partner(open)) continue;
    if (i > begin) arguments.push_back({begin, i});
    begin = i + 1;
  }
  for (std::size_t k = 0; k < arguments.size(); ++k)
    for (std::size_t l = k + 1; l < arguments.size(); ++l) {
      const std::string a = text(arguments[k].first, arguments[k].second);
      const std::string b = text(arguments[l].first, arguments[l].second);
      const std::string between = text(arguments[k].second, arguments[l].first);
      replace(arguments[k].first, arguments[l].second, b + between + " " + a,
              "where " + quoted(a) + " and " + quoted(b) + " are exchanged");
    }
}

// Another variable of its type: an index for an index, an extent for an extent.
void Mutator::change_name(std::size_t token) {
  if (code_.is_member(token) || is(token + 1, "::")) return;
  const std::string name = code_.tokens()[token].text;
  const auto& variables = code_.variables();
  const auto self = std::find_if(variables.begin(), variables.end(),
                                 [&](const Variable& v) { return v.name == name && v.token <= token; });
  const bool is_private = name.ends_with('_');
  if (self == variables.end() && !is_private) return;
  if (self != variables.end() && self->token == token) return;
  std::set<std::string> others;
  if (is_private)
    for (const Token& other : source_tokens_)
      if (other.text.ends_with('_')) others.insert(other.text);
  const bool is_index = is_in_index(token);
  const std::vector<std::string> counters = loops_around(token);
  for (const Variable& other : variables) {
    if (is_private || !is_declared_before(other, token) || other.type != self->type) continue;
    const bool counts_here = std::find(counters.begin(), counters.end(), other.name) != counters.end();
    const bool fits =
        self->type != "Index" || (is_index ? counts_here || !other.counts : !other.counts && !self->counts);
    if (fits) others.insert(other.name);
  }
  if (is_index && self != variables.end() && self->type == "Index") {
    replace(token, token + 1, "0", stands_for("0", name));
    replace(token, token + 1, name + " + 1", stands_for(name + " + 1", name));
    replace(token, token + 1, name + " - 1", stands_for(name + " - 1", name));
  } else if (self != variables.end() && self->type == "Index" && !self->counts) {
    replace(token, token + 1, "(" + name + " - 1)", stands_for(name + " - 1", name));
    replace(token, token + 1, "(" + name + " + 1)", stands_for(name + " + 1", name));
    replace(token, token + 1, "1", stands_for("1", name));
  }
  if (self != variables.end() && self->type == "Real" && !is(token + 1, "=") && !is(token + 1, "+="))
    for (const char* const number : {"0", "1"}) replace(token, token + 1, number, stands_for(number, name));
  for (const std::string& other : others)
    if (other != name) replace(token, token + 1, other, stands_for(other, name));
}

// cache.query for cache.key: the members that this object has anywhere in the file.
void Mutator::change_member(std::size_t token) {
  if (token < 2 || !(is(token - 1, ".") || is(token - 1, "->")) || !code_.is_name(token - 2)) return;
  const std::string object = code_.tokens()[token - 2].text, name = code_.tokens()[token].text;
  std::set<std::string> others;
  for (std::size_t i = 2; i < source_tokens_.size(); ++i)
    if (source_tokens_[i - 2].text == object && source_tokens_[i - 1].text == code_.tokens()[token - 1].text)
      others.insert(source_tokens_[i].text);
  for (const std::string& other : others)
    if (other != name)
      replace(token, token + 1, other, stands_for(object + "." + other, object + "." + name));
}

// One variable for another in all places, as somebody writes who takes it for the other.
void Mutator::rename_everywhere(const Variable& from, const Variable& to) {
  if (from.name == to.name || from.type != to.type || from.counts || to.counts || from.type == "auto") return;
  std::vector<TextEdit> edits;
  const auto& tokens = code_.tokens();
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].text == from.name && !code_.is_member(i) && i != from.token && i > to.token)
      edits.push_back({tokens[i].begin, tokens[i].end, to.name});
  if (edits.size() > 1) add(edits, "", stands_for(to.name, from.name) + " everywhere");
}

bool Mutator::is_declared_before(const Variable& variable, std::size_t token) const {
  for (std::size_t i = variable.token; i < token; ++i)
    if (is(i, ";") || is(i, "{")) return true;
  return false;
}

bool Mutator::is_in_index(std::size_t token) const {
  std::size_t i = token;
  while (i > 0 && !is(i - 1, "(") && !is(i - 1, "[") && !is(i - 1, ";") && !is(i - 1, "{"))
    i = is(i - 1, ")") || is(i - 1, "]") ? code_.partner(i - 1) : i - 1;
  if (i == 0 || is(i - 1, ";") || is(i - 1, "{")) return false;
  const std::size_t open = i - 1;
  const bool is_cast = open > 0 && is(open - 1, ">");
  return open > 0 && !is_cast && (code_.is_name(open - 1) || is(open - 1, "]")) && !is(open - 1, "for") &&
         !is(open - 1, "if") && !is(open - 1, "while");
}

std::vector<std::string> Mutator::loops_around(std::size_t token) const {
  std::vector<std::string> names;
  for (const Statement& statement : code_.statements())
    if (statement.kind == StatementKind::kFor && statement.first < token && token < statement.last)
      for (const Variable& variable : code_.variables())
        if (variable.counts && variable.token > statement.first && variable.token < statement.body)
          names.push_back(variable.name);
  return names;
}

}  // namespace plainformer::course
