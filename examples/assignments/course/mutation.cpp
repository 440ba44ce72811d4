#include "mutation.h"

#include <algorithm>
#include <cctype>

#include "mutator.h"
#include "source_cutter.h"
#include "text.h"

namespace plainformer::course {

namespace {

// In one line, as a sentence quotes it: without comments, and without the brace or semicolon at the end.
std::string in_one_line(const std::string& code) {
  std::string line;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.compare(i, 2, "//") == 0) i = std::min(code.find('\n', i), code.size() - 1);
    const bool is_space = std::isspace(static_cast<unsigned char>(code[i]));
    if (!is_space)
      line += code[i];
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == ';' || line.back() == '{')) line.pop_back();
  return line;
}

// A bracket that is open swallows what follows, and a compiler then finds errors in other mutations.
bool brackets_match(const std::string& body) {
  std::string open;
  const Code code("", body);
  for (const Token& token : code.tokens()) {
    const char c = token.text[0];
    if (c == '(' || c == '[' || c == '{') open += c == '(' ? ')' : c == '[' ? ']' : '}';
    if (c != ')' && c != ']' && c != '}') continue;
    if (open.empty() || open.back() != c) return false;
    open.pop_back();
  }
  return open.empty();
}

constexpr std::size_t kMostQuoted = 110;

// A line of code, of which a long one is cut around the text in which it differs from the original.
std::string part_around_change(const std::string& line, const std::string& original) {
  if (line.size() <= kMostQuoted) return line;
  const std::size_t shorter = std::min(line.size(), original.size());
  std::size_t begin = 0, behind = 0;
  while (begin < shorter && line[begin] == original[begin]) ++begin;
  while (behind < shorter - begin && line[line.size() - 1 - behind] == original[original.size() - 1 - behind])
    ++behind;
  if (original.empty()) begin = behind = 0;
  const std::size_t changed = std::min(line.size() - behind - begin, kMostQuoted);
  const std::size_t before = (kMostQuoted - changed) / 2;
  const std::size_t first = std::min(begin - std::min(begin, before), line.size() - kMostQuoted);
  return (first > 0 ? "..." : "") + line.substr(first, kMostQuoted) +
         (first + kMostQuoted < line.size() ? "..." : "");
}

}  // namespace

Mutator::Mutator(std::string function, const std::string& signature, const std::string& body,
                 const std::string& source)
    : function_(std::move(function)), code_(signature, body), source_tokens_(Code("", source).tokens()) {
  known_.insert(body);
}

std::string Mutator::with(const std::vector<TextEdit>& edits, std::size_t begin, std::size_t end) const {
  std::string result;
  std::size_t at = begin;
  for (const TextEdit& edit : edits) {
    if (edit.begin < at || edit.end > end) continue;
    result += code_.body().substr(at, edit.begin - at) + edit.text;
    at = edit.end;
  }
  return result + code_.body().substr(at, end - at);
}

std::string Mutator::step_before(std::size_t offset) const {
  const std::string mark = "// Step ";
  const std::size_t at = code_.body().rfind(mark, offset);
  if (at == std::string::npos) return "";
  const std::size_t digit = at + mark.size();
  return " in step " + code_.body().substr(digit, 1);
}

void Mutator::add(std::vector<TextEdit> edits, const std::string& changed, const std::string& why) {
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
  const std::string body = with(edits, 0, code_.body().size());
  if (!brackets_match(body) || !known_.insert(body).second) return;
  std::string quoted = changed, original;
  if (quoted.empty()) {
    const auto& tokens = code_.tokens();
    std::size_t token = 0;
    while (token + 1 < tokens.size() && tokens[token].end <= edits.front().begin) ++token;
    const std::size_t index = code_.statement_at(token);
    if (index < code_.statements().size()) {
      const Statement& statement = code_.statements()[index];
      quoted = with(edits, tokens[statement.first].begin, tokens[statement.body - 1].end);
      original = with({}, tokens[statement.first].begin, tokens[statement.body - 1].end);
    }
  }
  quoted = part_around_change(in_one_line(quoted), in_one_line(original));
  mutations_.push_back(
      {.function = function_,
       .body = body,
       .what = function_ + " with `" + quoted + "`" + step_before(edits.front().begin) + ", " + why});
}

void Mutator::replace(std::size_t first, std::size_t last, const std::string& text, const std::string& why) {
  const auto& tokens = code_.tokens();
  TextEdit edit = {tokens[first].begin, tokens[last - 1].end, text};
  const bool leaves_a_space =
      text.empty() && edit.begin > 0 && code_.body()[edit.begin - 1] == ' ' && code_.body()[edit.end] != '(';
  if (leaves_a_space) --edit.begin;
  add({edit}, "", why);

  // The same statement may stand twice: whoever writes it once makes the mistake in both.
  const std::size_t index = code_.statement_at(first);
  if (index == code_.statements().size()) return;
  const Statement& here = code_.statements()[index];
  const std::string statement = code_.text(here.first, here.body);
  const std::size_t shift = edit.begin - tokens[here.first].begin;
  if (edit.begin < tokens[here.first].begin || edit.end > tokens[here.body - 1].end) return;
  std::vector<TextEdit> edits;
  for (const Statement& other : code_.statements()) {
    if (code_.text(other.first, other.body) != statement) continue;
    const std::size_t begin = tokens[other.first].begin + shift;
    edits.push_back({begin, begin + (edit.end - edit.begin), text});
  }
  if (edits.size() > 1) add(edits, "", why);
}

