// Runs the reference as if a student had handed it in: what it cannot do here, nobody can.
#pragma once

#include <string>
#include <vector>

#include "commands.h"
#include "grading.h"

namespace plainformer::course {

// How the reference fared.
struct ReferenceRun {
  std::string problem = {};  // why it does not get all points; empty if it does
  bool is_busy = false;      // because it had to wait for a processor
  double compiler_seconds = 0,
         test_seconds = 0;            // of the processors: to compile all its files, to run all tests
  double seconds = 0;                 // of everything, by the clock
  long compiler_mb = 0, test_mb = 0;  // the most memory of one compiler, of one test
};

// Compiles the exercise's reference and runs all its tests, anew, within the limits of `options`. Of a variant, whose
// answer is not here, that of its exercise; where tests are written, the file that students begin with.
ReferenceRun run_reference(const Course& course, const Exercise& exercise, const GradingOptions& options);

// How it failed: "the library's own answer does not get all points here:", and the problem below.
std::string failure_of(const ReferenceRun& run);

// What to say if it fails: "this machine cannot grade 03 attention: ...".
std::string machine_problem(const std::string& label, const ReferenceRun& run);

// Says why a test's losses are not those that the reference has in it; empty if they are. A student's forward pass may add
// in another order, so the last digits may differ. The reference's losses are computed once and kept.
//   std::runtime_error if the reference does not pass the test here
std::string problem_of_losses(const Toolchain& tools, const Exercise& exercise, const std::string& test,
                              const std::vector<double>& losses, const GradingOptions& options);

}  // namespace plainformer::course
