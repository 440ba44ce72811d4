// Looks at the text of a student's file before a compiler does.
#pragma once

#include <string>
#include <vector>

#include "exercise.h"
#include "toolchain.h"

namespace plainformer::course {

// The problems of a source, one line each: words that hide what the object file would tell, and includes of
// files that are out of bounds. A compiler would quote such files in its messages.
//   source   the student's file, a regular one
std::vector<std::string> inspect_text(const Toolchain& tools, const Exercise& exercise,
                                      const fs::path& source);

// Is it a header that the file of this exercise may include, apart from those of the system?
bool is_header_of_ours(const Toolchain& tools, const Exercise& exercise, const fs::path& file);

}  // namespace plainformer::course
