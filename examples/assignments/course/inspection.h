// Looks at an object file before anything of it runs.
#pragma once

#include <string>
#include <vector>

#include "toolchain.h"

namespace plainformer::course {

// What is wrong with a submission's object, one sentence each; empty if nothing is. An object may
//   define its exercise's functions, all of them, and helpers of its own, but no function of the library's
//   other files, of the tests or of the C library;
//   call the library (except exercise.forbid), the mathematical functions, memory functions, the containers
//   and printf, but no exit, no files, no processes;
//   run nothing before main (no global object with a constructor, no <iostream>).
// It may call all that the reference calls. The object of a test file, which a student writes where the
// exercise asks for tests, need not define anything and may run code before main.
// Its source may include headers only, and no assembler.
//   reference   the object of the reference's file: it tells which functions there are to define
std::vector<std::string> inspect(const Toolchain& tools, const Exercise& exercise, const fs::path& source,
                                 const fs::path& object, const fs::path& reference);

}  // namespace plainformer::course
