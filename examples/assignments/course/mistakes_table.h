// What the grader said to mistakes that people made by hand, as a page.
#pragma once

#include <string>
#include <vector>

namespace plainformer::course {

// A mistake, or a right answer, and what the grader said to it.
struct MistakeOutcome {
  std::string file, comment;  // "01-softmax/largest-begins-at-zero"; what its author says
  std::string problem;        // why it could not be tried; empty if it was
  bool is_sound = false;      // a right answer of the exercise's folder
  bool caught = false;
  std::string said;  // what the grader named; empty if nothing

  // What must not be: a gap in the tests, a mistake that is none, or a right answer that is called one.
  bool is_a_failure() const { return !problem.empty() || (is_sound ? caught || !said.empty() : !caught); }
};

std::string what_the_grader_says(const MistakeOutcome& outcome);

// The page MISTAKES.md: how many were caught and named, each mistake, and each right answer.
std::string table_of_mistakes(const std::vector<MistakeOutcome>& outcomes);

}  // namespace plainformer::course
