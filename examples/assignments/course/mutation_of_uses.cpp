#include <algorithm>

#include "mutator.h"

namespace plainformer::course {

namespace {

constexpr std::size_t kMostParts = 24;

std::string in_brackets(const std::string& code) {
  return "(" + code + ")";
}

}  // namespace

// Parts of an expression that somebody may take for the whole: its operands, and it without a term or a factor.
std::vector<std::string> Mutator::parts_of(std::size_t first, std::size_t last) const {
  std::vector<std::string> parts;
  const auto add_part = [&](const std::string& part) {
    if (!part.empty() && std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  };
  for (std::size_t i = first; i < last; ++i) {
    if (!code_.is_binary(i) || !(is(i, "+") || is(i, "-") || is(i, "*") || is(i, "/"))) continue;
    const bool is_sum = is(i, "+") || is(i, "-");
    const std::size_t left = is_sum ? code_.product_begin(i - 1) : code_.operand_begin(i - 1);
    const std::size_t right = is_sum ? code_.product_end(i + 1) : code_.operand_end(i + 1);
    if (left < first || right > last) continue;
    add_part(text(first, i) + text(right, last));
    if (!is(i, "/")) add_part(text(first, left) + text(i + 1, last));
    add_part(text(left, i));
    add_part(text(i + 1, right));
  }
  if (parts.size() > kMostParts) parts.resize(kMostParts);
  return parts;
}

// Is a variable known there that is declared by this token? 0: a parameter.
bool Mutator::is_in_scope(std::size_t declared, std::size_t use) const {
  if (declared == 0) return true;
  if (declared >= use) return false;
  int depth = 0;
  for (std::size_t i = declared; i < use && i < code_.tokens().size(); ++i) {
    if (is(i, "{")) ++depth;
    if (is(i, "}") && --depth < 0) return false;
  }
  for (const Statement& loop : code_.statements())  // a variable of the header of a loop
    if (loop.kind == StatementKind::kFor && loop.first < declared && declared < loop.body && use >= loop.last)
      return false;
  return true;
}

// One use of a variable, in which a part of what it stands for is forgotten.
void Mutator::change_uses() {
  const auto& tokens = code_.tokens();
  for (const Variable& variable : code_.variables()) {
    if (variable.token == 0 || variable.counts || !is(variable.token + 1, "=")) continue;
    const std::size_t first = variable.token + 2;
    std::size_t last = first;
    while (last < tokens.size() && !is(last, ",") && !is(last, ";"))
      last = is(last, "(") || is(last, "{") || is(last, "[") ? code_.partner(last) + 1 : last + 1;
    const std::vector<std::string> parts = parts_of(first, last);
    for (std::size_t use = last; use < tokens.size(); ++use) {
      if (tokens[use].text != variable.name || code_.is_member(use) || !is_in_scope(variable.token, use))
        continue;
      if (is(use + 1, "=") || is(use + 1, "+=") || is(use + 1, "(")) continue;
      for (const std::string& part : parts)
        replace(use, use + 1, in_brackets(part), "where `" + part + "` stands for `" + variable.name + "`");
    }
  }
}

// y(row, i) = E; sum += y(row, i): a part of E is forgotten in one of the two places.
void Mutator::change_uses_of_element(std::size_t statement) {
  const auto& tokens = code_.tokens();
  const Statement& s = code_.statements()[statement];
  if (s.kind != StatementKind::kPlain) return;
  std::size_t sign = s.first;
  while (sign < s.last && !is(sign, "=")) ++sign;
  if (sign >= s.last || sign == s.first) return;
  const std::string element = text(s.first, sign);
  const std::size_t first = sign + 1, last = s.last - 1;
  const std::string whole = text(first, last);
  for (std::size_t use = s.last; use + (sign - s.first) <= tokens.size(); ++use) {
    const std::size_t end = use + (sign - s.first);
    if (text(use, end) != element || code_.is_member(use)) continue;
    const std::size_t other = code_.statement_at(use);
    if (other >= code_.statements().size() || code_.statements()[other].loop != s.loop) continue;
    if (code_.statements()[other].first == use) continue;
    for (const std::string& part : parts_of(first, last)) {
      const TextEdit in_use = {tokens[use].begin, tokens[end - 1].end, in_brackets(whole)};
      add({{tokens[first].begin, tokens[last - 1].end, part}, in_use}, text(s.first, first) + " " + part,
          "where a part is missing that " + text(code_.statements()[other].first, use) + " still has");
      replace(use, end, in_brackets(part), "where `" + part + "` stands for `" + element + "`");
    }
  }
}

// sum += T in a loop over j, and sum in a loop over i behind it: without the term of i, or that term alone.
void Mutator::change_uses_of_sum(std::size_t statement) {
  const auto& tokens = code_.tokens();
  const Statement& s = code_.statements()[statement];
  if (s.kind != StatementKind::kPlain || !is(s.first + 1, "+=") || !code_.is_name(s.first) || s.loop < 0)
    return;
  const std::vector<std::string> counters = loops_around(s.first);
  if (counters.empty()) return;
  const std::string sum = tokens[s.first].text;
  for (std::size_t use = s.last; use < tokens.size(); ++use) {
    if (tokens[use].text != sum || code_.is_member(use)) continue;
    const std::size_t place = code_.statement_at(use);
    if (place >= code_.statements().size() || code_.statements()[place].first == use) continue;
    const std::vector<std::string> here = loops_around(use);
    if (here.size() != counters.size() || code_.statements()[place].loop == s.loop) continue;
    std::string term;
    for (std::size_t i = s.first + 2; i + 1 < s.last; ++i) {
      const std::size_t end = i + 2 < s.last ? tokens[i + 1].begin : tokens[i].end;
      std::string token = code_.body().substr(tokens[i].begin, end - tokens[i].begin);
      if (tokens[i].text == counters.back()) token = here.back() + token.substr(tokens[i].text.size());
      term += token;
    }
    replace(use, use + 1, "(" + sum + " - " + term + ")", "where the sum leaves out the entry itself");
    replace(use, use + 1, in_brackets(term), "where the entry alone stands for the sum");
  }
}

}  // namespace plainformer::course
