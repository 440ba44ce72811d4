// Tries generated mistakes: all those of an exercise in one program.
#pragma once

#include <string>
#include <vector>

#include "commands.h"
#include "grading.h"
#include "mutation.h"

namespace plainformer::course {

// A program of an exercise's functions, each with all its mutations: the environment variable PLAINFORMER_MUTANT, a
// number from 1, chooses one. So they are compiled once, and not a thousand times.
class MutantProgram {
 public:
  // Writes and compiles it in `work`. Mutations that do not compile are left out.    std::runtime_error if nothing does
  MutantProgram(const Course& course, const Exercise& exercise, const fs::path& work);

  const std::vector<Mutation>& mutations() const {
    return mutations_;
  }  // of which number i + 1 is the program's

  ProbeLines probe(std::size_t mutation) const;  // what it prints

 private:
  void write_and_compile(const Course& course, const Source& source);

  const Toolchain& tools_;
  Exercise exercise_;
  fs::path work_;
  std::vector<Mutation> mutations_;
  std::vector<fs::path> objects_;
};

// The numbers of all mistakes of an exercise: those of probe.txt, and of all mutations that can be told from the
// reference. Of mutations with the same numbers the first one stays.
KnownNumbers numbers_of_mutants(const Course& course, const Exercise& exercise, const fs::path& work,
                                int jobs);

}  // namespace plainformer::course
