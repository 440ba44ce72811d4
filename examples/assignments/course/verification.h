// Proves that the course works.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "commands.h"

namespace plainformer::course {

struct VerificationOptions {
  fs::path work = {};                       // a folder
  std::vector<std::string> compilers = {};  // other ones, for the references
  unsigned seed = 1;                        // of the inputs
};

// A check, and what it found: empty if it holds.
struct Check {
  std::string label = {};
  std::function<std::string()> run = {};
};

// Of functions: the stub and all zeros get no points, the reference and the sound answers get all; each known mistake loses
// points, and is named. Of tests: the file to begin with gets nothing, the repository's own tests everything. Of a variant:
// the repository's answer to its exercise gets less than a quarter of the points.
std::vector<Check> checks_of(const Course& course, const Exercise& exercise,
                             const VerificationOptions& options);

// A bug of the whole program: the test that it names passes without it and fails with it.
Check check_of(const Course& course, const Bug& bug, const VerificationOptions& options);

// A wrong submission gets its points, and the report says why.
Check check_of(const Course& course, const WrongSubmission& submission, const VerificationOptions& options);

}  // namespace plainformer::course
