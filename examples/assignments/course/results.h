// What a driver's program shows, how one result differs from the right one, and whose known mistake that is.
#pragma once

#include <string>
#include <vector>

#include "core/shape.h"
#include "files.h"

namespace plainformer::course {

// A tensor, or a text.
struct Result {
  std::string stage = {};  // "softmax_forward"
  std::string name = {};   // "y of large x"; a second one of the same name is "y of large x (2)"
  std::vector<Index> shape = {};
  std::vector<double> numbers = {};
  bool is_text = false;
  std::string text = {};

  std::string label() const { return stage + ": " + name; }
};
using Results = std::vector<Result>;

// The complete lines of a report, as support/driver_main.cpp writes them. What is no such line is left out.
Results results_of(const std::string& report);

// The names of the stages, in the driver's order.
Texts stages_of(const Results& results);

// The result of this stage and name; null if it was not shown.
const Result* find_result(const Results& results, const Result& like);

// Sums may be added in any order: numbers may differ in the tenth digit of the largest one.
inline constexpr double kTolerance = 1e-9;

// Is it the right one, up to a tolerance that is relative to the largest number?
bool is_same(const Result& found, const Result& right, double tolerance = kTolerance);

// Do these hold a result of that stage and name, which is the right one?
bool has_same(const Results& results, const Result& right, double tolerance = kTolerance);

// What kind of difference it is, and the first wrong element: "Each number is 0.5 times the right one: [0, 1]
// is 0.25, and should be 0.5". Empty if it is the right one. All kinds that the grader knows are named in
// results.cpp.
std::string difference(const Result& found, const Result& right, double tolerance = kTolerance);

// What is right: "Right: attention_forward; of attention_backward: grad_value." Empty if all is, or nothing.
std::string what_is_right(const Results& found, const Results& right, double tolerance);

struct KnownMistake {
  std::string name = {};        // "attention-no-scale"
  std::string numbers_of = {};  // "scores not divided by sqrt(d_k)"
  std::string read = {};        // where to read about it
  Results results = {};         // of the driver, with the seed of the student's
  std::string problem = {};     // why it could not be tried: the source has changed, say
};

// What a student is told: "Your numbers are exactly those of: ...", and where to read. A mistake is named
// where results that are wrong are its own; the one that explains the most of them comes first, and then
// others for the rest. Of equals, those are named that would have left right what is right. Empty if no
// mistake has such results.
std::string name_mistakes(const Results& found, const Results& right, const std::vector<KnownMistake>& known);

}  // namespace plainformer::course
