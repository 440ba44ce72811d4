#include "submission.h"

#include <algorithm>
#include <cctype>
#include <iomanip>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/strings.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "report/terminal.h"

namespace plainformer::course {

namespace {

constexpr std::uintmax_t kMaxSubmittedBytes = 1'000'000;

// --- where a file is ---

// "softmax.cpp" -> 0, "softmax-2.cpp" and "softmax (2).cpp" -> 2; nothing for another file.
std::optional<int> version_of(const std::string& name, const std::string& wanted) {
  const fs::path given = to_path(name), asked = to_path(wanted);
  if (given.extension() != asked.extension()) return std::nullopt;
  std::string rest = to_text(given.stem());
  if (!rest.starts_with(to_text(asked.stem()))) return std::nullopt;
  rest.erase(0, to_text(asked.stem()).size());
  static const std::regex number("-([0-9]+)| \\(([0-9]+)\\)");
  std::smatch found;
  if (std::regex_match(rest, found, number)) return parse_number<int>(found.str(1) + found.str(2));
  return rest.empty() ? std::optional(0) : std::nullopt;
}

// Is it in a folder like 03-attention?
bool names_exercise(const fs::path& part) {
  static const std::regex name("[0-9][0-9]-.+");
  return std::regex_match(to_text(part), name);
}

// Has nobody handed it in?
bool is_left_out(const std::string& name) {
  return name.starts_with(".") || name == "__MACOSX" || name == "Thumbs.db" || name == "desktop.ini";
}

// Every regular file of a submission, with its name relative to it.
std::map<std::string, fs::path> files_in(const Submission& submission) {
  std::map<std::string, fs::path> files = submission.files;
  if (submission.path.empty() || !fs::is_directory(fs::symlink_status(submission.path))) return files;
  for (auto entry = fs::recursive_directory_iterator(submission.path); entry != fs::end(entry); ++entry) {
    const bool is_junk = is_left_out(to_text(entry->path().filename()));
    if (is_junk && entry->is_directory()) entry.disable_recursion_pending();
    if (!is_junk && entry->is_regular_file() && !entry->is_symlink())
      files[to_text(entry->path().lexically_relative(submission.path))] = entry->path();
  }
  return files;
}

// ", where there is: my-softmax.cpp, notes.txt"
std::string what_is_there(const std::map<std::string, fs::path>& files) {
  constexpr std::size_t kMostNames = 5;
  if (files.empty()) return ", which is empty";
  Texts names;
  for (const auto& [name, path] : files)
    if (names.size() <= kMostNames) names.push_back(names.size() < kMostNames ? printable(name) : "...");
  return ", where there is: " + join(", ", names);
}

// --- what may not stand in it ---

// May it stand in an identifier?
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

constexpr std::string_view kRawString = " raw string R\"";  // put where one begins

// Nobody may write these: ## hides what is forbidden, asm and the linker's names reach functions without
// naming them, and a file of src/ that is included is the answer. A raw string could hide code from this
// inspection.
constexpr std::string_view kNeverWritten[] = {"##",       "%:",   "asm",     "__asm",      "_Z",
                                              kRawString, ".cpp", "__asan_", "__sanitizer"};

// What stands in an identifier or a number before this place.
std::string word_before(const std::string& text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '\'')) --begin;
  return text.substr(begin, at - begin);
}

// Does a literal begin at this quotation mark? Not within a number, as in 1'000.
bool begins_literal(const std::string& text, std::size_t mark) {
  const std::string before = word_before(text, mark);
  const bool is_number = !before.empty() && std::isdigit(static_cast<unsigned char>(before[0]));
  return text[mark] == '"' ||
         (text[mark] == '\'' && !(is_number && mark + 1 < text.size() && is_word(text[mark + 1])));
}

// Drops the white space by which a name could be cut from "::", "(" or "=", and leaves a blank behind
// "namespace".
std::string without_gaps(const std::string& code) {
  std::string text;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t next = std::min(code.find_first_not_of(" \t\r\n\v\f", at), code.size());
    const bool is_gap = text.ends_with("::") || text.ends_with('=') || code.compare(next, 2, "::") == 0 ||
                        code.compare(next, 1, "(") == 0 || code.compare(next, 1, "=") == 0;
    if (text.ends_with("namespace") && next > at)
      text += ' ';
    else if (!is_gap)
      text.append(code, at, next - at);
    if (next < code.size()) text += code[next];
    at = next + 1;
  }
  return text;
}

