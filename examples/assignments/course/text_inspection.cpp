#include "text_inspection.h"

#include <algorithm>
#include <set>

#include "source_text.h"
#include "text.h"

namespace plainformer::course {

namespace {

using Problems = std::vector<std::string>;

// Some editors begin a file with the mark of UTF-8.
std::string without_mark(const std::string& text) {
  const std::string mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

// To Clang it ends a line, to GCC it is a blank.
bool has_lone_carriage_return(const std::string& text) {
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1))
    if (text.compare(at, 2, "\r\n") != 0) return true;
  return false;
}

const Source* source_of(const Exercise& exercise, const fs::path& file) {
  for (const Source& source : exercise.sources)
    if (exercise.sources.size() == 1 || source.file_name() == file.filename()) return &source;
  return nullptr;
}

// "  # include <x>" -> "include <x>"; "" if the line is no directive.
std::string directive(const std::string& code) {
  const std::size_t hash = code.find_first_not_of(" \t\r\f\v");
  if (hash == std::string::npos || code[hash] != '#') return "";
  const std::size_t begin = code.find_first_not_of(" \t\r\f\v", hash + 1);
  return begin == std::string::npos ? "" : code.substr(begin);
}

// Why nobody may write this line of code; "" if one may. ## hides what is forbidden, asm and mangled names reach functions
// without naming them, and the sanitizers' own functions hide an overrun.
std::string problem_of_line(const std::string& code) {
  if (code.find("##") != std::string::npos || code.find("%:") != std::string::npos)
    return "joins names with ##: write C++ that can be read";
  for (const std::string& name : identifiers(code)) {
    if (name == "asm" || name == "__asm__" || name == "__asm")
      return "contains assembler: write C++ that can be read";
    if (name.starts_with("_Z")) return "contains the linker's name of a function, " + name;
    if (starts_with_one_of(name,
                           {"__asan_", "__ubsan_", "__tsan_", "__lsan_", "__sanitizer", "__interceptor"}))
      return "names a function of the sanitizers, " + name;
  }
  return "";
}

// Does the code name a function that is forbidden: "plainformer::multiply(", with or without its namespace?
bool calls_function(const std::string& code, const std::string& function) {
  const std::string name_space = "plainformer::";
  const std::string name = function.starts_with(name_space) ? function.substr(name_space.size()) : function;
  for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1))
    if (at == 0 || !is_word(code[at - 1])) return true;
  return false;
}

std::string forbidden_function(const Exercise& exercise, const std::string& code) {
  for (const std::string& function : exercise.forbid)
    if (calls_function(code, function))
      return "uses " + function + ": this exercise asks you to write that yourself";
  return "";
}

Problems problems_of_lines(const Exercise& exercise, const std::string& source,
                           const std::string& reference) {
  std::set<std::string> allowed;
  for (const CodeLine& line : code_lines(reference)) allowed.insert(line.code);
  Problems problems;
  for (const CodeLine& line : code_lines(source)) {
    std::string problem = problem_of_line(line.code);
    if (problem.empty()) problem = forbidden_function(exercise, line.code);
    if (problem.empty() || allowed.contains(line.code)) continue;
    problems.push_back("line " + std::to_string(line.number) + " " + problem);
  }
  return problems;
}

// Each line of the file, the first one being at index 1.
std::vector<std::string> raw_lines(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  lines.insert(lines.begin(), "");
  return lines;
}

// `#include "name"` -> name; "" if it is written in another way.
std::string included_name(const std::string& line) {
  const std::string text = directive(line), word = "include";
  if (!text.starts_with(word)) return "";
  const std::size_t open = text.find_first_not_of(" \t", word.size());
  if (open == std::string::npos || (text[open] != '"' && text[open] != '<')) return "";
  const std::size_t close = text.find(text[open] == '"' ? '"' : '>', open + 1);
  return close == std::string::npos ? "" : text.substr(open + 1, close - open - 1);
}

// A name with ".." may leave the folders of headers, and what it finds beside those of the system does not show
// in the list of dependencies.
bool is_far_away(const fs::path& name) {
  return name.has_root_path() || std::find(name.begin(), name.end(), "..") != name.end();
}

Problems problems_of_include_lines(const Toolchain& tools, const Exercise& exercise, const fs::path& source,
                                   const std::string& text) {
  const std::vector<std::string> lines = raw_lines(text);
  Problems problems;
  for (const CodeLine& line : code_lines(text)) {
    const std::vector<std::string> names = identifiers(directive(line.code));
    if (names.empty() || names[0] != "include") continue;
    const std::string name = included_name(lines.at(static_cast<std::size_t>(line.number)));
    if (name.empty()) {
      problems.push_back("line " + std::to_string(line.number) +
                         " includes a file in a complicated way: write #include \"name\" in one line");
      continue;
    }
    const fs::path beside = source.parent_path() / path_of(name), ending = path_of(name).extension();
    std::error_code ignored;
    if ((ending.empty() || ending == ".h") && !is_far_away(path_of(name)) &&
        !fs::exists(fs::symlink_status(beside, ignored)))
      continue;
    if (is_header_of_ours(tools, exercise, beside)) continue;
    problems.push_back("it includes " + name +
                       ": include only headers from src/ and the standard library, and put your own helpers "
                       "into this file");
  }
  return problems;
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  const fs::path whole = fs::weakly_canonical(folder);
  const auto [end, ignored] = std::mismatch(whole.begin(), whole.end(), file.begin(), file.end());
  return end == whole.end();
}

}  // namespace

std::vector<std::string> inspect_text(const Toolchain& tools, const Exercise& exercise,
                                      const fs::path& source) {
  const std::string text = without_mark(read_text(source));
  if (has_lone_carriage_return(text)) return {"it has carriage returns within its lines: save it again"};
  const Source* const original = source_of(exercise, source);
  const fs::path reference = original ? tools.settings().source_dir / "src" / original->file : fs::path();
  Problems problems = problems_of_lines(exercise, text, original ? read_text(reference) : "");
  for (const std::string& problem : problems_of_include_lines(tools, exercise, source, text))
    problems.push_back(problem);
  return problems;
}

bool is_header_of_ours(const Toolchain& tools, const Exercise& exercise, const fs::path& file) {
  std::vector<fs::path> folders = {tools.settings().source_dir / "src",
                                   tools.settings().course_dir() / "support"};
  if (exercise.kind == Kind::kTests) folders.push_back(tools.settings().source_dir / "tests");
  const fs::path whole = fs::weakly_canonical(file);
  return whole.extension() == ".h" &&
         std::any_of(folders.begin(), folders.end(),
                     [&](const fs::path& folder) { return is_inside(whole, folder); });
}

}  // namespace plainformer::course
