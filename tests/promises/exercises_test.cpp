// Each exercise at the end of a chapter has a hint and then a solution, both folded.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

struct ExerciseText {
  std::string number;
  Lines lines;  // below the first
};

// The numbered items of a page's section "Exercises".
std::vector<ExerciseText> exercises_of(const Lines& page) {
  static const Pattern item("(\\d+)\\. .*");
  std::vector<ExerciseText> exercises;
  bool inside = false;
  for (const std::string& line : page) {
    if (line.rfind("## ", 0) == 0) inside = line == "## Exercises";
    const auto match = item.match(line);
    if (inside && match)
      exercises.push_back({match->groups[1], {}});
    else if (inside && !exercises.empty())
      exercises.back().lines.push_back(line);
  }
  return exercises;
}

// The folded parts, in their order. A fold is indented as the list's items are. Blank lines surround its text:
// without them it would be shown as it is typed.
std::vector<std::string> folds_of(const Lines& lines) {
  static const Pattern opening("   <details><summary>(\\w+)</summary>");
  std::vector<std::string> folds;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto match = opening.match(lines[i]);
    if (!match) continue;
    std::size_t end = i + 1;
    while (end < lines.size() && lines[end] != "   </details>") ++end;
    const bool whole = end < lines.size() && end - i >= 4 && lines[i + 1].empty() && lines[end - 1].empty() &&
                       !lines[i + 2].empty();
    folds.push_back((whole ? "" : "a broken ") + match->groups[1]);
    i = end;
  }
  return folds;
}

Lines problems_of(const Lines& page) {
  Lines problems;
  const std::vector<ExerciseText> exercises = exercises_of(page);
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    const ExerciseText& exercise = exercises[i];
    if (exercise.number != std::to_string(i + 1)) problems.push_back("number " + exercise.number);
    if (folds_of(exercise.lines) != Lines{"Hint", "Solution"})
      problems.push_back("exercise " + exercise.number);
  }
  return problems;
}

TEST(Exercises, EachHasAFoldedHintAndThenAFoldedSolution) {
  std::size_t exercises = 0;
  for (const std::string& page : files_under("docs", ".*\\.md")) {
    const Lines lines = lines_of(kRoot / page);
    exercises += exercises_of(lines).size();
    for (const std::string& problem : problems_of(lines)) ADD_FAILURE() << page << ": " << problem;
  }
  EXPECT_GT(exercises, 40u);
}

TEST(ExerciseRules, AMissingOrBrokenFold) {
  const Lines hint = {"", "   <details><summary>Hint</summary>", "", "   Look.", "", "   </details>"};
  const Lines solution = {"   <details><summary>Solution</summary>", "", "   Seen.", "", "   </details>"};
  const auto page = [](const std::vector<Lines>& parts) {
    Lines lines = {"1. Not an exercise.", "## Exercises", "", "1. Why?"};
    for (const Lines& part : parts) lines.insert(lines.end(), part.begin(), part.end());
    lines.insert(lines.end(), {"## Tests", "7. Not an exercise."});
    return lines;
  };
  const Lines unindented = {"<details><summary>Hint</summary>", "", "Look.", "", "</details>"};
  const Lines no_blank_line = {"   <details><summary>Hint</summary>", "   Look.", "", "", "   </details>"};
  const Lines open = {"   <details><summary>Solution</summary>", "", "   Seen."};
  EXPECT_EQ(problems_of(page({hint, solution})), Lines{});
  for (const std::vector<Lines>& wrong : {std::vector<Lines>{},
                                          {hint},
                                          {solution},
                                          {solution, hint},
                                          {hint, hint, solution},
                                          {unindented, solution},
                                          {no_blank_line, solution},
                                          {hint, open}})
    EXPECT_EQ(problems_of(page(wrong)), Lines{"exercise 1"});
  EXPECT_EQ(problems_of(page({hint, solution, {"3. How?"}, hint, solution})), Lines{"number 3"});
}

}  // namespace
}  // namespace plainformer
