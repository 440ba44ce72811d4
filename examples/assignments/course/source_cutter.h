// Cuts functions out of a source file by their names.
//
// The sources hold no markers. clang-format gives a definition its shape: the signature and the closing brace
// begin in the same column, so the brace that ends a body can be found by its indentation.
#pragma once

#include <string>
#include <vector>

#include "exercise.h"

namespace plainformer::course {

// The source as a course needs it: without the line by which an operation leaves for the fast way, which is another form
// of the answer, without the line that counts its work, and without the headers of both.
std::string without_the_fast_way(const std::string& source);

// The student's file: each body to cut keeps its extents, its checks and its comments, and ends in
// not_written("name").
//   with_comments   false leaves the comments in the bodies out, for those who want no scaffold
std::string stub_of(const std::string& source, const Source& cuts, bool with_comments = true);

// A function by its name: from the first line of its definition to the brace that opens the body, and the lines of
// the body.    std::runtime_error if the source defines no such function
struct FunctionText {
  std::string signature, body;
};
FunctionText function_text(const std::string& source, const std::string& name);

// The source with another body for this function.
std::string with_body(const std::string& source, const std::string& name, const std::string& body);

// The source with other definitions of the functions to cut. `functions` holds definitions, and perhaps #includes and
// helpers, which come into an unnamed namespace.
std::string with_functions(const std::string& source, const Source& cuts, const std::string& functions);

// Do they define one of these functions? A call defines nothing.
bool defines_some(const std::string& functions, const Source& cuts);

// The file with each body replaced by its `zeros`.
std::string zeros_of(const std::string& source, const Source& cuts);

// The file of src/ after those of the edits that concern it.    std::runtime_error, which names the bug,
// unless the text of each edit occurs exactly once
std::string with_edits(const std::string& source, const std::string& file, const std::string& bug,
                       const std::vector<Edit>& edits);
std::string with_bug(const std::string& source, const std::string& file, const Bug& bug);

}  // namespace plainformer::course
