// The subcommands of `course`. Each takes the arguments after its name and returns the exit code: 0 done, 1
// not all points, a failed check, or a submission that cannot be graded.    UsageError, std::runtime_error
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "report/command_line.h"
#include "toolchain.h"
#include "wrong_submission.h"

namespace plainformer::course {

// 2^32 - 1, or less where an Index has 32 bits.
inline constexpr Index kMaxSeed =
    static_cast<Index>(std::min<std::uint64_t>(4'294'967'295, std::numeric_limits<Index>::max()));

struct Course {
  std::string program = "course";  // as it was called: "build/course/course"
  Toolchain tools;
  std::vector<Exercise> exercises = {};
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
int health_command(const Course& course, const Arguments& arguments);
int prepare_command(const Course& course, const Arguments& arguments);

// The hints of an exercise, the texts of hints.json; none if there is no such file.    std::runtime_error if it is malformed
std::vector<std::string> hints_of(const Exercise& exercise);

// What `course hint` prints. number: from 1    UsageError if there is none of this number
std::string hint_text(const Exercise& exercise, const std::string& program, std::size_t number);

// What comes after an exercise that has all its points: the whole model with the student's code, and the next exercise.
// Empty for a variant.
std::string next_step(const std::vector<Exercise>& exercises, const Exercise& done,
                      const std::string& program);

// The course with the variants of a folder outside of the repository in the place of its own.
Course with_variants_of(Course course, const std::string& folder);

// Chooses the kind of grading that the exercise needs.
struct GradingOptions;
struct Grade;
Grade grade_exercise(const Course& course, const Exercise& exercise, const fs::path& files,
                     const GradingOptions& options);

// A grade, and a second one where the machine is suspected of the first: the reference is tried. If it fails too, nobody gets
// 0 points for that; if not, the submission has a second try, and the better one counts.
//   once         grades the submission
//   of_machine   tries the reference: why this machine cannot grade, or empty
Grade grade_with_machine_in_doubt(const std::function<Grade()>& once,
                                  const std::function<std::string()>& of_machine);

// Compiles the tests of these exercises, and builds the library in float if one needs it.
void prepare(const Course& course, const std::vector<const Exercise*>& exercises, int jobs);

// The reference's file of a source, and the text of it.
std::string reference_text(const Course& course, const std::string& source_file);

}  // namespace plainformer::course
