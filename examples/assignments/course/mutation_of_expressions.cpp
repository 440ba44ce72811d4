#include <algorithm>
#include <map>

#include "core/number_text.h"
#include "mutator.h"

namespace plainformer::course {

namespace {

std::string quoted(const std::string& code) {
  return "`" + code + "`";
}

}  // namespace

std::string stands_for(const std::string& now, const std::string& before) {
  return "where " + quoted(now) + " stands for " + quoted(before);
}

void Mutator::change_sum(std::size_t sign) {
  const bool is_difference = is(sign, "-");
  const std::string now = is_difference ? "+" : "-", before = is_difference ? "-" : "+";
  const std::size_t left = code_.product_begin(sign - 1), right = code_.product_end(sign + 1);
  const std::string a = text(left, sign), b = text(sign + 1, right);
  replace(sign, sign + 1, now, "where the sign of a term is wrong");
  replace(sign, sign + 1, "*", stands_for("*", before));
  lose(sign, right, "where a term is missing");
  replace(sign + 1, right, "2 * " + b, "where a term counts twice");
  std::size_t end = right;
  while (code_.is_binary(end) && (is(end, "+") || is(end, "-"))) end = code_.product_end(end + 1);
  if (end > right) replace(sign, end, "", "where the rest of the sum is missing");
  change_brackets(sign);
  const bool is_first = left == 0 || !(code_.is_binary(left - 1) && (is(left - 1, "+") || is(left - 1, "-")));
  if (!is_first) return;
  replace(left, sign + 1, is_difference ? "-" : "", "where a term is missing");
  replace(left, right, "2 * " + a + " " + before + " " + b, "where a term counts twice");
  if (is_difference) replace(left, right, b + " - " + a, "where the difference is turned around");
}

// a * b + c as a * (b + c), (a + b) * c as a + b * c, and f(a + b) as f(a) + b.
void Mutator::change_brackets(std::size_t sign) {
  const std::size_t left = code_.product_begin(sign - 1), right = code_.product_end(sign + 1);
  const std::size_t last = code_.operand_begin(sign - 1), first = code_.operand_end(sign + 1);
  const std::string why = "where the brackets are wrong";
  if (last > left) replace(last, right, "(" + text(last, right) + ")", why);
  if (first < right) replace(left, first, "(" + text(left, first) + ")", why);
  if (left == 0 || !is(left - 1, "(") || code_.partner(left - 1) != right) return;
  if (left > 1 && code_.is_name(left - 2))
    replace(sign, right + 1, ") " + text(sign, right), "where a term stands behind the brackets");
  else
    replace(left - 1, right + 1, text(left, right), "where the brackets are missing");
}

void Mutator::change_product(std::size_t sign) {
  const bool divides = is(sign, "/");
  const std::string kind = divides ? "where a division is missing" : "where a factor is missing";
  const std::size_t begin = code_.product_begin(sign - 1), end = code_.operand_end(sign + 1);
  const std::string a = text(begin, sign), b = text(sign + 1, end);
  const std::string now = divides ? "*" : "/", before = divides ? "/" : "*";
  replace(sign, sign + 1, now, stands_for(now, before));
  if (!divides) replace(sign, sign + 1, "+", stands_for("+", "*"));
  lose(sign, end, kind);
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
  const std::size_t left = first == last ? sign : code_.product_begin(sign - 1);
  if (left < sign)
    for (const std::string& counter : loops_around(sign))
      replace(left, sign, counter + " ", stands_for(counter, text(left, sign)));
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
  for (std::size_t k = 0; arguments.size() > 1 && k < arguments.size(); ++k) {
    const bool is_last = k + 1 == arguments.size();
    replace(is_last ? arguments[k - 1].second : arguments[k].first,
            is_last ? arguments[k].second : arguments[k + 1].first, "",
            "where " + quoted(text(arguments[k].first, arguments[k].second)) + " is missing");
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
    if (is_index && !counts_here && is_extent(other.name)) continue;
    const bool fits =
        self->type != "Index" || (is_index ? counts_here || !other.counts : !other.counts && !self->counts);
    if (fits) others.insert(other.name);
  }
  if (is_index && self != variables.end() && self->type == "Index") {
    const bool divides = is(token - 1, "/") || is(token - 1, "%");  // by 0 it has no numbers
    if (!divides) replace(token, token + 1, "0", stands_for("0", name));
    shift_index(token);
  } else if (self != variables.end() && self->type == "Index" && !self->counts) {
    replace(token, token + 1, "(" + name + " - 1)", stands_for(name + " - 1", name));
    replace(token, token + 1, "(" + name + " + 1)", stands_for(name + " + 1", name));
    replace(token, token + 1, "1", stands_for("1", name));
  }
  if (self != variables.end() && self->type == "Real" && !is(token + 1, "=") && !is(token + 1, "+="))
    for (const char* const number : {"0", "1"}) replace(token, token + 1, number, stands_for(number, name));
  for (const std::string& object : objects_with(name))
    replace(token, token + 1, object + "." + name, stands_for(object + "." + name, name));
  for (const std::string& other : others)
    if (other != name) replace(token, token + 1, other, stands_for(other, name));
}

// cache.query for cache.key: the members that this object has anywhere in the file.
void Mutator::change_member(std::size_t token) {
  if (token < 2 || !(is(token - 1, ".") || is(token - 1, "->")) || !code_.is_name(token - 2)) return;
  if (measures_time(token)) return;
  const std::string object = code_.tokens()[token - 2].text, name = code_.tokens()[token].text;
  std::set<std::string> others;
  for (std::size_t i = 2; i < source_tokens_.size(); ++i)
    if (source_tokens_[i - 2].text == object && source_tokens_[i - 1].text == code_.tokens()[token - 1].text)
      others.insert(source_tokens_[i].text);
  static const std::map<std::string, std::string> kEnds = {
      {"front", "back"}, {"back", "front"}, {"begin", "end"}, {"end", "begin"}};
  const auto end = kEnds.find(name);
  if (end != kEnds.end() && is(token + 1, "(")) others.insert(end->second);
  if (name == "pop_back")
    replace(token, token + 3, "erase(" + object + ".begin())",
            "where the first one is removed, not the last");
  for (const std::string& other : others)
    if (other != name)
      replace(token, token + 1, other, stands_for(object + "." + other, object + "." + name));
}

// A time differs from run to run, so a mistake with it has no numbers by which it could be recognized.
bool Mutator::measures_time(std::size_t token) const {
  const std::size_t index = code_.statement_at(token);
  if (index == code_.statements().size()) return false;
  const Statement& statement = code_.statements()[index];
  return text(statement.first, statement.last).find("seconds_since(") != std::string::npos;
}

// One variable for another in all places, as somebody writes who takes it for the other.
void Mutator::rename_everywhere(const Variable& from, const Variable& to) {
  if (from.name == to.name || from.type != to.type || from.counts || to.counts || from.type == "auto") return;
  std::vector<TextEdit> edits;
  const auto& tokens = code_.tokens();
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].text == from.name && !code_.is_member(i) && i != from.token && is_declared_before(to, i))
      edits.push_back({tokens[i].begin, tokens[i].end, to.name});
  if (edits.size() > 1) add(edits, "", stands_for(to.name, from.name) + " everywhere");
}

