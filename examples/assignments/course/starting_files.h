// The files with which a student begins an exercise.
#pragma once

#include <string>
#include <vector>

#include "commands.h"

namespace plainformer::course {

struct StartingFile {
  std::string name, text;
  bool is_contract = false;  // a header's copy to read; the others are to write
};

// A stub of each source, or the starting files of an exercise in which tests are written. Where the exercise hides
// results to derive, they are hidden in the stubs, and each header that has one comes as a copy without it.
//   with_comments   false leaves the comments in the bodies out
std::vector<StartingFile> starting_files(const Course& course, const Exercise& exercise, bool with_comments);

// The headers of the sources, "src/ops/softmax.h": they give the equations. One in which results are hidden is left out:
// its copy is a starting file.
std::vector<std::string> headers_to_read(const Course& course, const Exercise& exercise);

}  // namespace plainformer::course
