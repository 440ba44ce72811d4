// Tries generated mistakes: all those of an exercise in one program.
#pragma once

#include <string>
#include <vector>

#include "commands.h"
#include "grading.h"
#include "mutation.h"

namespace plainformer::course {

// Programs of an exercise's functions with all their mutations, some hundreds in each: the environment variable
// PLAINFORMER_MUTANT chooses one. So they are compiled a few times, and not thousands of times.
class MutantProgram {
 public:
  // Writes and compiles them in `work`, `jobs` at once. Mutations that do not compile are left out.
  //   std::runtime_error if nothing compiles
  MutantProgram(const Course& course, const Exercise& exercise, const fs::path& work, int jobs);

  const std::vector<Mutation>& mutations() const { return mutations_; }

  ProbeLines probe(std::size_t mutation) const;  // what it prints

 private:
  // Some mutations of a source, in a program.
  struct Part {
    const Source* source;
    std::string text;  // without them
    fs::path folder;
    std::vector<Mutation> mutations = {};
  };
  struct Place {
    fs::path program;
    std::size_t number;  // in it
  };

  std::vector<Part> parts_of(const Course& course, const fs::path& work) const;
  void build(Part& part) const;
  bool compile(Part& part, const fs::path& path, const fs::path& object) const;

  const Toolchain& tools_;
  Exercise exercise_;
  std::vector<Mutation> mutations_;
  std::vector<Place> places_;  // of each
};

// The numbers of all mistakes of an exercise: those of probe.txt, and of all mutations that can be told from the
// reference. Of mutations with the same numbers the first one stays.
KnownNumbers numbers_of_mutants(const Course& course, const Exercise& exercise, const fs::path& work,
                                int jobs);

}  // namespace plainformer::course
