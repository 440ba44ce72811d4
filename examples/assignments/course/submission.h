// A student's files: where they are, what may not stand in them, and their objects.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "toolchain.h"

namespace plainformer::course {

struct Submission {
  std::string student = {};  // the name in tables and reports
  std::string id = {};       // as the platform that handed it over knows the student, if it says so
  fs::path path = {};        // a folder, or a single file
  std::map<std::string, fs::path> files = {};  // or several files, by the names that the student gave them
  std::string why = {};                        // why it cannot be graded: it is an archive
};

// A student's file of an exercise, in the submission's folder or in one below it: the last one of
// "softmax.cpp" and "softmax-1.cpp", as platforms name a second upload. A link is not followed: it might lead
// to another student's.
struct FoundFile {
  fs::path path = {};
  std::string problem = {};  // why there is none
};
FoundFile find_file(const Submission& submission, const Exercise& exercise, const std::string& folder_name,
                    const std::string& file_name);

// Compiles a student's file.    The problem: its text breaks a rule, it does not compile. Empty if there is
// none
//   reference   the library's own file, whose lines everybody may have; or empty
//   warnings    what the compiler says to a file that compiles
//   waited      the compiler did not end, and may have waited for a processor
struct CompiledFile {
  std::string problem = {}, warnings = {};
  bool waited = false;
};
CompiledFile compile_file(const Toolchain& tools, const Exercise& exercise, const fs::path& file,
                          const fs::path& reference, const fs::path& object, const Flags& flags);

// What is wrong with a text: words that are forbidden. Lines of the reference are not.
std::string problem_of_text(const Exercise& exercise, const std::string& text, const std::string& reference);

// The text of a student's file in UTF-8, without a mark.
std::string text_of_submission(const fs::path& file);

}  // namespace plainformer::course
