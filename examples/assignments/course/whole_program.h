// The whole program `plainformer`, in float, with some of its files replaced.
#pragma once

#include "commands.h"

namespace plainformer::course {

// A file that takes the place of src/FILE.
struct Replacement {
  std::string file;  // "ops/softmax.cpp"
  fs::path with;
  Flags flags = {};
};

// Locks a folder, as lock_folder does, after another process has unlocked it: a line on standard error says
// that it waits.
int lock_when_free(const fs::path& folder);

// Builds the library and the program in float, once: build/toy. It takes some minutes. Where another process
// builds there, it waits.
void build_float_program(const Course& course);

// The plain greedy search keeps keys and values, so it never calls Transformer::decode: a bug or a student's
// code there would change the training and not the translations. The plain beam search calls it, and finds
// the same translations with a beam of 1.
inline const Edit kGreedyByBeamSearch = {.file = "decoding/decode_all.cpp",
                                         .before = "if (!options.is_greedy()) return beam_search(",
                                         .after = "return beam_search("};

// Compiles the replacements, and links them with the rest of the program, after the edit above.
//   std::runtime_error with the compiler's output if that fails
void build_program_with(const Course& course, const std::vector<Replacement>& replacements,
                        const fs::path& program);

// A student's files, whose folders the sources name.    std::runtime_error naming a file that is missing
std::vector<Replacement> files_of_student(const std::vector<Source>& sources, const fs::path& homework);

}  // namespace plainformer::course
