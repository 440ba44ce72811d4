#include <algorithm>
#include <map>

#include "mutator.h"

namespace plainformer::course {

namespace {

std::string stands_for_sign(const std::string& now, const std::string& before) {
  return "where `" + now + "` stands for `" + before + "`";
}

}  // namespace

void Mutator::change_assignment(std::size_t sign) {
  const std::string before = code_.tokens()[sign].text;
  const std::size_t index = code_.statement_at(sign);
  const bool is_plain =
      index < code_.statements().size() && code_.statements()[index].kind == StatementKind::kPlain;
  for (const char* const now : {"=", "+=", "-=", "*=", "/="})
    if (now != before && (is_plain || before != "="))
      replace(sign, sign + 1, now, stands_for_sign(now, before));
  std::size_t end = sign + 1;
  while (end < code_.tokens().size() && !is(end, ";") && !is(end, ","))
    end = is(end, "(") || is(end, "{") || is(end, "[") ? code_.partner(end) + 1 : end + 1;
  if (index < code_.statements().size() && code_.statements()[index].kind != StatementKind::kFor)
    change_value(sign + 1, end);
}

// The whole of what is assigned or returned.
void Mutator::change_value(std::size_t first, std::size_t last) {
  if (first >= last) return;
  const std::string value = "(" + text(first, last) + ")";
  replace(first, last, "-" + value, "where the sign is wrong");
  replace(first, last, "2 * " + value, "which is twice the right one");
  replace(first, last, value + " / 2", "which is half the right one");
  replace(first, last, value + " * " + value, "which is the square of the right one");
  if (text(first, last) != "0")  // a division of integers by 0 has no numbers
    replace(first, last, "1 / " + value, "which is one divided by the right one");
  replace(first, last, "std::sqrt" + value, "which is the root of the right one");
  replace(first, last, "std::abs" + value, "which takes the absolute value");
  if (last - first > 1) replace(first, last, "0", "where the value is missing");
  std::set<std::string> extents;
  for (const Variable& variable : code_.variables()) {
    const bool is_this_value = variable.token + 2 == first;  // it is read before it is there: no numbers
    if (variable.type == "Index" && !variable.counts && variable.token < first && !is_this_value)
      extents.insert(variable.name);
  }
  for (const Statement& loop : code_.statements()) {
    if (loop.kind != StatementKind::kFor || !(loop.first < first && first < loop.last)) continue;
    for (std::size_t i = loop.first; i < loop.body; ++i)
      if (is(i, "<") && code_.is_binary(i)) extents.insert(text(i + 1, code_.operand_end(i + 1)));
  }
  for (const std::string& extent : extents) {
    const std::string divisor = "static_cast<Real>(" + extent + ")";
    replace(first, last, value + " / " + divisor, "which is divided by `" + extent + "`");
    replace(first, last, value + " * " + divisor, "which is multiplied by `" + extent + "`");
    replace(first, last, value + " / std::sqrt(" + divisor + ")",
            "which is divided by the root of `" + extent + "`");
  }
}

void Mutator::change_statement(const Statement& statement) {
  const auto& tokens = code_.tokens();
  const bool returns = is(statement.first, "return");
  if (returns) {
    change_value(statement.first + 1, statement.last - 1);
    return;
  }
  if (statement.kind == StatementKind::kIf || statement.kind == StatementKind::kWhile) {
    const std::size_t open = statement.first + 1, close = code_.partner(open);
    if (statement.kind == StatementKind::kIf)
      replace(open + 1, close, "true", "where the condition is missing");
    replace(open + 1, close, "false", "whose condition is never true");
    if (statement.kind == StatementKind::kWhile)
      replace(statement.first, statement.first + 1, "if", "which happens once and is not repeated");
    return;
  }
  if (statement.kind == StatementKind::kDeclaration) return;
  const TextEdit edit = {tokens[statement.first].begin, tokens[statement.last - 1].end, ";"};
  add({edit}, text(statement.first, statement.body), "which is missing");
  if (is(statement.first, "continue"))
    replace(statement.first, statement.first + 1, "break", stands_for_sign("break", "continue"));
}

void Mutator::change_loop(const Statement& loop) {
  for (std::size_t i = loop.first; i < loop.body; ++i) {
    if (!(is(i, "<") && code_.is_binary(i))) continue;
    const std::size_t end = code_.operand_end(i + 1);
    replace(i + 1, end, text(i + 1, end) + " - 1", "which leaves out the last one");
    replace(i + 1, end, "1", "which stops after the first one");
    for (const Variable& other : code_.variables())
      if (other.counts && other.token < loop.first) {
        replace(i + 1, end, other.name, "which stops at `" + other.name + "`");
        replace(i + 1, end, other.name + " + 1", "which stops behind `" + other.name + "`");
      }
  }
  // In a loop whose range begins at 0.
  for (std::size_t i = loop.first; i + 1 < loop.body; ++i)
    if (is(i, "=") && is(i + 1, "0")) replace(i + 1, i + 2, "1", "which leaves out the first one");
}

// A statement behind a loop may stand within it, and two statements may stand in the other order.
void Mutator::move_statement(std::size_t index) {
  const auto& tokens = code_.tokens();
  const Statement& first = code_.statements()[index];
  const auto next = std::find_if(code_.statements().begin(), code_.statements().end(),
                                 [&](const Statement& s) { return s.first == first.last; });
  if (next == code_.statements().end()) return;
  const bool declares =
      first.kind == StatementKind::kDeclaration || next->kind == StatementKind::kDeclaration;
  if (declares || is(next->first, "return") || is(first.first, "return") || is(next->first, "}")) return;
  const std::string a = text(first.first, first.last), b = text(next->first, next->last);
  const TextEdit edit = {tokens[first.first].begin, tokens[next->last - 1].end, b + "\n" + a};
  add({edit}, text(next->first, next->body), "which comes too early");
  if (first.kind != StatementKind::kFor) return;
  const std::string inside =
      text(first.first, first.body) + " {\n" + text(first.body, first.last) + "\n" + b + "\n}";
  add({{edit.begin, edit.end, inside}}, text(next->first, next->body),
      "which stands within the loop before it");
}

// A sum that begins at 0 only once.
void Mutator::declare_before_loops(const Statement& declaration) {
  const auto& tokens = code_.tokens();
  if (declaration.loop < 0 || is(declaration.first, "const")) return;
  const std::string text_of_it = text(declaration.first, declaration.last);
  const TextEdit removed = {tokens[declaration.first].begin, tokens[declaration.last - 1].end, ""};
  for (int loop = declaration.loop; loop >= 0;
       loop = code_.statements()[static_cast<std::size_t>(loop)].loop) {
    const std::size_t place = tokens[code_.statements()[static_cast<std::size_t>(loop)].first].begin;
    // A loop that is the body of another one, without braces, takes the declaration with it.
    const std::string block = "\n";
    add({{place, place, text_of_it + block}, removed}, text_of_it,
        "which stands before the loop, so that it is not set back");
  }
}

// A statement that happens only where two indices, or an index and a class, are equal, or only where they are not.
void Mutator::guard_statement(const Statement& statement) {
  if (statement.kind != StatementKind::kPlain || statement.loop < 0 || is(statement.first, "return") ||
      is(statement.first, "continue"))
    return;
  const std::vector<std::string> counters = loops_around(statement.first);
  if (counters.empty()) return;
  std::vector<std::string> others(counters.begin(), counters.end() - 1);
  for (const Variable& variable : code_.variables())
    if (variable.type == "int" && is_in_scope(variable.token, statement.first))
      others.push_back(variable.name);
  const std::size_t at = code_.tokens()[statement.first].begin;
  for (const std::string& other : others)
    for (const std::string sign : {"==", "!="}) {
      const std::string condition = counters.back() + " " + sign + " " + other;
      add({{at, at, "if (" + condition + ") "}}, text(statement.first, statement.last),
          "which happens only where `" + condition + "`");
    }
}

// Before the conditions that stand before it in its loop.
void Mutator::move_to_front(const Statement& statement) {
  const auto& tokens = code_.tokens();
  if (statement.kind != StatementKind::kPlain || statement.loop < 0) return;
  const Statement& loop = code_.statements()[static_cast<std::size_t>(statement.loop)];
  const bool is_behind_a_condition =
      std::any_of(code_.statements().begin(), code_.statements().end(), [&](const Statement& other) {
        return other.kind == StatementKind::kIf && other.first > loop.first &&
               other.last <= statement.first && other.loop == statement.loop;
      });
  if (!is(loop.body, "{") || !is_behind_a_condition || is(statement.first, "continue")) return;
  const std::size_t place = tokens[loop.body].end;
  const std::string moved = text(statement.first, statement.last);
  add({{place, place, "\n" + moved}, {tokens[statement.first].begin, tokens[statement.last - 1].end, ";"}},
      moved, "which comes before the condition above it");
}

// What is returned or kept: one of its members in the place of another, or divided by it, or another tensor.
void Mutator::change_results() {
  const auto& tokens = code_.tokens();
  std::map<std::string, std::set<std::string>> members;  // of each object: total.loss, total.rows
  std::set<std::string> tensors;
  for (std::size_t i = 2; i < tokens.size(); ++i)
    if (code_.is_member(i) && is(i - 1, ".") && !is(i + 1, "(") && !code_.is_member(i - 2))
      members[tokens[i - 2].text].insert(tokens[i].text);
  for (const Variable& variable : code_.variables())
    if (variable.type == "Tensor" && is_in_scope(variable.token, tokens.size()))
      tensors.insert(variable.name);
  std::size_t place = code_.body().size();
  for (const Statement& statement : code_.statements())
    if (is(statement.first, "return") && statement.last == tokens.size())
      place = tokens[statement.first].begin;
  const auto change = [&](const std::string& line) {
    add({{place, place, line + ";\n"}}, line, "behind everything else");
  };
  for (const auto& [object, names] : members)
    for (const std::string& name : names) {
      const std::string member = object + "." + name;
      for (const std::string& other : names) {
        if (other == name) continue;
        for (const char* const sign : {" = ", " = -", " /= ", " *= "})
          change(member + sign + object + "." + other);
      }
      for (const std::string& tensor : tensors) change(member + " = " + tensor);
    }
}

}  // namespace plainformer::course
