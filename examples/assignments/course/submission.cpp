#include "submission.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/number_text.h"
#include "core/strings.h"
#include "io/atomic_file.h"
#include "report/terminal.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr std::uintmax_t kMaxSubmittedBytes = 1'000'000;
constexpr std::size_t kMostCompilerBytes = 2'000;  // of the compiler's output in a message

// --- where a file is ---

// "softmax.cpp" -> 0, "softmax-2.cpp" and "softmax (2).cpp" -> 2; nothing for another file.
std::optional<int> version_of(const std::string& name, const std::string& wanted) {
  const fs::path given = path_of(name), asked = path_of(wanted);
  if (given.extension() != asked.extension()) return std::nullopt;
  std::string rest = text_of(given.stem());
  if (!rest.starts_with(text_of(asked.stem()))) return std::nullopt;
  rest.erase(0, text_of(asked.stem()).size());
  if (rest.empty()) return 0;
  if (rest.starts_with(" (") && rest.ends_with(")"))
    return parse_number<int>(rest.substr(2, rest.size() - 3));
  return rest.starts_with("-") ? parse_number<int>(rest.substr(1)) : std::nullopt;
}

// Is it in a folder like 03-attention?
bool names_exercise(const fs::path& part) {
  const std::string name = text_of(part);
  return name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::isdigit(static_cast<unsigned char>(name[1])) && name[2] == '-';
}

// Every regular file of a submission, with its name relative to it.
std::map<std::string, fs::path> files_in(const Submission& submission) {
  std::map<std::string, fs::path> files = submission.files;
  if (submission.path.empty() || !fs::is_directory(fs::symlink_status(submission.path))) return files;
  for (auto entry = fs::recursive_directory_iterator(submission.path); entry != fs::end(entry); ++entry) {
    const std::string name = text_of(entry->path().filename());
    const bool is_junk = name.starts_with(".") || name == "__MACOSX";
    if (is_junk && entry->is_directory()) entry.disable_recursion_pending();
    if (!is_junk && entry->is_regular_file() && !entry->is_symlink())
      files[text_of(entry->path().lexically_relative(submission.path))] = entry->path();
  }
  return files;
}

// ", where there is: my-softmax.cpp, notes.txt"
std::string what_is_there(const std::map<std::string, fs::path>& files) {
  constexpr std::size_t kMostNames = 5;
  std::string text;
  std::size_t count = 0;
  for (const auto& [name, path] : files) {
    if (++count > kMostNames) return text + ", ...";
    text += (text.empty() ? ", where there is: " : ", ") + printable(name);
  }
  return text.empty() ? ", which is empty" : text;
}

// --- what may not stand in it ---

// Nobody may write these: ## hides what is forbidden, asm and the linker's names reach functions without
// naming them, a raw string hides code from this inspection, and a file of src/ that is included is the
// answer.
constexpr std::string_view kNeverWritten[] = {"##",  "%:",   "asm",     "__asm",      "_Z",
                                              "R\"", ".cpp", "__asan_", "__sanitizer"};

// The source without comments, and with the lines joined that a backslash continues.
std::string code_of(const std::string& source) {
  std::string text, code;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t next = source[i] == '\\' ? source.find_first_not_of(" \t\r", i + 1) : i;
    if (next != i && next != std::string::npos && source[next] == '\n')
      i = next;
    else
      text += source[i];
  }
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      code += ' ';
      const std::size_t end = text.find("*/", at + 2);
      at = end == std::string::npos ? text.size() : end + 2;
    } else if (c == '"' || (c == '\'' && (code.empty() || !is_word(code.back())))) {  // not 1'000
      do {
        if (text[at] == '\\') code += text[at++];
        if (at < text.size()) code += text[at++];
      } while (at < text.size() && text[at] != c && text[at] != '\n');
      if (at < text.size()) code += text[at++];
    } else {
      code += text[at++];
    }
  }
  return code;
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

// "plainformer::multiply(" forbids the function with its namespace and without it.
std::string forbidden_word(const Exercise& exercise, const std::string& code) {
  for (const std::string_view word : kNeverWritten)
    if (has_word(code, word)) return "has " + std::string(word) + ": write C++ that can be read";
  const std::string_view name_space = "plainformer::";
  for (const std::string& word : exercise.forbid) {
    const std::string_view name = word;
    if (has_word(code, name.starts_with(name_space) ? name.substr(name_space.size()) : name))
      return "uses " + word + ": this exercise asks you to write that yourself";
  }
  return "";
}

std::string beginning(const std::string& text) {
  return text.substr(0, kMostCompilerBytes);
}

}  // namespace

FoundFile find_file(const Submission& submission, const Exercise& exercise, const std::string& folder_name,
                    const std::string& file_name) {
  // A single file has any name, if the exercise asks for one only.
  if (fs::is_regular_file(fs::symlink_status(submission.path))) {
    if (exercise.sources.size() < 2 || submission.path.filename() == path_of(file_name))
      return {.path = submission.path};
    return {.problem = file_name + " is missing, and there is one file only"};
  }
  const std::map<std::string, fs::path> files = files_in(submission);
  FoundFile best;
  std::pair<bool, int> most = {false, -1};
  for (const auto& [name, path] : files) {
    const std::optional<int> version = version_of(text_of(path_of(name).filename()), file_name);
    if (!version) continue;
    const fs::path folder = path_of(name).parent_path();
    const bool is_in_its_folder =
        std::find(folder.begin(), folder.end(), path_of(folder_name)) != folder.end();
    if (!is_in_its_folder && std::any_of(folder.begin(), folder.end(), names_exercise)) continue;
    const std::pair<bool, int> rank = {is_in_its_folder, *version};
    if (rank == most) best.problem = "there are two: " + text_of(best.path) + " and " + text_of(path);
    if (rank > most) best = {.path = path};
    most = std::max(most, rank);
  }
  if (!best.problem.empty()) return {.problem = file_name + ": " + best.problem};
  if (!best.path.empty()) return best;
  return {.problem = file_name + " is missing in " +
                     text_of(submission.path.empty() ? path_of(submission.student) : submission.path) +
                     what_is_there(files)};
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

CompiledFile compile_file(const Toolchain& tools, const Exercise& exercise, const fs::path& file,
                          const fs::path& reference, const fs::path& object, const Flags& flags) {
  const std::string name = text_of(file.filename());
  if (fs::file_size(file) > kMaxSubmittedBytes) return {.problem = name + " is larger than 1 MB"};
  const std::string text = text_of_submission(file);
  const std::string problem = problem_of_text(exercise, text, read_text(reference));
  if (!problem.empty()) return {.problem = name + ":\n" + problem};

  // A copy is compiled, in UTF-8, so that no #include finds a file beside the student's. Messages name the
  // student's.
  fs::path source = object;
  source.replace_extension(".cpp");
  fs::create_directories(source.parent_path());
  write_file_atomically(text_of(source), "#line 1 \"" + text_of(file) + "\"\n" + text);
  const ProcessResult compiled = tools.compile_submission(exercise, source, object, flags);
  if (compiled.succeeded()) return {.warnings = beginning(compiled.output)};
  if (compiled.waited) return {.problem = name + ": the compiler had to wait", .waited = true};
  if (compiled.timed_out) return {.problem = name + " takes too long to compile"};
  return {.problem = name + " does not compile:\n" + beginning(compiled.output)};
}

}  // namespace plainformer::course
