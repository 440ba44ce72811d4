#include "source_cutter.h"

#include <algorithm>
#include <optional>

#include "core/input_error.h"
#include "core/strings.h"

namespace plainformer::course {

namespace {

using Lines = std::vector<std::string>;

constexpr const char* kUnnamed = "namespace {";

// Lines first to last of a file: a definition from its signature to its closing brace.
struct Definition {
  std::size_t signature;  // its first line
  std::size_t body;       // the first line after the one that opens the body
  std::size_t end;        // the line of the closing brace
};

std::string text_of_lines(const Lines& lines) {
  return join("\n", lines) + "\n";
}

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

std::string trimmed(const std::string& line) {
  return line.substr(indentation(line));
}

bool is_comment(const std::string& line) {
  return trimmed(line).starts_with("//");
}

// "Tensor softmax_forward(" holds the name softmax_forward; "softmax_forward(x)" in a body does too, but no
// call begins a line in the column of a definition and ends without a semicolon.
bool names_function(const std::string& line, const std::string& name) {
  for (std::size_t at = line.find(name + "("); at != std::string::npos; at = line.find(name + "(", at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    if (before == ' ' || before == '&' || before == '*') return true;
  }
  return false;
}

// Definitions stand in column 0, or in column 2 within a class.
std::optional<Definition> find_definition(const Lines& lines, const std::string& name) {
  for (std::size_t first = 0; first < lines.size(); ++first) {
    const std::size_t column = indentation(lines[first]);
    if (column > 2 || is_comment(lines[first]) || !names_function(lines[first], name)) continue;
    std::size_t open = first;
    while (open < lines.size() && !lines[open].ends_with("{") && !lines[open].ends_with(";")) ++open;
    if (open == lines.size() || lines[open].ends_with(";")) continue;  // a declaration or a call
    const std::string closing = std::string(column, ' ') + "}";
    for (std::size_t end = open + 1; end < lines.size(); ++end)
      if (lines[end] == closing) return Definition{first, open + 1, end};
  }
  return std::nullopt;
}

Definition definition_of(const Lines& lines, const Source& cuts, const std::string& name) {
  if (const auto found = find_definition(lines, name)) return *found;
  throw input_error(cuts.file, "it defines no function \"" + name + "\"",
                    "spell the name in exercise.json as the definition does");
}

// Extents and checks come first in a body: "const Index batch = ...;", "CHECK...(...);", "check(...);" and
// "check_...(...);".
bool begins_extents_or_check(const std::string& line) {
  const std::string text = trimmed(line);
  return text.starts_with("const Index ") || text.starts_with("CHECK") || text.starts_with("check(") ||
         text.starts_with("check_");
}

// A comment may follow.
bool ends_statement(const std::string& line) {
  const std::string code = line.substr(0, line.find("  //"));
  return code.ends_with(";");
}

// The end of the extents and checks on top of a body.
std::size_t end_of_extents(const Lines& lines, const Definition& definition) {
  std::size_t line = definition.body;
  while (line < definition.end && begins_extents_or_check(lines[line])) {
    while (line < definition.end && !ends_statement(lines[line])) ++line;
    ++line;
  }
  return line;
}

// What stays of a body: extents and checks, and blocks of comment lines, each with an empty line before it.
Lines stub_body(const Lines& lines, const Definition& definition, const std::string& name) {
  const std::string indent(indentation(lines[definition.signature]) + 2, ' ');
  const std::size_t extents_end = end_of_extents(lines, definition);
  Lines body(lines.begin() + definition.body, lines.begin() + extents_end);
  for (std::size_t line = extents_end; line < definition.end; ++line) {
    if (!is_comment(lines[line])) continue;
    const bool begins = line == extents_end || !is_comment(lines[line - 1]);
    if (begins && !body.empty()) body.push_back("");
    body.push_back(indent + trimmed(lines[line]));
  }
  if (!body.empty()) body.push_back("");
  body.push_back(indent + "not_written(\"" + name + "\");");
  return body;
}

// Replaces the lines from `first` to before `end`.
void replace_lines(Lines& lines, std::size_t first, std::size_t end, const Lines& others) {
  const auto place = lines.erase(lines.begin() + first, lines.begin() + end);
  lines.insert(place, others.begin(), others.end());
}

// Removes the lines first to last, the comment above them, and an empty line.
void remove_lines(Lines& lines, std::size_t first, std::size_t last) {
  while (first > 0 && is_comment(lines[first - 1])) --first;
  if (last + 1 < lines.size() && lines[last + 1].empty()) ++last;
  replace_lines(lines, first, last + 1, {});
}

// Removes all unnamed namespaces, or those of which nothing is left.
void drop_unnamed(Lines& lines, bool only_empty) {
  for (std::size_t first = 0; first < lines.size(); ++first) {
    if (lines[first] != kUnnamed) continue;
    const auto end = std::find(lines.begin() + first, lines.end(), "}  // namespace");
    const std::size_t last = end - lines.begin();
    if (end != lines.end() && (!only_empty || last <= first + 2)) remove_lines(lines, first--, last);
  }
}

void drop(Lines& lines, const Source& cuts) {
  for (const std::string& name : cuts.drop) {
    if (name == kUnnamed) {
      drop_unnamed(lines, false);
      continue;
    }
    const Definition definition = definition_of(lines, cuts, name);
    remove_lines(lines, definition.signature, definition.end);
  }
  drop_unnamed(lines, true);
}

}  // namespace

std::string without_the_fast_way(const std::string& source) {
  Lines kept;
  const Lines lines = lines_of(source);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const std::string text = trimmed(lines[line]);
    const bool leaves = text.starts_with("if (") && text.find(" == Way::kFast)") != std::string::npos;
    if (leaves) {
      while (!ends_statement(lines[line])) ++line;
      continue;
    }
    const bool serves_it = text == "#include \"ops/fast/fast.h\"" || text == "#include \"ops/ways.h\"";
    if (!serves_it) kept.push_back(lines[line]);
  }
  return text_of_lines(kept);
}

std::string stub_of(const std::string& source, const Source& cuts) {
  Lines lines = lines_of(source);
  for (const auto& [name, zeros] : cuts.cut) {
    const Definition definition = definition_of(lines, cuts, name);
    replace_lines(lines, definition.body, definition.end, stub_body(lines, definition, name));
  }
  drop(lines, cuts);
  const auto first_include = std::find_if(
      lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("#include"); });
  lines.insert(first_include == lines.end() ? lines.begin() : first_include + 1,
               "#include \"not_written.h\"");
  return text_of_lines(lines);
}

