// Runs the driver of an exercise with a student's files, with the reference, and with known mistakes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grading.h"
#include "recognition.h"

namespace plainformer::course {

// A mistake of the exercise's bugs.json, or of a file in mistakes/03-attention.
struct Mistake {
  std::string name = {}, numbers_of = {}, read = {};
  const Bug* bug = nullptr;
  fs::path file = {};
};
std::vector<Mistake> mistakes_of(const Settings& settings, const Exercise& exercise);

// A source of the exercise with a mistake in it.
std::string with_mistake(const Settings& settings, const Source& source, const Mistake& mistake);

// A source with the functions of a file like mistakes/03-attention/NAME.cpp in the place of its own.
std::string with_file(const Settings& settings, const Source& source, const fs::path& file);

// The objects of the exercise's sources, with a mistake or (null) without one: compiled once and kept.
//   header_flags   if not null: gets the flags by which a compiler finds a header that has the mistake
std::vector<fs::path> kept_objects_of(const Toolchain& tools, const Exercise& exercise,
                                      const Mistake* mistake, const std::vector<std::string>& more_flags = {},
                                      std::vector<std::string>* header_flags = nullptr);

struct DriverRun {
  Results results = {};
  std::map<std::string, ProcessResult> unfinished = {};  // how a stage ended that did not come to its end
};

// Runs a driver's program. If it does not come to its end, each stage runs in a process of its own.
//   right   of the reference: it names the stages
DriverRun run_driver(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                     const Results& right, const GradingOptions& options);

// What the reference shows with the seed of these options: the exercise's driver, linked with the whole library.
//   std::runtime_error if it does not come to its end: then this machine cannot grade
Results right_results(const Toolchain& tools, const Exercise& exercise, const GradingOptions& options);

// What each known mistake shows with that seed.
std::vector<KnownMistake> known_mistakes(const Toolchain& tools, const Exercise& exercise,
                                         const Results& right, const GradingOptions& options);

}  // namespace plainformer::course
