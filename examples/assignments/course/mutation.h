// Makes mistakes: small changes of a function, each with a sentence that says what was changed.
//
// The changes are those that people make without wanting to: a term or a factor lost, a sign, an index in the place
// of another, an axis exchanged, a loop one short, a mean for a sum, `=` for `+=`, a sum that is not set back to 0, a
// statement lost, or in the wrong loop. Many do not compile, and some change nothing: whoever uses them tries them.
#pragma once

#include <string>
#include <vector>

#include "exercise.h"

namespace plainformer::course {

struct Mutation {
  std::string function = {};  // "softmax_backward"
  std::string body = {};      // of that function, with the change
  std::string what = {};      // "`shared += grad_y(row, j)` in step 2, where a factor is missing"
};

// Of the functions that a student writes: those that are cut, and the helpers that are dropped. No two have the same
// text.
//   source   the text of the reference
std::vector<Mutation> mutations_of(const std::string& source, const Source& cuts);

}  // namespace plainformer::course