// The source without comments and without_gaps, and with the lines joined that a backslash continues.
std::string code_of(const std::string& source) {
  std::string text, code;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t next = source[i] == '\\' ? source.find_first_not_of(" \t\r", i + 1) : std::string::npos;
    if (next != std::string::npos && source[next] == '\n')
      i = next;
    else
      text += source[i];
  }
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    const char c = text[at];
    const bool is_line = text.compare(at, 2, "//") == 0, is_block = text.compare(at, 2, "/*") == 0,
               is_literal = begins_literal(text, at);
    end = at + 1;
    if (is_line) end = text.find('\n', at);
    if (is_block) end = std::min(text.find("*/", at + 2), text.size()) + 2;
    if (is_literal) {
      if (c == '"' && word_before(text, at).ends_with('R')) code += kRawString;
      while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      ++end;
    }
    end = std::min(end, text.size());
    if (!is_line) code += is_block ? " " : text.substr(at, end - at);
  }
  return without_gaps(code);
}

// Does a line of code hold this word? What begins like an identifier must begin one; "asm" must be one.
bool has_word(const std::string& code, std::string_view word) {
  for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word(word[0]) || !is_word(code[at - 1]);
    if (begins && (word != "asm" || end == code.size() || !is_word(code[end]))) return true;
  }
  return false;
}

// Does it use or rename a namespace: "using namespace plainformer::fast;", "namespace f=fast;"?
bool opens_namespace(const std::string& code, std::string_view name) {
  const std::string begin = "namespace ";
  const std::size_t at = code.find(begin), end = code.find(';', at);
  if (!name.ends_with("::") || at == std::string::npos || end == std::string::npos) return false;
  std::string opened = code.substr(at + begin.size(), end - at - begin.size());
  const bool is_name =
      std::all_of(opened.begin(), opened.end(), [](char c) { return is_word(c) || c == ':' || c == '='; });
  opened = opened.substr(opened.find('=') + 1) + "::";
  return is_name && has_word(opened, name) && opened.ends_with(name);
}

// "plainformer::multiply(" forbids the function with its namespace and without it.
std::string forbidden_word(const Exercise& exercise, const std::string& code) {
  for (const std::string_view word : kNeverWritten)
    if (has_word(code, word)) return "has " + std::string(word) + ": write C++ that can be read";
  const std::string_view name_space = "plainformer::";
  for (const std::string& word : exercise.forbid) {
    std::string_view name = word;
    if (name.starts_with(name_space)) name.remove_prefix(name_space.size());
    if (has_word(code, name) || opens_namespace(code, name))
      return "uses " + word + ": this exercise asks you to write that yourself";
  }
  return "";
}

}  // namespace

fs::path find_file(const Submission& submission, const Exercise& exercise, const Source& source) {
  const std::string wanted = source.file_name();
  // A single file has any name, if the exercise asks for one only.
  if (fs::is_regular_file(fs::symlink_status(submission.path))) {
    if (exercise.sources.size() < 2 || submission.path.filename() == to_path(wanted)) return submission.path;
    throw SubmissionError(wanted + " is missing, and there is one file only");
  }
  const fs::path its_folder = to_path(source.folder.empty() ? exercise.folder_name() : source.folder);
  const std::map<std::string, fs::path> files = files_in(submission);
  std::vector<fs::path> best;
  std::pair<bool, int> most = {false, -1};  // is it in its folder, and which version is it?
  for (const auto& [name, path] : files) {
    const std::optional<int> version = version_of(to_text(to_path(name).filename()), wanted);
    const fs::path folder = to_path(name).parent_path();
    const bool is_in_its_folder = std::find(folder.begin(), folder.end(), its_folder) != folder.end();
    const bool is_in_another = std::any_of(folder.begin(), folder.end(), names_exercise);
    if (!version || (is_in_another && !is_in_its_folder)) continue;
    const std::pair<bool, int> rank = {is_in_its_folder, *version};
    if (rank > most) best.clear();
    if (rank >= most) best.push_back(path);
    most = std::max(most, rank);
  }
  if (best.size() == 1) return best[0];
  if (best.size() > 1)
    throw SubmissionError(wanted + ": there are two: " + to_text(best[0]) + " and " + to_text(best[1]));
  throw SubmissionError(wanted + " is missing in " +
                        to_text(submission.path.empty() ? to_path(submission.student) : submission.path) +
                        what_is_there(files));
}

std::string text_of_submission(const fs::path& file) {
  std::string bytes = read_text(file);
  if (bytes.starts_with("\xEF\xBB\xBF")) return bytes.substr(3);
  const bool little = bytes.starts_with("\xFF\xFE");
  if (!little && !bytes.starts_with("\xFE\xFF")) return bytes;
  std::string text;  // UTF-16, as some editors of Windows save it
  char32_t high = 0;
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    const auto first = static_cast<unsigned char>(bytes[i]),
               second = static_cast<unsigned char>(bytes[i + 1]);
    const char32_t unit = little ? first | second << 8 : first << 8 | second;
    const bool is_low = unit >= 0xDC00 && unit < 0xE000;
    if (unit >= 0xD800 && unit < 0xDC00)
      high = unit;
    else
      append_utf8(text, is_low ? 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00) : unit);
  }
  return text;
}

