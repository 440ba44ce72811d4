#include <iostream>

#include "commands.h"
#include "core/input_error.h"
#include "source_text.h"
#include "text.h"

namespace plainformer::course {

// One blank where there were several, none around marks, no empty lines. Comments are gone, and literals are empty.
std::string stripped(const std::string& source) {
  std::string text;
  for (const CodeLine& line : code_lines(source)) {
    std::string code;
    bool has_gap = false;
    for (const char c : line.code) {
      if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        has_gap = !code.empty();
        continue;
      }
      if (has_gap && is_word(c) && is_word(code.back())) code += ' ';
      has_gap = false;
      code += c;
    }
    if (!code.empty()) text += code + '\n';
  }
  return text;
}

int strip_command(const Course&, const Arguments& arguments) {
  CommandLine line(
      "course strip FILE ...",
      "Prints the code of C++ files without comments, text and layout, for programs that look for "
      "copies.\nAs their base file, give the stub of `course start --bare`, stripped too.");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return 0;
  }
  const Arguments files = line.parse(arguments);
  if (files.empty())
    throw UsageError("name a file, for example: course strip homework/01-softmax/softmax.cpp");
  for (const std::string& file : files) {
    if (!fs::is_regular_file(path_of(file)))
      throw input_error(file, "it is not a file", "name a student's file");
    std::cout << stripped(read_text(path_of(file)));
  }
  return 0;
}

}  // namespace plainformer::course