void Mutator::lose(std::size_t first, std::size_t last, const std::string& why) {
  replace(first, last, "", why);
  const auto& tokens = code_.tokens();
  const auto is_same = [&](std::size_t at) {
    for (std::size_t i = 0; i < last - first; ++i)
      if (at + i >= tokens.size() || tokens[at + i].text != tokens[first + i].text) return false;
    return true;
  };
  const std::size_t statement = code_.statement_at(first);
  std::vector<TextEdit> here, everywhere;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!is_same(at)) continue;
    everywhere.push_back({tokens[at].begin, tokens[at + last - first - 1].end, ""});
    if (code_.statement_at(at) == statement) here.push_back(everywhere.back());
  }
  if (here.size() > 1) add(here, "", why + ", each time");
  if (everywhere.size() > here.size()) add(everywhere, "", why + " everywhere");
}

std::vector<Mutation> Mutator::all() {
  for (std::size_t i = 0; i < code_.tokens().size(); ++i) {
    const std::size_t statement = code_.statement_at(i);
    const std::size_t first =
        statement < code_.statements().size() ? code_.statements()[statement].first : code_.tokens().size();
    const bool is_check = is(first, "CHECK") || is(first, "CHECK_SHAPE");
    if (is_check) continue;  // the stub holds it
    const bool is_binary = code_.is_binary(i);
    if (is_binary && (is(i, "+") || is(i, "-"))) change_sum(i);
    if (is_binary && (is(i, "*") || is(i, "/"))) change_product(i);
    if (is_binary && (is(i, "&&") || is(i, "||"))) change_condition(i);
    if (is_binary) change_comparison(i);
    if (is(i, "=") || is(i, "+=") || is(i, "-=") || is(i, "*=") || is(i, "/=")) change_assignment(i);
    if (std::isdigit(static_cast<unsigned char>(code_.tokens()[i].text[0]))) change_number(i);
    if (is(i, "(") && i > 0 && code_.is_name(i - 1)) {
      exchange_arguments(i);
      replace_call(i);
    }
    if (is(i, "{") && i > 0 && (is(i - 1, "=") || is(i - 1, "(") || is(i - 1, "return") || is(i - 1, ",")))
      exchange_arguments(i);
    if (!code_.is_name(i)) continue;
    change_function(i);
    change_name(i);
    change_member(i);
    change_element(i);
  }
  for (std::size_t i = 0; i < code_.statements().size(); ++i) {
    const Statement& statement = code_.statements()[i];
    change_statement(statement);
    move_statement(i);
    guard_statement(statement);
    move_to_front(statement);
    change_order(i);
    change_uses_of_element(i);
    change_uses_of_sum(i);
    if (statement.kind == StatementKind::kFor) change_loop(statement);
    if (statement.kind == StatementKind::kDeclaration) declare_before_loops(statement);
  }
  change_uses();
  change_results();
  for (const Variable& from : code_.variables())
    for (const Variable& to : code_.variables()) rename_everywhere(from, to);
  return std::move(mutations_);
}

namespace {

// A member of the same name is another variable.
bool names_variable(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.');
    if (begins && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

// Whether a line declares a variable and reads it at once, as in "Index n = n / 2". Its numbers are those of whatever the
// memory held.
bool reads_what_it_declares(const std::string& line) {
  const std::size_t equals = line.find(" = ");
  if (equals == std::string::npos) return false;
  std::size_t begin = equals;
  while (begin > 0 && is_word(line[begin - 1])) --begin;
  const std::string name = line.substr(begin, equals - begin);
  const bool has_type = begin >= 2 && line[begin - 1] == ' ' && line[begin - 2] != ' ';
  if (name.empty() || !has_type) return false;
  const std::size_t end = std::min(line.find(';', equals), line.size());
  return names_variable(line.substr(equals + 3, end - equals - 3), name);
}

// Whether the mutation brings no such line that the source lacks.
bool has_numbers_of_its_own(const Mutation& mutation, const std::string& source) {
  const std::vector<std::string> lines = lines_of(mutation.body);
  return std::none_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return reads_what_it_declares(line) && source.find(line) == std::string::npos;
  });
}

}  // namespace

std::vector<Mutation> mutations_of(const std::string& source, const Source& cuts) {
  std::vector<std::string> names = cuts.drop;
  for (const CutFunction& function : cuts.cut) names.push_back(function.name);
  std::vector<Mutation> all;
  for (const CutFunction& function : cuts.cut)
    if (!function.zeros.empty())
      all.push_back({.function = function.name,
                     .body = "  " + function.zeros + "\n",
                     .what = function.name + " that computes nothing, so that all of its numbers are 0"});
  for (const std::string& name : names) {
    const FunctionText function = function_text(source, name);
    for (Mutation& mutation : Mutator(name, function.signature, function.body, source).all())
      if (has_numbers_of_its_own(mutation, source)) all.push_back(std::move(mutation));
  }
  return all;
}

}  // namespace plainformer::course
