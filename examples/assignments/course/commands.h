// The subcommands of `course`. Each takes the arguments after its name and returns the exit code: 0 done, 1
// not all points, a failed check, or a submission that cannot be graded.    UsageError, std::runtime_error
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "grading.h"
#include "report/command_line.h"

namespace plainformer::course {

// 2^32 - 1, or less where an Index has 32 bits.
inline constexpr Index kMaxSeed =
    static_cast<Index>(std::min<std::uint64_t>(4'294'967'295, std::numeric_limits<Index>::max()));

struct Course {
  std::string program = "course";  // as it was called: "build/course/course"
  Toolchain tools;
  std::vector<Exercise> exercises = {};
  std::vector<Exercise> milestones = {};
  std::vector<Bug> whole_program_bugs = {};  // of break-it/
  std::vector<WrongSubmission> wrong_submissions = {};

  fs::path homework() const { return tools.settings().source_dir / "homework"; }
};

int list_command(const Course& course, const Arguments& arguments);
int start_command(const Course& course, const Arguments& arguments);
int check_command(const Course& course, const Arguments& arguments);
int hint_command(const Course& course, const Arguments& arguments);
int grade_command(const Course& course, const Arguments& arguments);
int run_command(const Course& course, const Arguments& arguments);
int milestone_command(const Course& course, const Arguments& arguments);
int bugs_command(const Course& course, const Arguments& arguments);
int verify_command(const Course& course, const Arguments& arguments);
int prepare_command(const Course& course, const Arguments& arguments);

// Grades files for an exercise, as its kind asks for.
Grade grade_exercise(const Course& course, const Exercise& exercise, const Submission& submission,
                     const GradingOptions& options);

// Compiles the drivers of these exercises, and builds the library in float if one needs it.
void prepare(const Course& course, const std::vector<const Exercise*>& exercises, int jobs);

// The library's file of a source, as a course needs it: without the line that leaves for the fast way.
std::string reference_text(const Course& course, const std::string& source_file);

// Writes the library's files of an exercise into a folder, as a submission.
Submission write_reference(const Course& course, const Exercise& exercise, const fs::path& folder);

// The options that `check`, `grade` and `milestone` have in common.
struct LimitOptions {
  Index memory = 1024;
  double seconds_factor = 1;

  void add_to(CommandLine& line);
  // UsageError if they are out of range
  GradingOptions options(const fs::path& work, Index seed, int jobs) const;
};

// The hints of an exercise, the texts of hints.json; none if there is no such file.    std::runtime_error if
// it is malformed
std::vector<std::string> hints_of(const Exercise& exercise);

// What comes after an exercise that has all its points: the whole model with the student's code, and the next
// exercise. Empty for a variant.
std::string next_step(const Course& course, const Exercise& done);

}  // namespace plainformer::course
