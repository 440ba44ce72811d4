// Reads C++ source as the inspection needs it: without comments and literals.
#pragma once

#include <string>
#include <vector>

namespace plainformer::course {

struct CodeLine {
  int number = 0;  // of its first line in the file, if a backslash continues it
  std::string code;
};

// The lines with blanks in the place of comments, and empty strings and characters.
std::vector<CodeLine> code_lines(const std::string& source);

// "x86_64 + asm(1)" -> x86_64, asm
std::vector<std::string> identifiers(const std::string& code);

}  // namespace plainformer::course