std::string problem_of_text(const Exercise& exercise, const std::string& text, const std::string& reference) {
  const std::vector<std::string> allowed = lines_of(code_of(reference));
  const std::set<std::string> of_reference(allowed.begin(), allowed.end());
  std::string problems;
  for (const std::string& line : lines_of(code_of(text))) {
    const std::string problem = of_reference.contains(line) ? "" : forbidden_word(exercise, line);
    if (!problem.empty()) problems += "the line \"" + line + "\" " + problem + "\n";
  }
  return problems;
}

std::string checked_text(const Toolchain& tools, const Exercise& exercise, const Source& source,
                         const fs::path& file) {
  const std::string name = to_text(file.filename());
  if (fs::file_size(file) > kMaxSubmittedBytes) throw SubmissionError(name + " is larger than 1 MB");
  const std::string text = text_of_submission(file);
  const std::string problem =
      problem_of_text(exercise, text, read_text(tools.settings().reference(source.file)));
  if (!problem.empty()) throw SubmissionError(name + ":\n" + problem);
  return text;
}

std::string line_directive(const fs::path& file) {
  std::ostringstream line;
  line << "#line 1 " << std::quoted(to_text(file)) << "\n";
  return line.str();
}

std::string compile_file(const Toolchain& tools, const Exercise& exercise, const Source& source,
                         const fs::path& file, const fs::path& object, const Flags& flags) {
  // A copy is compiled, in UTF-8, so that no #include finds a file beside the student's. Messages name the
  // student's.
  fs::path copy = object;
  copy.replace_extension(".cpp");
  fs::create_directories(copy.parent_path());
  write_file_atomically(to_text(copy), line_directive(file) + checked_text(tools, exercise, source, file));
  const ProcessResult compiled = tools.compile_submission(exercise, copy, object, flags);
  const std::string name = to_text(file.filename()), said = compiled.output.substr(0, kMostOutput);
  if (compiled.succeeded()) return said;
  if (was_killed(compiled)) throw busy_machine("the compiler of " + name);
  throw SubmissionError(name +
                        (compiled.timed_out ? " takes too long to compile" : " does not compile:\n" + said));
}

// --- a class ---

namespace {

const std::set<std::string> kArchives = {".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz"};

void add_entry(const fs::path& path, std::vector<Submission>& submissions) {
  static const std::regex moodle("(.+)_([0-9]+)_assignsubmission_file_?(.*)");
  static const std::regex canvas("([^_]+)_(?:LATE_)?([0-9]+)_[0-9]+_(.+)");
  const std::string name = to_text(path.filename());
  std::smatch found;
  std::error_code unreadable;
  const bool is_folder = fs::is_directory(path, unreadable);
  Submission entry = {.student = is_folder ? name : to_text(path.stem()), .path = path};
  if (std::regex_match(name, found, moodle) || std::regex_match(name, found, canvas)) {
    entry.student = found[1];
    entry.id = found[2];
    if (found[3].length() > 0) {  // a file, and not a folder of files
      entry.files = {{found[3], path}};
      entry.path.clear();
    }
  }
  if (kArchives.contains(to_text(path.extension())))
    entry.why = name + " is an archive: unpack it into a folder of this name";
  const auto known = std::find_if(submissions.begin(), submissions.end(), [&](const Submission& other) {
    return !entry.id.empty() && other.id == entry.id && other.student == entry.student;
  });
  if (known == submissions.end()) return submissions.push_back(entry);
  known->files.merge(entry.files);
  if (!entry.path.empty()) known->path = entry.path;
  if (!entry.why.empty()) known->why = entry.why;
}

}  // namespace

ClassFolder read_class_folder(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw input_error(to_text(folder), "it is not a folder",
                      "give the folder that holds an entry for each student");
  ClassFolder all;
  std::set<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.insert(entry.path());
  for (const fs::path& path : paths)
    if (is_left_out(to_text(path.filename())))
      all.left_out.push_back(to_text(path.filename()));
    else
      add_entry(path, all.submissions);
  if (all.submissions.empty())
    throw input_error(to_text(folder), "it is empty", "put a folder for each student there");

  // If two names are the same, as those of alice/ and alice.cpp, all are the whole names of the entries. Of
  // the students whom a platform knows, only those of one name get the numbers that it gave.
  std::map<std::string, int> names;
  for (const Submission& submission : all.submissions) ++names[submission.student];
  if (names.size() < all.submissions.size())
    for (Submission& submission : all.submissions) {
      if (submission.id.empty())
        submission.student = to_text(submission.path.filename());
      else if (names[submission.student] > 1)
        submission.student += " " + submission.id;
    }
  return all;
}

}  // namespace plainformer::course