// Is it the end of a loop?
bool Mutator::is_extent(const std::string& name) const {
  for (const Statement& loop : code_.statements())
    for (std::size_t i = loop.first; loop.kind == StatementKind::kFor && i < loop.body; ++i)
      if (is(i, "<") && is(i + 1, name.c_str())) return true;
  return false;
}

// The objects of the function that have a member of this name: "hypothesis" for "log_probability".
std::set<std::string> Mutator::objects_with(const std::string& name) const {
  std::set<std::string> members, objects;
  for (std::size_t i = 1; i < source_tokens_.size(); ++i)
    if (source_tokens_[i - 1].text == ".") members.insert(source_tokens_[i].text);
  if (!members.contains(name)) return {};
  for (std::size_t i = 0; i + 1 < code_.tokens().size(); ++i)
    if (code_.is_name(i) && is(i + 1, ".") && !code_.is_member(i)) objects.insert(code_.tokens()[i].text);
  return objects;
}

// f(x, n) as x: the call is forgotten.
void Mutator::replace_call(std::size_t open) {
  const std::size_t name = open - 1, begin = code_.operand_begin(name);
  const auto& variables = code_.variables();
  const std::string called = code_.tokens()[name].text;
  const bool is_variable = std::any_of(variables.begin(), variables.end(),
                                       [&](const Variable& variable) { return variable.name == called; });
  const bool is_keyword = called == "for" || called == "if" || called == "while" || called == "sizeof";
  if (is_variable || is_keyword || code_.is_member(name)) return;
  const std::size_t close = code_.partner(open), end = code_.operand_end(open + 1);
  if (end > close || (end < close && !is(end, ","))) return;
  replace(begin, close + 1, text(open + 1, end), "where " + quoted(called) + " is missing");
}

// "[](const T& a, const T& b)" with a.score < b.score: one of the things compared in the other order.
void Mutator::change_order(std::size_t statement) {
  const Statement& s = code_.statements()[statement];
  std::map<std::string, std::vector<TextEdit>> edits;  // of each pair of names and path
  const auto& tokens = code_.tokens();
  if (!is(s.first, "return")) return;
  std::set<std::string> objects;
  for (std::size_t i = s.first + 1; i < s.last; ++i)
    if (code_.is_name(i) && !code_.is_member(i) && is(i + 1, ".")) objects.insert(tokens[i].text);
  if (objects.size() != 2) return;
  const std::string one = *objects.begin(), other = *objects.rbegin();
  for (std::size_t i = s.first + 1; i < s.last; ++i) {
    if (!objects.contains(tokens[i].text) || code_.is_member(i)) continue;
    edits[text(i + 1, code_.operand_end(i))].push_back(
        {tokens[i].begin, tokens[i].end, tokens[i].text == one ? other : one});
  }
  for (const auto& [path, both] : edits)
    if (both.size() > 1) add(both, "", "where the order of " + quoted(path.substr(1)) + " is turned around");
}

bool Mutator::is_declared_before(const Variable& variable, std::size_t token) const {
  for (std::size_t i = variable.token; i < token; ++i)
    if (is(i, ";") || is(i, "{")) return true;
  return false;
}

// A name that is neither a member nor a variable: "root_of(d_k)" is a call, and "x(row, i)" is an element.
bool Mutator::is_function(std::size_t name) const {
  const std::string& text = code_.tokens()[name].text;
  if (code_.is_member(name) || text.ends_with('_')) return false;
  const auto& variables = code_.variables();
  return std::none_of(variables.begin(), variables.end(),
                      [&](const Variable& variable) { return variable.name == text; });
}

}  // namespace plainformer::course
