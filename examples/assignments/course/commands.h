// The subcommands of `course`. Each takes the arguments after its name and returns the exit code: 0 done, 1
// not all points, a failed check, or a submission that cannot be graded.    UsageError, std::runtime_error
#pragma once

#include <vector>

#include "grading.h"
#include "report/command_line.h"

namespace plainformer::course {

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

// The exercises of these names; without names, each that has been started.    std::runtime_error if none is
std::vector<const Exercise*> chosen_exercises(const Course& course, const Texts& names, bool variant,
                                              const fs::path& homework);

// Compiles the drivers of these exercises, and builds the library in float if one needs it.
void prepare(const Course& course, const std::vector<const Exercise*>& exercises, int jobs);

// The library's file of a source, as a course needs it: without the line that leaves for the fast way.
std::string reference_text(const Course& course, const std::string& source_file);

// The plain greedy search keeps keys and values, so it never calls Transformer::decode: a bug or a student's
// code there would change the training and not the translations. So `run` has the plain beam search in its
// place, which calls it, and finds the same translations with a beam of 1.
inline const Edit kGreedyByBeamSearch = {.file = "decoding/decode_all.cpp",
                                         .before = "if (!options.is_greedy()) return beam_search(",
                                         .after = "return beam_search("};

// The option for the limits of time of a student's program.
void add_seconds_factor(CommandLine& line, double& factor);

// What comes after an exercise that has all its points: the whole model with the student's code, and the next
// exercise. Empty for a variant.
std::string next_step(const Course& course, const Exercise& done);

}  // namespace plainformer::course
