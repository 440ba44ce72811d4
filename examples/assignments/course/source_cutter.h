// Cuts functions out of a source file by their names.
//
// The sources hold no markers. clang-format gives a definition its shape: the signature and the closing brace
// begin in the same column, so the brace that ends a body can be found by its indentation.
#pragma once

#include <string>
#include <vector>

#include "exercise.h"

namespace plainformer::course {

// The source as a course needs it: without the line by which an operation leaves for the fast way, which is
// another form of the answer, and without the headers that this line needs.
std::string without_the_fast_way(const std::string& source);

// The student's file: each body to cut keeps its extents, its checks and its comments, and ends in
// not_written("name").
std::string stub_of(const std::string& source, const Source& cuts);

// The source with other definitions of the functions to cut. `functions` holds some of them, and perhaps
// #includes and helpers, which come into an unnamed namespace. The source itself if it holds none.
std::string with_functions(const std::string& source, const Source& cuts, const std::string& functions);

// The file with each body replaced by its `zeros`.
std::string zeros_of(const std::string& source, const Source& cuts);

// The file of src/ after those of the edits that concern it.    std::runtime_error, which says whose they
// are, unless the text of each edit occurs exactly once
std::string with_edits(const std::string& source, const std::string& file, const std::string& whose,
                       const std::vector<Edit>& edits);

}  // namespace plainformer::course
