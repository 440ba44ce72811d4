// Writes a source with many of its mutations, of which a running program chooses one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mutation.h"

namespace plainformer::course {

struct NumberedMutation {
  std::size_t number;  // from 1
  const Mutation* mutation;
};

// The source, in which the environment variable PLAINFORMER_MUTANT, a number, chooses a mutation. A mutation is written
// as the smallest statement that holds it, beside the reference's statement: a file with whole functions would be too
// long for a compiler.
std::string source_with_mutants(const std::string& reference, const std::vector<NumberedMutation>& mutations);

// The first line of each run of lines of such a source, and whose they are: a mutation's number, or 0.
std::map<std::size_t, std::size_t> lines_of_mutants(const std::string& source);

}  // namespace plainformer::course
