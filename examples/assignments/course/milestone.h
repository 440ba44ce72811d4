// The milestones: what a student's files do together, in a trained model or in a training.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exercise.h"

namespace plainformer::course {

struct Milestone {
  int number;
  const char* title;
  int last;  // it needs the files of the exercises up to this one, in the order of work, electives and tests aside
};

inline constexpr Milestone kMilestones[] = {
    {1, "a head that looks", 3},
    {2, "the model is yours", 10},
    {3, "the toy, trained by nothing but your code", 16},
};

inline constexpr const Milestone& kGradedMilestone = kMilestones[2];
inline constexpr double kMilestonePoints = 10;

// The exercises that a milestone needs, in the order of work.
std::vector<const Exercise*> exercises_of(const Milestone& milestone, const std::vector<Exercise>& exercises);

// The first tensor that differs between two traces of the same forward pass, as `trace --json` writes them.
struct TensorDifference {
  std::string name;                  // "decoder.0.encoder_decoder_attention.weights"
  std::string equation;              // how it is computed
  std::vector<double> mine, theirs;  // all its elements, in order
  std::size_t element = 0;           // the first that differs
};
struct TraceComparison {
  std::size_t tensors = 0;                     // of the forward pass
  double largest = 0;                          // difference, relative to the largest element of its tensor
  std::optional<TensorDifference> first = {};  // that differs at all
  std::optional<TensorDifference> first_wrong = {};  // by more than rounding does
};

// Differences up to this are those of another order of additions.
inline constexpr double kRounding = 1e-4;

// std::runtime_error if a text is no trace, or if the two are not of the same tensors
TraceComparison compare_traces(const std::string& mine, const std::string& theirs);

// Two texts side by side, line by line, with titles above.
std::string side_by_side(const std::string& left_title, const std::string& left,
                         const std::string& right_title, const std::string& right);

// The percentage in a training's last lines, "Held-out exact match: 97.6 % (488 of 500, greedy)"; empty if there is none.
std::optional<double> exact_match_of(const std::string& output);

}  // namespace plainformer::course
