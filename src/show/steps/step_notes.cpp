#include <algorithm>
#include <sstream>

#include "core/check.h"
#include "io/json.h"
#include "show/html_page.h"
#include "show/steps/steps_page.h"

namespace plainformer {

namespace {

bool starts_step(const std::string& line) {
  const std::size_t text = line.find_first_not_of(' ');
  return text != std::string::npos && line.compare(text, 7, "// Step") == 0;
}

std::string without_indent(const std::string& line) {
  return line.substr(std::min(line.size(), line.find_first_not_of(' ')));
}

// The place of "name(" at the beginning of a declaration, that is, in a line without indent.
bool declares(const std::string& line, const std::string& symbol) {
  if (line.empty() || line[0] == ' ' || line[0] == '/' || line[0] == '#') return false;
  const std::size_t at = line.find(symbol + "(");
  return at != std::string::npos && (at == 0 || line[at - 1] == ' ') && line.back() != ';';
}

std::vector<StepNote> read_notes() {
  const JsonValue json = parse_json(embedded_file("show/steps/notes.json"), "notes.json");
  std::vector<StepNote> notes;
  for (const JsonValue& each : *json.array()) {
    const auto text = [&](const char* name) { return *each.find(name)->string(); };
    notes.push_back({.kind = text("kind"),
                     .section = text("section"),
                     .equation = text("equation"),
                     .paper = text("paper"),
                     .sentence = text("sentence"),
                     .rule = each.find("rule") ? text("rule") : "",
                     .code = {}});
    for (const JsonValue& place : *each.find("code")->array()) {
      const JsonArray& parts = *place.array();
      notes.back().code.push_back({*parts[0].string(), *parts[1].string(), *parts[2].string()});
    }
  }
  return notes;
}

}  // namespace

const std::vector<StepNote>& step_notes() {
  static const std::vector<StepNote> notes = read_notes();
  return notes;
}

std::string kind_of(const std::string& name) {
  std::string kind = name;
  for (const char* stack : {"encoder.", "decoder."}) {
    if (!kind.starts_with(stack)) continue;
    const std::size_t rest = kind.find('.', 8) + 1;
    if (kind.find('.', rest) == std::string::npos) return stack + kind.substr(rest);  // "encoder.grad_y"
    kind = kind.substr(rest);
  }
  const std::size_t dot = kind.find('.');
  if (dot == std::string::npos) return kind;
  const std::string part = kind.substr(0, dot), last = kind.substr(dot);
  if (part == "source" || part == "target") return "input" + last;
  if (part.ends_with("_norm")) return "norm" + last;
  if (part.ends_with("attention")) return "attention" + last;
  return kind;
}

const StepNote& note_of(const std::string& kind) {
  const std::vector<StepNote>& notes = step_notes();
  const auto found =
      std::find_if(notes.begin(), notes.end(), [&](const StepNote& note) { return note.kind == kind; });
  CHECK(found != notes.end(), "no note of ", kind);
  return *found;
}

QuotedFunction quote_function(const std::string& file, const std::string& symbol) {
  std::istringstream text(embedded_file(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  auto first =
      std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return declares(line, symbol); });
  CHECK(first != lines.end(), "no ", symbol, " in ", file);
  const auto last = std::find(first, lines.end(), "}");
  CHECK(last != lines.end(), symbol, " has no end");
  while (first != lines.begin() && first[-1].starts_with("//")) --first;
  return {.first_line = static_cast<int>(first - lines.begin()) + 1, .lines = {first, last + 1}};
}

std::pair<int, int> lines_of_step(const QuotedFunction& function, const std::string& step) {
  const auto& lines = function.lines;
  auto first = std::find_if(lines.begin(), lines.end(),
                            [&](const auto& line) { return without_indent(line).starts_with(step); });
  CHECK(first != lines.end(), "no line begins with ", step);
  const std::size_t indent = first->find_first_not_of(' ');
  auto end = first + 1;
  bool has_code = false;  // two comments of steps may share the lines below them
  while (end != lines.end() && !end->empty() && end->find_first_not_of(' ') >= indent) {
    if (has_code && starts_step(*end)) break;
    has_code = has_code || !without_indent(*end).starts_with("//");
    ++end;
  }
  return {static_cast<int>(first - lines.begin()), static_cast<int>(end - lines.begin()) - 1};
}

}  // namespace plainformer
