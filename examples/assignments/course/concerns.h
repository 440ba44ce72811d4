// Which functions a bug or a test concerns. They decide what may be called right.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "toolchain.h"

namespace plainformer::course {

std::vector<std::string> functions_to_write(const Exercise& exercise);

// The functions to write that a bug of the list changes. Empty if one of its edits stands elsewhere, in a helper say.
std::vector<std::string> functions_of_bug(const Settings& settings, const Exercise& exercise, const Bug& bug);

// The functions that a test tries: those of the bugs that it catches, and those that it names itself.
std::set<std::string> functions_of_test(const Toolchain& tools, const Exercise& exercise,
                                        const ScoredTest& test);

}  // namespace plainformer::course
