// The submissions of a class, as a person or a platform has put them into a folder.
#pragma once

#include <string>
#include <vector>

#include "submission.h"

namespace plainformer::course {

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
