// The whole program with a student's files: which of them, and what they ask of the program.
#pragma once

#include "whole_program.h"

namespace plainformer::course {

// The exercises that "03,04" names, or with "all" each one of which the folder has files. UsageError for one that asks for
// tests; std::runtime_error if nothing has been started.
std::vector<const Exercise*> exercises_with_files(const Course& course, const std::string& names,
                                                  const fs::path& homework);

struct StudentsProgram {
  std::vector<Replacement> replacements = {};
  std::string plain = {};  // the operations that take the plain way, so that the student's code runs
};

// std::runtime_error naming a file that is missing.
StudentsProgram students_program(const std::vector<const Exercise*>& exercises, const fs::path& homework);

}  // namespace plainformer::course
