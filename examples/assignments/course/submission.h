// The submissions of a class, as a person or a platform has put them into a folder; and a student's files:
// where they are, what may not stand in them, and their objects.
#pragma once

#include <map>
#include <stdexcept>
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

inline constexpr std::size_t kMostOutput = 2'000;  // of a compiler's or a linker's, in a message

// What is wrong with a submission, for its student: a file is missing, or does not compile.
class SubmissionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A student's file of a source, in the submission's folder or in one below it: the last one of "softmax.cpp"
// and "softmax-1.cpp", as platforms name a second upload. A link is not followed: it might lead to another
// student's.    SubmissionError
fs::path find_file(const Submission& submission, const Exercise& exercise, const Source& source);

// The text of a student's file, in UTF-8 and without a mark.    SubmissionError if it has a word that is
// forbidden in a line that is not the reference's
std::string checked_text(const Toolchain& tools, const Exercise& exercise, const Source& source,
                         const fs::path& file);

// The first line of a copy, by which a compiler's messages name the student's file.
std::string line_directive(const fs::path& file);

// Compiles a student's file of a source. Returns the compiler's warnings.    SubmissionError
std::string compile_file(const Toolchain& tools, const Exercise& exercise, const Source& source,
                         const fs::path& file, const fs::path& object, const Flags& flags);

// For checked_text, and its tests.
std::string text_of_submission(const fs::path& file);
std::string problem_of_text(const Exercise& exercise, const std::string& text, const std::string& reference);

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

}  // namespace plainformer::course
