// Submissions that are wrong in a known way: crashes, loops, cheats, wrong files. Each must get the points
// that it deserves, and a message that says why.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "exercise.h"

namespace plainformer::course {

struct WrongSubmission {
  std::string name;
  std::string exercise;
  std::vector<Edit> edits;                   // of the reference's files
  std::map<std::string, std::string> files;  // or these files in the place of the reference's
  double points = 0;                         // to get
  std::string says;                          // a part of the report
};

// wrong-submissions/submissions.json
std::vector<WrongSubmission> load_wrong_submissions(const std::filesystem::path& file);

}  // namespace plainformer::course