std::string with_functions(const std::string& source, const Source& cuts, const std::string& functions) {
  Lines lines = lines_of(source), others = lines_of(functions);
  bool defines_some = false;
  for (const auto& [name, zeros] : cuts.cut) {
    const auto mine = find_definition(others, name);
    if (!mine) continue;
    defines_some = true;
    const Lines text(others.begin() + mine->signature, others.begin() + mine->end + 1);
    replace_lines(others, mine->signature, mine->end + 1, {});
    const Definition old = definition_of(lines, cuts, name);
    replace_lines(lines, old.signature, old.end + 1, text);
  }
  if (!defines_some) return source;
  Lines helpers = {"", "namespace {", ""};
  for (const std::string& line : others) {
    if (line.starts_with("#include"))
      lines.insert(lines.begin(), line);
    else
      helpers.push_back(line);
  }
  helpers.insert(helpers.end(), {"", "}  // namespace"});
  const auto place = std::find(lines.begin(), lines.end(), "namespace plainformer {");
  lines.insert(place == lines.end() ? place : place + 1, helpers.begin(), helpers.end());
  return text_of_lines(lines);
}

std::string zeros_of(const std::string& source, const Source& cuts) {
  Lines lines = lines_of(source);
  for (const auto& [name, zeros] : cuts.cut) {
    const Definition definition = definition_of(lines, cuts, name);
    replace_lines(lines, definition.body, definition.end, {"  " + zeros});
  }
  drop(lines, cuts);
  return text_of_lines(lines);
}

std::string with_edits(const std::string& source, const std::string& file, const std::string& whose,
                       const std::vector<Edit>& edits) {
  std::string text = source;
  for (const Edit& edit : edits) {
    if (edit.file != file) continue;
    const std::size_t at = text.find(edit.before);
    const bool is_missing = at == std::string::npos;
    if (is_missing || text.find(edit.before, at + 1) != std::string::npos)
      throw input_error("bug " + whose,
                        std::string("its text occurs ") + (is_missing ? "nowhere" : "more than once") +
                            " in src/" + file + ": " + edit.before,
                        "the source has changed: adapt the edit");
    text.replace(at, edit.before.size(), edit.after);
  }
  return text;
}

}  // namespace plainformer::course
