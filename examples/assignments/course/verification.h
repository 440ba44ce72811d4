// The proof that the course is sound: what must hold of every exercise, as checks that can fail.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "commands.h"
#include "recognition.h"

namespace plainformer::course {

struct Check {
  std::string label;                 // "03 attention: bug attention-no-scale"
  std::function<std::string()> run;  // says what does not hold; "" if it holds. Several may run at once
};

struct VerificationOptions {
  fs::path work;                       // for objects and programs
  std::vector<std::string> compilers;  // besides the build's own: each must compile the references
  unsigned seed = 1;                   // of the variants
  bool write_probes = false;           // records what the probes print instead of comparing it
  int jobs = 1;                        // of a check that runs many programs
};

// An exercise: the stub fails every scored test, all zeros score 0, the reference gets all points with every
// compiler, and each bug fails the test that it names and is recognized.
// A variant: its seed is fair, the stub fails every scored test, all zeros score 0, and the repository's answer
// gets less than a quarter of the points.
// An exercise in which tests are written: the starting file does not get all points.
std::vector<Check> checks_of(const Course& course, const Exercise& exercise,
                             const VerificationOptions& options);

// A bug of the whole program: the test that it names passes without it and fails with it.
Check check_of(const Course& course, const Bug& bug, const VerificationOptions& options);

// A wrong submission gets its points, and the report says why.
Check check_of(const Course& course, const WrongSubmission& submission, const VerificationOptions& options);

// A variant has the points of its exercise.
Check check_of_points(const Course& course);

}  // namespace plainformer::course
