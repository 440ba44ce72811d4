// The submissions of a class, as a person or a platform has put them into a folder; and a student's files:
// where they are, what may not stand in them, and their objects.
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

// A student's file of a source, in the submission's folder or in one below it: the last one of "softmax.cpp"
// and "softmax-1.cpp", as platforms name a second upload. A link is not followed: it might lead to another
// student's.
struct FoundFile {
  fs::path path = {};
  std::string problem = {};  // why there is none
};
FoundFile find_file(const Submission& submission, const Exercise& exercise, const Source& source);

// Compiles a student's file of a source.
struct CompiledFile {
  std::string problem = {};   // its text breaks a rule, or it does not compile; empty if there is none
  std::string warnings = {};  // what the compiler says to a file that compiles
};
CompiledFile compile_file(const Toolchain& tools, const Exercise& exercise, const Source& source,
                          const fs::path& file, const fs::path& object, const Flags& flags);

// What is wrong with a text: words that are forbidden. Lines of the reference are not.
std::string problem_of_text(const Exercise& exercise, const std::string& text, const std::string& reference);

// The text of a student's file in UTF-8, without a mark.
std::string text_of_submission(const fs::path& file);

struct ClassFolder {
  std::vector<Submission> submissions = {};
  std::vector<std::string> left_out = {};  // entries that nobody has handed in: "__MACOSX", "Thumbs.db"
};

// Each entry of the folder is a student: a folder, or a single file. Files that a platform has named are put
// together by student:
//   Canvas   lovelaceada_LATE_123456_9876543_softmax.cpp: the first number is the student's ID
//   Moodle   Ada Lovelace_4711_assignsubmission_file_softmax.cpp, or a folder Ada
//   Lovelace_4711_assignsubmission_file
// std::runtime_error if there is no such folder, or nothing in it
ClassFolder read_class_folder(const fs::path& folder);

// One student's folder or file, by its own name: "." and "folder/" have none.
Submission single_submission(const std::string& path);

}  // namespace plainformer::course
