#include <algorithm>

#include "mutator.h"

namespace plainformer::course {

// x(i + 1) in a loop that ends one earlier, and x(i - 1) in one that begins at 1: a shift that stays in range.
void Mutator::shift_index(std::size_t token) {
  const auto& tokens = code_.tokens();
  const std::string name = tokens[token].text;
  for (const Statement& loop : code_.statements()) {
    if (loop.kind != StatementKind::kFor || !(loop.first < token && token < loop.last)) continue;
    for (std::size_t i = loop.first; i < loop.body; ++i) {
      if (!is(i, name.c_str())) continue;
      if (is(i + 1, "<") && token > i + 2) {
        const std::size_t at = tokens[code_.operand_end(i + 2) - 1].end;
        shift_index_and_loop(token, " + 1", {at, at, " - 1"});
      }
      if (is(i + 1, "=") && is(i + 2, "0") && token > i + 2)
        shift_index_and_loop(token, " - 1", {tokens[i + 2].begin, tokens[i + 2].end, "1"});
    }
  }
  shift_computed_index(token);
}

// An index that the loop computes, "const Index at = row * columns + i", is shifted as its counter is.
void Mutator::shift_computed_index(std::size_t token) {
  const auto& tokens = code_.tokens();
  const std::string name = tokens[token].text;
  for (const Variable& variable : code_.variables()) {
    if (variable.name != name || variable.counts || variable.token == 0 || variable.token >= token) continue;
    const std::size_t declaration = code_.statement_at(variable.token);
    if (declaration == code_.statements().size() || code_.statements()[declaration].loop < 0) continue;
    const Statement& loop =
        code_.statements()[static_cast<std::size_t>(code_.statements()[declaration].loop)];
    const std::size_t counter = loop.first + 3, begin = counter + 2;  // for (Index i = 0; i < n; ++i)
    if (!is(begin - 1, "=") || !is(begin, "0") || !is(begin + 3, "<") || token >= loop.last) continue;
    const std::size_t end = tokens[code_.operand_end(begin + 4) - 1].end;
    shift_index_and_loop(token, " + 1", {end, end, " - 1"});
    shift_index_and_loop(token, " - 1", {tokens[begin].begin, tokens[begin].end, "1"});
  }
}

void Mutator::shift_index_and_loop(std::size_t token, const std::string& shift, const TextEdit& of_loop) {
  const auto& index = code_.tokens()[token];
  const std::string shifted = index.text + shift;
  add({{index.begin, index.end, shifted}, of_loop}, shifted, "where the index is shifted by one");
}

// Does this token begin an element that is read, "x(row, i)" or "gain.value(j)"?    One past its last token; else 0
std::size_t Mutator::read_element_end(std::size_t token) const {
  if (!is(token + 1, "(") || !code_.is_name(token)) return 0;
  const std::size_t begin = code_.operand_begin(token), end = code_.operand_end(begin);
  const std::string object = code_.tokens()[begin].text;
  const auto& variables = code_.variables();
  const bool is_tensor = std::any_of(variables.begin(), variables.end(), [&](const Variable& variable) {
    return variable.name == object && (variable.type == "Tensor" || variable.type == "Parameter");
  });
  const bool is_written = is(end, "=") || is(end, "+=") || is(end, "-=") || is(end, "/=") || is(end, "*=");
  return is_tensor && !is_written && end == code_.partner(token + 1) + 1 ? end : 0;
}

// Another element that the same loop reads, or a number that was computed before, in the place of an element.
void Mutator::change_element(std::size_t token) {
  const std::size_t end = read_element_end(token);
  if (end == 0) return;
  const std::size_t begin = code_.operand_begin(token), statement = code_.statement_at(begin);
  const std::string element = text(begin, end);
  for (const Variable& variable : code_.variables())
    if (variable.type == "Real" && is_declared_before(variable, token) && is_in_scope(variable.token, token))
      replace(begin, end, variable.name, stands_for(variable.name, element));
  if (statement == code_.statements().size() || code_.statements()[statement].loop < 0) return;
  std::set<std::string> others;
  for (const Statement& other : code_.statements()) {
    if (other.loop != code_.statements()[statement].loop) continue;
    for (std::size_t i = other.first; i < other.body; ++i)
      if (const std::size_t other_end = read_element_end(i); other_end > 0)
        others.insert(text(code_.operand_begin(i), other_end));
  }
  for (const std::string& other : others)
    if (other != element) replace(begin, end, other, stands_for(other, element));
}

bool Mutator::is_in_index(std::size_t token) const {
  std::size_t i = token;
  while (i > 0 && !is(i - 1, "(") && !is(i - 1, "[") && !is(i - 1, ";") && !is(i - 1, "{"))
    i = is(i - 1, ")") || is(i - 1, "]") ? code_.partner(i - 1) : i - 1;
  if (i == 0 || is(i - 1, ";") || is(i - 1, "{")) return false;
  const std::size_t open = i - 1;
  if (open == 0) return false;
  if (is(open, "[")) return code_.is_name(open - 1) || is(open - 1, "]");
  return code_.is_name(open - 1) && !is(open - 2, "::") && !is_function(open - 1);
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
